// Instructions on floats. They round to the nearest, keep subnormal numbers
// and never contract (-ffp-contract=off). A NaN that a float32 instruction
// makes is 0x7fffffff, as on a GPU; float64 keeps the payload of its operand.
#include <cmath>

#include "warp.h"

namespace sim {

static float canonical(float v) { return v != v ? get<float>(0x7fffffff) : v; }
static double canonical(double v) { return v; }

template <class T>
static T anyNaN() {
	return sizeof(T) == 4 ? get<T>(0x7fffffff) : get<T>(0x7fffffffffffffff);
}

template <class T, class Op>
static void unary(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) { d[l] = put<T>(Op::of(get<T>(a[l]))); });
}

template <class T, class Op>
static void binary(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]), *b = w.in(i.src[1]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) { d[l] = put<T>(Op::of(get<T>(a[l]), get<T>(b[l]))); });
}

template <class T>
static void fma(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]), *b = w.in(i.src[1]), *c = w.in(i.src[2]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) { d[l] = put<T>(canonical(std::fma(get<T>(a[l]), get<T>(b[l]), get<T>(c[l])))); });
}

#define FLOAT1(name, expr) \
	struct name { \
		template <class T> static T of(T a) { return expr; } \
	};
#define FLOAT2(name, expr) \
	struct name { \
		template <class T> static T of(T a, T b) { return expr; } \
	};

FLOAT1(Sqrt, canonical(std::sqrt(a)))
FLOAT1(Rcp, canonical(T(1) / a))
FLOAT1(Neg, -a)
FLOAT1(Abs, std::fabs(a))
FLOAT2(Add, canonical(a + b))
FLOAT2(Sub, canonical(a - b))
FLOAT2(Mul, canonical(a *b))
FLOAT2(Div, canonical(a / b))
FLOAT2(CopySign, std::copysign(b, a)) // the sign of the first operand

// -0 is less than +0; a NaN loses to a number.
template <bool less, bool nan>
struct Extreme {
	template <class T> static T of(T a, T b) {
		if (a != a || b != b) return nan || (a != a && b != b) ? anyNaN<T>() : a != a ? b : a;
		if (a == b) return (std::signbit(a) != 0) == less ? a : b;
		return (a < b) == less ? a : b;
	}
};

enum Kind { Finite, Infinite, Number, NotANumber, Normal, Subnormal };

template <class T, Kind kind>
static void test(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) {
		T v = get<T>(a[l]);
		int c = std::fpclassify(v);
		d[l] = kind == Finite ? std::isfinite(v) : kind == Infinite ? c == FP_INFINITE : kind == Number ? c != FP_NAN : kind == NotANumber ? c == FP_NAN
		     : kind == Normal ? c == FP_NORMAL : c == FP_SUBNORMAL;
	});
}

template <class T>
static void add(Table &t, const std::string &type) {
	for (std::string round : {"", ".rn"}) {
		t["add" + round + "." + type] = {binary<T, Add>, 2};
		t["sub" + round + "." + type] = {binary<T, Sub>, 2};
		t["mul" + round + "." + type] = {binary<T, Mul>, 2};
	}
	t["div.rn." + type] = {binary<T, Div>, 2};
	t["fma.rn." + type] = {fma<T>, 3};
	t["mad.rn." + type] = {fma<T>, 3};
	t["sqrt.rn." + type] = {unary<T, Sqrt>, 1};
	t["rcp.rn." + type] = {unary<T, Rcp>, 1};
	t["neg." + type] = {unary<T, Neg>, 1};
	t["abs." + type] = {unary<T, Abs>, 1};
	t["copysign." + type] = {binary<T, CopySign>, 2};
	t["min." + type] = {binary<T, Extreme<true, false>>, 2};
	t["max." + type] = {binary<T, Extreme<false, false>>, 2};
	t["testp.finite." + type] = {test<T, Finite>, 1};
	t["testp.infinite." + type] = {test<T, Infinite>, 1};
	t["testp.number." + type] = {test<T, Number>, 1};
	t["testp.notanumber." + type] = {test<T, NotANumber>, 1};
	t["testp.normal." + type] = {test<T, Normal>, 1};
	t["testp.subnormal." + type] = {test<T, Subnormal>, 1};
}

void addFloats(Table &t) {
	add<float>(t, "f32");
	add<double>(t, "f64");
	t["min.NaN.f32"] = {binary<float, Extreme<true, true>>, 2};
	t["max.NaN.f32"] = {binary<float, Extreme<false, true>>, 2};
}

} // namespace sim
