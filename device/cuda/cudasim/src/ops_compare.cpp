// setp: comparisons, alone or combined with a predicate.
#include <cmath>
#include <type_traits>

#include "compare.h"
#include "warp.h"

namespace sim {

bool comparison(const std::string &name, uint8_t &mode) {
	static const char *names[] = {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan", "lo", "ls", "hi", "hs"};
	for (uint8_t k = 0; k < 18; k++)
		if (name == names[k]) return mode = k, true;
	return false;
}

template <class T>
static bool holds(uint8_t mode, T a, T b) {
	bool nan = a != a || b != b;
	switch (mode) {
	case kEq: return a == b;
	case kNe: return a != b && !nan;
	case kLt: case kLo: return a < b;
	case kLe: case kLs: return a <= b;
	case kGt: case kHi: return a > b;
	case kGe: case kHs: return a >= b;
	case kEqu: return a == b || nan;
	case kNeu: return a != b;
	case kLtu: return a < b || nan;
	case kLeu: return a <= b || nan;
	case kGtu: return a > b || nan;
	case kGeu: return a >= b || nan;
	case kNum: return !nan;
	default: return nan;
	}
}

static bool combine(uint8_t mode, bool a, bool b) { return mode == kAnd ? a && b : mode == kOr ? a || b : mode == kXor ? a != b : a; }

template <class T>
static void run(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]), *b = w.in(i.src[1]), *c = i.mode2 ? w.in(i.src[2]) : a;
	uint64_t *p = w.out(i.dst[0]), *q = i.dsts > 1 ? w.out(i.dst[1]) : nullptr;
	each(w, [=, &i](int l) {
		bool yes = holds(i.mode, get<T>(a[l]), get<T>(b[l])), with = (c[l] & 1) != i.negateSource;
		p[l] = combine(i.mode2, yes, with);
		if (q) q[l] = combine(i.mode2, !yes, with);
	});
}

Exec compare(const std::string &type) {
	if (type == "u16" || type == "b16") return run<uint16_t>;
	if (type == "s16") return run<int16_t>;
	if (type == "u32" || type == "b32") return run<uint32_t>;
	if (type == "s32") return run<int32_t>;
	if (type == "u64" || type == "b64") return run<uint64_t>;
	if (type == "s64") return run<int64_t>;
	if (type == "f32") return run<float>;
	if (type == "f64") return run<double>;
	return nullptr;
}

} // namespace sim
