#include "settings.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "status.h"

namespace sim {

// Both live until the process ends: threads of streams may outlast main.
Settings &settings() {
	static Settings *s = new Settings;
	return *s;
}

Faults &faults() {
	static Faults *f = new Faults;
	return *f;
}

Settings::Settings() {
	for (const char *key : {"devices", "memory", "capability", "driver", "slow", "steps", "order", "quiet", "faults"}) {
		std::string name = "CUDASIM_";
		for (const char *c = key; *c; c++) name += char(*c - 'a' + 'A');
		const char *value = std::getenv(name.c_str());
		if (value && !set(key, value)) std::fprintf(stderr, "cudasim: %s=%s is not understood\n", name.c_str(), value);
	}
}

bool Settings::set(const std::string &key, const std::string &value) {
	if (key == "faults") return faults().set(value);
	if (key == "order") {
		reverse = value == "reverse";
		return value == "reverse" || value == "forward";
	}
	char *end = nullptr;
	uint64_t n = std::strtoull(value.c_str(), &end, 10);
	if (value.empty() || *end) return false;
	if (key == "devices") devices = int(n);
	else if (key == "memory") memory = n;
	else if (key == "capability") capability = int(n);
	else if (key == "driver") driver = int(n);
	else if (key == "slow") slow = n;
	else if (key == "steps") steps = n;
	else if (key == "quiet") quiet = n != 0;
	else return false;
	return true;
}

static int usualCode(const std::string &point) {
	if (point.rfind("cuMemAlloc", 0) == 0) return kOutOfMemory;
	if (point == "cuLaunchKernel") return kOutOfResources;
	return point == "kernel" || point == "lost" ? kLaunchFailed : kUnknown;
}

bool Faults::set(const std::string &plan) {
	std::lock_guard<std::mutex> lock(mutex_);
	plan_.clear();
	calls_.clear();
	std::stringstream in(plan);
	for (std::string one; std::getline(in, one, ',');) {
		Entry e{"", 0, false, 0};
		std::stringstream parts(one);
		std::string n, code;
		std::getline(parts, e.point, ':');
		std::getline(parts, n, ':');
		std::getline(parts, code, ':');
		e.n = std::strtoull(n.c_str(), nullptr, 10);
		e.onwards = !n.empty() && n.back() == '+';
		e.code = code.empty() ? usualCode(e.point) : std::atoi(code.c_str());
		if (!e.n || !e.code) return plan_.clear(), false;
		plan_.push_back(e);
	}
	return true;
}

int Faults::hit(const std::string &point) {
	std::lock_guard<std::mutex> lock(mutex_);
	if (plan_.empty()) return 0;
	uint64_t n = ++calls_[point];
	for (auto &e : plan_)
		if (e.point == point && (e.n == n || (e.onwards && n > e.n))) return e.code;
	return 0;
}

static std::mutex reportMutex;
static std::vector<std::string> &reports() {
	static auto *r = new std::vector<std::string>;
	return *r;
}

void report(const std::string &line) {
	std::lock_guard<std::mutex> lock(reportMutex);
	if (reports().size() < 1000) reports().push_back(line);
	if (!settings().quiet) std::fprintf(stderr, "cudasim: %s\n", line.c_str());
}

std::string takeReports() {
	std::lock_guard<std::mutex> lock(reportMutex);
	std::string all;
	for (auto &line : reports()) all += line + "\n";
	reports().clear();
	return all;
}

} // namespace sim
