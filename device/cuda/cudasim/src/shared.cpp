#include "shared.h"

#include <algorithm>
#include <cstring>

namespace sim {

// collect lists a function and all that it calls.
void SharedMemory::collect(const Function &f, std::vector<const Function *> &seen) {
	if (std::find(seen.begin(), seen.end(), &f) != seen.end()) return;
	seen.push_back(&f);
	for (auto *callee : f.callees) collect(*callee, seen);
}

void SharedMemory::begin(const Module &m, const Function &f, uint32_t dynamicBytes) {
	std::vector<const Function *> functions;
	collect(f, functions);
	variables_.clear();
	size_t need = 0;
	for (size_t i = 0; i < m.shared.size(); i++) {
		bool used = std::any_of(functions.begin(), functions.end(), [&](const Function *g) {
			return std::find(g->shared.begin(), g->shared.end(), i) != g->shared.end();
		});
		if (!used) continue;
		variables_.push_back(m.shared[i]);
		Variable &v = variables_.back();
		if (v.dynamic) v.size = dynamicBytes;
		need = std::max<size_t>(need, v.address + v.size);
	}
	if (bytes_.size() < need) {
		bytes_.resize(need);
		shadow_.resize(need);
	}
}

void SharedMemory::reset() {
	epoch_++;
	for (auto &v : variables_) std::memset(bytes_.data() + v.address, 0xA5, v.size);
}

std::string SharedMemory::name(uint64_t address) const {
	for (auto &v : variables_)
		if (address >= v.address && address - v.address < v.size)
			return v.name + "[" + std::to_string(address - v.address) + "]";
	return "shared memory";
}

uint8_t *SharedMemory::at(uint64_t address, uint64_t n) {
	address &= ~kSharedWindow;
	for (auto &v : variables_) {
		uint64_t off = address - v.address;
		if (address >= v.address && off <= v.size && n <= v.size - off) return bytes_.data() + address;
	}
	return nullptr;
}

std::string SharedMemory::describe(uint64_t address) const {
	address &= ~kSharedWindow;
	for (auto &v : variables_) {
		if (address >= v.address && address - v.address < v.size + 256)
			return std::to_string(address - v.address) + " bytes from the start of shared variable " + v.name + " of " + std::to_string(v.size) + " bytes";
	}
	return "offset " + std::to_string(address) + " of shared memory, inside no variable";
}

bool SharedMemory::touch(uint64_t address, uint64_t n, const Toucher &t, Toucher &earlier) {
	bool bad = false;
	address &= ~kSharedWindow;
	for (uint64_t a = address; a < address + n; a++) {
		Byte &b = shadow_[a];
		auto meets = [&](const Toucher &other) {
			if (!t.races(other) || (t.access == Access::Atomic && other.access == Access::Atomic)) return;
			bad = true;
			earlier = other;
		};
		meets(b.write);
		if (t.access == Access::Read) {
			if (b.read.epoch != t.epoch || b.read.thread == t.thread)
				b.read = t;
			else
				b.other = t;
			continue;
		}
		meets(b.read);
		meets(b.other);
		b.write = t;
	}
	return bad;
}

} // namespace sim
