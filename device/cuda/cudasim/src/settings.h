// What a test can set: by environment when the library is loaded
// (CUDASIM_FAULTS=...), or with cudasim_set("faults", ...) at any time.
#pragma once
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace sim {

struct Settings {
	std::atomic<int> devices{1};
	std::atomic<uint64_t> memory{1ull << 30};  // bytes of a device
	std::atomic<int> capability{75};           // 75: sm_75
	std::atomic<int> driver{12020};            // 12020: CUDA 12.2
	std::atomic<uint64_t> slow{0};             // microseconds before each task of a stream
	std::atomic<uint64_t> steps{1ull << 33};   // warp instructions of a block, then it is stopped
	std::atomic<bool> reverse{false};          // blocks and warps in descending order
	std::atomic<bool> quiet{false};            // print no report on stderr

	Settings();
	bool set(const std::string &key, const std::string &value); // false: no such key or value
};

Settings &settings();

// Faults to inject: "cuMemAlloc:3" lets the third call from now on fail, once;
// "cuMemAlloc:3+" and all after it; "cuMemAlloc:3:1" with code 1. Points are
// the functions without _v2, "kernel" (the n-th kernel fails when it runs,
// which the next synchronisation tells), and "lost" (the n-th call that needs
// a context, and every call after it until the context is made anew).
class Faults {
public:
	bool set(const std::string &plan); // forgets the plan and the counts before it
	int hit(const std::string &point); // the code to fail with, or 0

private:
	struct Entry {
		std::string point;
		uint64_t n;
		bool onwards;
		int code;
	};
	std::mutex mutex_;
	std::vector<Entry> plan_;
	std::map<std::string, uint64_t> calls_;
};

Faults &faults();

// report remembers a line for cudasim_reports, and prints it on stderr.
void report(const std::string &line);
std::string takeReports();

} // namespace sim
