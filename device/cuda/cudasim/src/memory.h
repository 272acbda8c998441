// The memory of all devices: allocations with made-up addresses, so that every
// access can be checked exactly and no address is ever used twice.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

namespace sim {

// A Fault ends a kernel: a code of CUresult and what happened, empty for an injected one.
struct Fault {
	int code;
	std::string text;
};

struct Allocation {
	uint64_t base = 0, size = 0;
	uint64_t number = 0; // the how manieth of the process
	int device = 0;
	bool readOnly = false;
	std::string name; // "memory", or of a variable of a module
	std::unique_ptr<uint8_t[]> host;
};

// The allocation a load or store met last, which it most often meets again.
struct Hit {
	uint64_t base = 0, size = 0;
	uint8_t *host = nullptr;
	bool readOnly = false;
};

class Memory {
public:
	// Held shared while a block runs or a copy is made, exclusively to change the list.
	std::shared_mutex mutex;
	std::atomic<uint64_t> generation{1}; // changes when an allocation goes

	uint64_t allocate(int device, uint64_t size, const std::string &name, bool readOnly);
	bool release(uint64_t base, int device); // false: not the start of a live allocation
	void releaseDevice(int device);

	// find looks an access up. It throws Fault when it is not inside one live
	// allocation of the device. The caller holds mutex.
	void find(uint64_t address, uint64_t width, int device, Hit &hit) const;

	// host returns where n bytes lie, or null. The caller holds mutex.
	uint8_t *host(uint64_t address, uint64_t n, int device) const;

	std::string describe(uint64_t address, uint64_t width, int device) const;
	uint64_t used(int device) const;
	std::vector<std::string> live(int device) const; // without variables of modules

private:
	struct Freed {
		uint64_t size, number;
	};
	std::map<uint64_t, Allocation> live_;
	std::map<uint64_t, Freed> freed_;
	std::map<int, uint64_t> next_, used_;
	uint64_t count_ = 0;
};

} // namespace sim
