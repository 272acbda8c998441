#include "driver.h"

#include <cstdlib>

namespace sim {

Driver &driver() {
	static Driver *d = new Driver;
	return *d;
}

Context *Driver::context(int device) {
	std::lock_guard<std::mutex> lock(mutex);
	auto &c = contexts[device];
	if (!c) {
		c = std::make_unique<Context>();
		c->device = device;
	}
	return c.get();
}

Context *&current() {
	static thread_local Context *c = nullptr;
	return c;
}

int enter(const char *function) {
	if (!driver().initialized) return kNotInitialized;
	Context *c = current();
	if (!c) return kInvalidContext;
	if (c->references == 0) return kContextDestroyed;
	if (c->failed) return c->failed;
	if (int code = faults().hit("lost")) return c->failed = code;
	return faults().hit(function);
}

std::shared_ptr<Stream> Context::stream(void *handle) {
	std::lock_guard<std::mutex> lock(mutex);
	if (handle == nullptr || handle == reinterpret_cast<void *>(1)) return defaultStream;
	auto i = streams.find(handle);
	return i == streams.end() ? nullptr : i->second;
}

std::shared_ptr<Event> Context::event(void *handle) {
	std::lock_guard<std::mutex> lock(mutex);
	auto i = events.find(handle);
	return i == events.end() ? nullptr : i->second;
}

// submit puts work on a stream. The default stream and all others that are not
// CU_STREAM_NON_BLOCKING wait for each other.
Ticket Context::submit(const std::shared_ptr<Stream> &s, std::function<void(Runner &)> work, std::vector<Ticket> after) {
	std::lock_guard<std::mutex> lock(mutex);
	auto wait = [&](const std::shared_ptr<Stream> &other) {
		if (Ticket t = other->tail()) after.push_back(t);
	};
	if (s == defaultStream) {
		for (auto &[handle, other] : streams)
			if (other->blocking) wait(other);
	} else if (s->blocking) {
		wait(defaultStream);
	}
	return s->push(std::move(work), std::move(after));
}

void Context::drain() {
	std::vector<Ticket> tails;
	{
		std::lock_guard<std::mutex> lock(mutex);
		for (auto &[handle, s] : streams) tails.push_back(s->tail());
		if (defaultStream) tails.push_back(defaultStream->tail());
	}
	for (auto &t : tails)
		if (t) t->wait();
}

bool Context::isPinned(const void *p, size_t n) {
	std::lock_guard<std::mutex> lock(mutex);
	const char *c = static_cast<const char *>(p);
	auto i = pinned.upper_bound(const_cast<char *>(c));
	if (i == pinned.begin()) return false;
	--i;
	return c + n <= i->first + i->second;
}

std::vector<std::string> Context::live() {
	std::vector<std::string> out;
	{
		std::shared_lock<std::shared_mutex> lock(driver().memory.mutex);
		out = driver().memory.live(device);
	}
	std::lock_guard<std::mutex> lock(mutex);
	for (auto &[p, n] : pinned) out.push_back("pinned memory of " + std::to_string(n) + " bytes");
	for (size_t i = 0; i < streams.size(); i++) out.push_back("a stream");
	for (size_t i = 0; i < events.size(); i++) out.push_back("an event");
	for (size_t i = 0; i < modules.size(); i++) out.push_back("a module");
	for (auto &line : out) line = "device " + std::to_string(device) + ": " + line;
	return out;
}

// destroy gives up all that the context holds. A context that has failed lets
// nothing be freed, so what it still holds is no leak.
void Context::destroy() {
	drain();
	if (!failed) {
		auto lines = live();
		std::lock_guard<std::mutex> lock(driver().mutex);
		driver().leaked.insert(driver().leaked.end(), lines.begin(), lines.end());
	}
	std::lock_guard<std::mutex> lock(mutex);
	for (auto &[handle, s] : streams) s->stop();
	if (defaultStream) defaultStream->stop();
	defaultStream = nullptr;
	streams.clear();
	events.clear();
	functions.clear();
	modules.clear();
	for (auto &[p, n] : pinned) std::free(p);
	pinned.clear();
	driver().memory.releaseDevice(device);
	failed = 0;
}

} // namespace sim
