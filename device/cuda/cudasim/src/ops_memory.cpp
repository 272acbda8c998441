// Loads, stores and atomics. Every access is checked.
#include <cmath>
#include <mutex>

#include "warp.h"

namespace sim {

static const char *noun(Access a) { return a == Access::Read ? "read" : a == Access::Write ? "write" : "atomic access"; }

static uint8_t *inGlobal(Warp &w, const Ins &i, int lane, uint64_t address, uint64_t n, Access access) {
	Hit &hit = w.frame->hits[i.hit];
	try {
		w.runner->memory.find(address, n, w.runner->launch->device, hit);
	} catch (const Fault &f) {
		fault(w, i, lane, f.code, std::string(noun(access)) + " of " + f.text);
	}
	if (hit.readOnly && access != Access::Read) fault(w, i, lane, kIllegalAddress, "write to a constant");
	return hit.host + (address - hit.base);
}

static uint8_t *inShared(Warp &w, const Ins &i, int lane, uint64_t address, uint64_t n, Access access) {
	SharedMemory &s = w.runner->shared;
	uint8_t *p = s.at(address, n);
	if (!p) fault(w, i, lane, kIllegalAddress, std::string(noun(access)) + " of " + std::to_string(n) + " bytes, " + s.describe(address));
	Toucher t{w.number * kLanes + lane, uint32_t(i.line), s.epoch(), w.epoch, access};
	Toucher other;
	if (s.touch(address, n, t, other))
		fault(w, i, lane, kLaunchFailed,
		      "data race: " + std::string(noun(access)) + " of " + s.name(address & ~kSharedWindow) + ", after a " + noun(other.access) + " by thread number " +
		          std::to_string(other.thread) + " of the block on line " + std::to_string(other.line) + " with no barrier between");
	return p;
}

static uint8_t *inLocal(Warp &w, const Ins &i, int lane, uint64_t address, uint64_t n, Access access) {
	uint64_t off = address & ~kLocalWindow, size = w.runner->launch->module->localBytes;
	if (w.local.size() < size * kLanes) w.local.resize(size * kLanes, 0xA5);
	for (Frame *fr : w.stack)
		for (auto &v : fr->f->locals)
			if (off >= v.address && off - v.address < v.size && n <= v.size - (off - v.address)) return w.local.data() + size * lane + off;
	fault(w, i, lane, kIllegalAddress, std::string(noun(access)) + " of " + std::to_string(n) + " bytes of local memory at offset " + std::to_string(off) + ", inside no live variable");
}

static uint8_t *search(Warp &w, const Ins &i, int lane, uint64_t address, Access access) {
	uint64_t n = uint64_t(i.width) * i.count;
	if (address % n) fault(w, i, lane, kMisalignedAddress, "misaligned " + std::string(noun(access)) + " of " + std::to_string(n) + " bytes at offset " + std::to_string(address % n) + " from a multiple of its size");
	Space space = i.space;
	if (space == Space::Generic) space = address & kSharedWindow ? Space::Shared : address & kLocalWindow ? Space::Local : Space::Global;
	switch (space) {
	case Space::Shared: return inShared(w, i, lane, address, n, access);
	case Space::Local: return inLocal(w, i, lane, address, n, access);
	case Space::FrameParam: return w.frame->param(lane) + address;
	case Space::KernelParam: {
		auto &params = w.runner->launch->params;
		if (n > params.size() || address > params.size() - n) fault(w, i, lane, kIllegalAddress, std::string(noun(access)) + " of " + std::to_string(n) + " bytes at offset " + std::to_string(address) + " of the parameters, which have " + std::to_string(params.size()));
		return params.data() + address;
	}
	default: return inGlobal(w, i, lane, address, n, access);
	}
}

// place returns where an access lies: mostly where the last one of this
// instruction did, else it searches, and faults when it finds nothing.
static inline uint8_t *place(Warp &w, const Ins &i, int lane, uint64_t address, Access access) {
	uint64_t n = uint64_t(i.width) * i.count;
	address += i.offset;
	const Hit &hit = w.frame->hits[i.hit];
	uint64_t off = address - hit.base;
	if (off < hit.size && n <= hit.size - off && (address & (n - 1)) == 0 && !hit.readOnly) return hit.host + off;
	return search(w, i, lane, address, access);
}

template <class T>
static void loadOf(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]);
	each(w, [&](int l) {
		const uint8_t *p = place(w, i, l, a[l], Access::Read);
		for (int k = 0; k < i.count; k++) {
			T v;
			std::memcpy(&v, p + k * sizeof(T), sizeof v);
			w.out(i.dst[k])[l] = uint64_t(int64_t(v)); // a wider register is filled with the sign
		}
	});
}

template <class T>
static void storeOf(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]);
	each(w, [&](int l) {
		uint8_t *p = place(w, i, l, a[l], Access::Write);
		for (int k = 0; k < i.count; k++) std::memcpy(p + k * sizeof(T), &w.in(i.src[1 + k])[l], sizeof(T));
	});
}

Exec load(const Ins &i) {
	switch (i.width) {
	case 1: return i.isSigned ? loadOf<int8_t> : loadOf<uint8_t>;
	case 2: return i.isSigned ? loadOf<int16_t> : loadOf<uint16_t>;
	case 4: return i.isSigned ? loadOf<int32_t> : loadOf<uint32_t>;
	default: return loadOf<uint64_t>;
	}
}

Exec store(const Ins &i) {
	switch (i.width) {
	case 1: return storeOf<uint8_t>;
	case 2: return storeOf<uint16_t>;
	case 4: return storeOf<uint32_t>;
	default: return storeOf<uint64_t>;
	}
}

// One atomic at a time, whatever stream it is on.
static std::mutex atomics;

template <class T, class Op>
static void atomicOf(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]), *b = w.in(i.src[1]), *c = i.srcs > 2 ? w.in(i.src[2]) : b;
	each(w, [&](int l) {
		uint8_t *p = place(w, i, l, a[l], Access::Atomic);
		std::lock_guard<std::mutex> lock(atomics);
		T old;
		std::memcpy(&old, p, sizeof old);
		T now = Op::of(old, get<T>(b[l]), get<T>(c[l]));
		std::memcpy(p, &now, sizeof now);
		if (i.dsts) w.out(i.dst[0])[l] = put<T>(old);
	});
}

#define ATOMIC(name, expr) \
	struct name { \
		template <class T> static T of(T old, T b, T c) { return (void)c, expr; } \
	};
ATOMIC(Add, old + b)
ATOMIC(Min, b < old ? b : old)
ATOMIC(Max, old < b ? b : old)
ATOMIC(Inc, old >= b ? T(0) : T(old + 1))
ATOMIC(Dec, old == 0 || old > b ? b : T(old - 1))
ATOMIC(Exchange, ((void)old, b))
ATOMIC(Cas, old == b ? c : old)
ATOMIC(And, old &b)
ATOMIC(Or, old | b)
ATOMIC(Xor, old ^ b)

template <class T>
static void addBits(std::unordered_map<std::string, Exec> &t, const std::string &type) {
	t["and." + type] = atomicOf<T, And>;
	t["or." + type] = atomicOf<T, Or>;
	t["xor." + type] = atomicOf<T, Xor>;
	t["exch." + type] = atomicOf<T, Exchange>;
	t["cas." + type] = atomicOf<T, Cas>;
}

template <class T>
static void addOrder(std::unordered_map<std::string, Exec> &t, const std::string &type) {
	t["add." + type] = atomicOf<T, Add>;
	t["min." + type] = atomicOf<T, Min>;
	t["max." + type] = atomicOf<T, Max>;
}

Exec atomic(const std::string &op, const std::string &type, bool result) {
	static const auto table = [] {
		std::unordered_map<std::string, Exec> t;
		addBits<uint32_t>(t, "b32");
		addBits<uint64_t>(t, "b64");
		addBits<uint16_t>(t, "b16");
		addOrder<uint32_t>(t, "u32");
		addOrder<int32_t>(t, "s32");
		addOrder<uint64_t>(t, "u64");
		addOrder<int64_t>(t, "s64");
		t["inc.u32"] = atomicOf<uint32_t, Inc>;
		t["dec.u32"] = atomicOf<uint32_t, Dec>;
		t["add.f32"] = atomicOf<float, Add>;
		t["add.f64"] = atomicOf<double, Add>;
		return t;
	}();
	if (!result && (op == "cas" || op == "exch")) return nullptr;
	auto i = table.find(op + "." + type);
	return i == table.end() ? nullptr : i->second;
}

void moveVector(Warp &w, const Ins &i) {
	uint64_t mask = i.width == 8 ? ~0ull : (1ull << (8 * i.width)) - 1;
	each(w, [&](int l) {
		if (i.dsts > 1) {
			uint64_t v = w.in(i.src[0])[l];
			for (int k = 0; k < i.dsts; k++) w.out(i.dst[k])[l] = v >> (8 * i.width * k) & mask;
			return;
		}
		uint64_t v = 0;
		for (int k = 0; k < i.srcs; k++) v |= (w.in(i.src[k])[l] & mask) << (8 * i.width * k);
		w.out(i.dst[0])[l] = v;
	});
}

} // namespace sim
