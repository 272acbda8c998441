#include "memory.h"

#include <cstring>
#include <mutex>
#include <sstream>

#include "status.h"

namespace sim {

// Between two allocations lie at least this many bytes that are nobody's.
static constexpr uint64_t kGap = 4096;

uint64_t Memory::allocate(int device, uint64_t size, const std::string &name, bool readOnly) {
	std::unique_lock<std::shared_mutex> lock(mutex);
	Allocation a;
	a.size = size;
	a.host.reset(new (std::nothrow) uint8_t[size]);
	if (!a.host) return 0;
	// New memory of a GPU holds anything; this pattern is a NaN-free, odd number in every dtype.
	std::memset(a.host.get(), 0xA5, size);
	uint64_t &next = next_.try_emplace(device, uint64_t(device + 1) << 44).first->second;
	a.base = next;
	next = (next + size + kGap + 255) / 256 * 256;
	a.number = ++count_;
	a.device = device;
	a.readOnly = readOnly;
	a.name = name;
	used_[device] += size;
	uint64_t base = a.base;
	live_.emplace(base, std::move(a));
	return base;
}

bool Memory::release(uint64_t base, int device) {
	std::unique_lock<std::shared_mutex> lock(mutex);
	auto i = live_.find(base);
	if (i == live_.end() || i->second.device != device) return false;
	used_[device] -= i->second.size;
	freed_[base] = {i->second.size, i->second.number};
	live_.erase(i);
	generation++;
	return true;
}

void Memory::releaseDevice(int device) {
	std::vector<uint64_t> bases;
	{
		std::shared_lock<std::shared_mutex> lock(mutex);
		for (auto &[base, a] : live_)
			if (a.device == device) bases.push_back(base);
	}
	for (uint64_t base : bases) release(base, device);
}

uint8_t *Memory::host(uint64_t address, uint64_t n, int device) const {
	auto i = live_.upper_bound(address);
	if (i == live_.begin()) return nullptr;
	const Allocation &a = (--i)->second;
	uint64_t off = address - a.base;
	if (a.device != device || off > a.size || n > a.size - off) return nullptr;
	return a.host.get() + off;
}

void Memory::find(uint64_t address, uint64_t width, int device, Hit &hit) const {
	if (!host(address, width, device)) throw Fault{kIllegalAddress, describe(address, width, device)};
	const Allocation &a = std::prev(live_.upper_bound(address))->second;
	hit = {a.base, a.size, a.host.get(), a.readOnly};
}

// describe says where an address lies: "16 bytes past the end of memory 3 (400 bytes)".
std::string Memory::describe(uint64_t address, uint64_t width, int device) const {
	std::ostringstream s;
	s << width << " bytes at 0x" << std::hex << address << std::dec << ", ";
	auto f = freed_.upper_bound(address);
	if (f != freed_.begin()) {
		auto p = std::prev(f);
		if (address < p->first + p->second.size) {
			s << "inside allocation " << p->second.number << " of " << p->second.size << " bytes, which is freed";
			return s.str();
		}
	}
	auto next = live_.upper_bound(address);
	if (next != live_.begin()) {
		const Allocation &a = std::prev(next)->second;
		uint64_t off = address - a.base;
		std::string which = a.name + ", allocation " + std::to_string(a.number) + " of " + std::to_string(a.size) + " bytes";
		if (off < a.size && a.device != device) {
			s << "in " << which << " of device " << a.device << ", not of " << device;
			return s.str();
		}
		if (off < a.size) {
			s << "over the end of " << which;
			return s.str();
		}
		if (off - a.size < (1 << 20)) {
			s << off - a.size << " bytes past the end of " << which;
			return s.str();
		}
	}
	if (next != live_.end() && next->first - address <= (1 << 20)) {
		s << next->first - address << " bytes before " << next->second.name << ", allocation " << next->second.number
		  << " of " << next->second.size << " bytes";
		return s.str();
	}
	s << (address < 4096 ? "a null pointer" : "near no allocation");
	return s.str();
}

uint64_t Memory::used(int device) const {
	auto i = used_.find(device);
	return i == used_.end() ? 0 : i->second;
}

std::vector<std::string> Memory::live(int device) const {
	std::vector<std::string> out;
	for (auto &[base, a] : live_)
		if (a.device == device && a.name == "memory")
			out.push_back("device memory: allocation " + std::to_string(a.number) + " of " + std::to_string(a.size) + " bytes");
	return out;
}

} // namespace sim
