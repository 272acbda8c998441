// Shared memory of a block, and who touched each byte of it since the last barrier.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "ptx.h"

namespace sim {

enum class Access : uint8_t { Read, Write, Atomic };

// A thread at a point of its block's execution.
struct Toucher {
	uint32_t thread = 0, line = 0;
	uint32_t epoch = 0;     // barriers before it, in all blocks so far
	uint32_t warpEpoch = 0; // bar.warp.sync of its warp before it
	Access access = Access::Read;

	bool races(const Toucher &o) const {
		return epoch == o.epoch && thread != o.thread && (thread / kLanes != o.thread / kLanes || warpEpoch == o.warpEpoch);
	}
};

class SharedMemory {
public:
	// begin takes the variables a kernel uses. Every block then starts with reset.
	void begin(const Module &m, const Function &f, uint32_t dynamicBytes);
	void reset();
	void barrier() { epoch_++; }
	uint32_t epoch() const { return epoch_; }

	// at returns where an access of n bytes lies, or null when no variable covers it.
	uint8_t *at(uint64_t address, uint64_t n);
	std::string describe(uint64_t address) const; // of such an address

	// touch remembers an access. True: it races with an earlier one.
	bool touch(uint64_t address, uint64_t n, const Toucher &t, Toucher &earlier);

	std::string name(uint64_t address) const;
	static void collect(const Function &f, std::vector<const Function *> &seen);

private:
	struct Byte {
		Toucher write, read, other; // the last writer, and two readers
	};
	std::vector<Variable> variables_;
	std::vector<uint8_t> bytes_;
	std::vector<Byte> shadow_;
	uint32_t epoch_ = 1;
};

} // namespace sim
