// Instructions on integers and predicates. Arithmetic wraps (-fwrapv).
#include <type_traits>

#include "warp.h"

namespace sim {

template <class T>
constexpr unsigned bits = sizeof(T) * 8;

template <class R, class T, class Op>
static void unary(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) { d[l] = put<R>(Op::of(get<T>(a[l]))); });
}

template <class R, class T, class U, class Op>
static void binary(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]), *b = w.in(i.src[1]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) { d[l] = put<R>(Op::of(get<T>(a[l]), get<U>(b[l]))); });
}

template <class R, class T, class U, class Op>
static void ternary(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]), *b = w.in(i.src[1]), *c = w.in(i.src[2]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) { d[l] = put<R>(Op::of(get<T>(a[l]), get<T>(b[l]), get<U>(c[l]))); });
}

#define UNARY(name, expr) \
	struct name { \
		template <class T> static T of(T a) { return expr; } \
	};
#define BINARY(name, expr) \
	struct name { \
		template <class T, class U> static T of(T a, U b) { return expr; } \
	};

UNARY(Same, a)
UNARY(Not, ~a)
UNARY(Cnot, a == 0)
UNARY(Neg, T(0) - a)
UNARY(Abs, a < 0 ? T(0) - a : a)
BINARY(Add, a + b)
BINARY(Sub, a - b)
BINARY(And, a &b)
BINARY(Or, a | b)
BINARY(Xor, a ^ b)
BINARY(Min, b < a ? b : a)
BINARY(Max, a < b ? b : a)
BINARY(Shl, b >= bits<T> ? T(0) : T(a << b))
BINARY(Shr, b >= bits<T> ? T(a < 0 ? -1 : 0) : T(a >> b))

struct Mul {
	template <class T> static T of(T a, T b) { return T(int64_t(a) * int64_t(b)); }
};

// What hardware answers to a division by zero is not defined; it does not trap.
struct Div {
	template <class T> static T of(T a, T b) { return b == 0 ? T(-1) : T(b + 1) == 0 && std::is_signed_v<T> ? T(0) - a : a / b; }
};
struct Rem {
	template <class T> static T of(T a, T b) { return b == 0 ? a : T(b + 1) == 0 && std::is_signed_v<T> ? T(0) : a % b; }
};

struct MulHi {
	template <class T> static T of(T a, T b) {
		using W = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
		return T((W(a) * W(b)) >> bits<T>);
	}
};

template <class T>
using Wide = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
                                std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
struct MulWide {
	template <class T> static Wide<T> of(T a, T b) { return Wide<T>(a) * Wide<T>(b); }
};

template <class Product>
struct Mad {
	template <class T, class U> static U of(T a, T b, U c) { return Product::of(a, b) + c; }
};

struct Sad {
	template <class T> static T of(T a, T b, T c) { return c + (a < b ? b - a : a - b); }
};
struct Select {
	template <class T> static T of(T a, T b, bool c) { return c ? a : b; }
};

struct Popc {
	template <class T> static uint32_t of(T a) { return __builtin_popcountll(a); }
};
struct Clz {
	template <class T> static uint32_t of(T a) { return a == 0 ? bits<T> : __builtin_clzll(a) - (64 - bits<T>); }
};
struct Reverse {
	template <class T> static T of(T a) {
		T r = 0;
		for (unsigned k = 0; k < bits<T>; k++) r |= T(a >> k & 1) << (bits<T> - 1 - k);
		return r;
	}
};
// The place of the highest bit that differs from the sign.
struct Find {
	template <class T> static uint32_t of(T a) {
		uint64_t v = uint64_t(int64_t(a < 0 ? T(~a) : a)) & (~0ull >> (64 - bits<T>));
		return v == 0 ? ~0u : 63 - __builtin_clzll(v);
	}
};

// How far to shift it left to the top.
struct FindShift {
	template <class T> static uint32_t of(T a) {
		uint32_t at = Find::of(a);
		return at == ~0u ? at : bits<T> - 1 - at;
	}
};

template <class T>
static void bfe(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]), *b = w.in(i.src[1]), *c = w.in(i.src[2]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) {
		unsigned pos = b[l] & 0xff, len = c[l] & 0xff, top = bits<T> - 1;
		T v = get<T>(a[l]);
		bool sign = std::is_signed_v<T> && len > 0 && (uint64_t(v) >> std::min(pos + len - 1, top) & 1);
		T r = sign ? T(-1) : T(0);
		for (unsigned k = 0; k < len && pos + k <= top && k <= top; k++) {
			T one = T(1) << k;
			r = (uint64_t(v) >> (pos + k) & 1) ? T(r | one) : T(r & ~one);
		}
		d[l] = put<T>(r);
	});
}

template <class T>
static void bfi(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]), *b = w.in(i.src[1]), *c = w.in(i.src[2]), *n = w.in(i.src[3]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) {
		unsigned pos = c[l] & 0xff, len = n[l] & 0xff;
		T from = get<T>(a[l]), r = get<T>(b[l]);
		for (unsigned k = 0; k < len && pos + k < bits<T>; k++) {
			T one = T(1) << (pos + k);
			r = (from >> k & 1) ? (r | one) : (r & ~one);
		}
		d[l] = put<T>(r);
	});
}

static void prmt(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]), *b = w.in(i.src[1]), *c = w.in(i.src[2]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) {
		uint64_t pool = (a[l] & 0xffffffff) | b[l] << 32;
		uint32_t r = 0;
		for (int k = 0; k < 4; k++) {
			unsigned s = c[l] >> (4 * k) & 15;
			uint8_t byte = pool >> (8 * (s & 7));
			if (s & 8) byte = int8_t(byte) < 0 ? 0xff : 0;
			r |= uint32_t(byte) << (8 * k);
		}
		d[l] = r;
	});
}

template <bool left, bool clamp>
static void shf(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]), *b = w.in(i.src[1]), *c = w.in(i.src[2]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) {
		uint64_t v = (a[l] & 0xffffffff) | b[l] << 32;
		uint32_t n = clamp ? std::min<uint32_t>(c[l], 32) : uint32_t(c[l]) & 31;
		d[l] = uint32_t(left ? (v << n) >> 32 : v >> n);
	});
}

static void lop3(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]), *b = w.in(i.src[1]), *c = w.in(i.src[2]), *t = w.in(i.src[3]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) {
		uint32_t r = 0;
		for (int k = 0; k < 8; k++)
			if (t[l] >> k & 1) r |= (k & 4 ? a[l] : ~a[l]) & (k & 2 ? b[l] : ~b[l]) & (k & 1 ? c[l] : ~c[l]);
		d[l] = r;
	});
}

static void predicateNot(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]);
	uint64_t *d = w.out(i.dst[0]);
	each(w, [=](int l) { d[l] = !(a[l] & 1); });
}

static void activeMask(Warp &w, const Ins &i) {
	uint64_t *d = w.out(i.dst[0]);
	each(w, [&](int l) { d[l] = w.active; });
}

// addMoves adds what looks at no more than the size of a type.
template <class T>
static void addMoves(Table &t, const std::string &type) {
	t["mov." + type] = {unary<T, T, Same>, 1};
	t["selp." + type] = {ternary<T, T, bool, Select>, 3};
}

template <class T>
static void addArithmetic(Table &t, const std::string &type) {
	addMoves<T>(t, type);
	t["add." + type] = {binary<T, T, T, Add>, 2};
	t["sub." + type] = {binary<T, T, T, Sub>, 2};
	t["mul.lo." + type] = {binary<T, T, T, Mul>, 2};
	t["mul.hi." + type] = {binary<T, T, T, MulHi>, 2};
	t["mad.lo." + type] = {ternary<T, T, T, Mad<Mul>>, 3};
	t["mad.hi." + type] = {ternary<T, T, T, Mad<MulHi>>, 3};
	t["div." + type] = {binary<T, T, T, Div>, 2};
	t["rem." + type] = {binary<T, T, T, Rem>, 2};
	t["min." + type] = {binary<T, T, T, Min>, 2};
	t["max." + type] = {binary<T, T, T, Max>, 2};
	t["sad." + type] = {ternary<T, T, T, Sad>, 3};
	t["shr." + type] = {binary<T, T, uint32_t, Shr>, 2};
	if constexpr (sizeof(T) < 8) {
		t["mul.wide." + type] = {binary<Wide<T>, T, T, MulWide>, 2};
		t["mad.wide." + type] = {ternary<Wide<T>, T, Wide<T>, Mad<MulWide>>, 3};
	}
	if constexpr (sizeof(T) > 2) {
		t["bfe." + type] = {bfe<T>, 3};
		t["bfind." + type] = {unary<uint32_t, T, Find>, 1};
		t["bfind.shiftamt." + type] = {unary<uint32_t, T, FindShift>, 1};
	}
	if constexpr (std::is_signed_v<T>) {
		t["abs." + type] = {unary<T, T, Abs>, 1};
		t["neg." + type] = {unary<T, T, Neg>, 1};
	}
}

template <class T>
static void addLogic(Table &t, const std::string &type) {
	addMoves<T>(t, type);
	t["and." + type] = {binary<T, T, T, And>, 2};
	t["or." + type] = {binary<T, T, T, Or>, 2};
	t["xor." + type] = {binary<T, T, T, Xor>, 2};
	t["not." + type] = {unary<T, T, Not>, 1};
	t["cnot." + type] = {unary<T, T, Cnot>, 1};
	t["shl." + type] = {binary<T, T, uint32_t, Shl>, 2};
	t["shr." + type] = {binary<T, T, uint32_t, Shr>, 2};
	if constexpr (sizeof(T) > 2) {
		t["popc." + type] = {unary<uint32_t, T, Popc>, 1};
		t["clz." + type] = {unary<uint32_t, T, Clz>, 1};
		t["brev." + type] = {unary<T, T, Reverse>, 1};
		t["bfi." + type] = {bfi<T>, 4};
	}
}

void addIntegers(Table &t) {
	addArithmetic<uint16_t>(t, "u16");
	addArithmetic<int16_t>(t, "s16");
	addArithmetic<uint32_t>(t, "u32");
	addArithmetic<int32_t>(t, "s32");
	addArithmetic<uint64_t>(t, "u64");
	addArithmetic<int64_t>(t, "s64");
	addLogic<uint16_t>(t, "b16");
	addLogic<uint32_t>(t, "b32");
	addLogic<uint64_t>(t, "b64");
	addMoves<uint32_t>(t, "f32");
	addMoves<uint64_t>(t, "f64");
	addMoves<uint8_t>(t, "pred");
	t["and.pred"] = {binary<uint8_t, uint8_t, uint8_t, And>, 2};
	t["or.pred"] = {binary<uint8_t, uint8_t, uint8_t, Or>, 2};
	t["xor.pred"] = {binary<uint8_t, uint8_t, uint8_t, Xor>, 2};
	t["not.pred"] = {predicateNot, 1};
	t["prmt.b32"] = {prmt, 3};
	t["lop3.b32"] = {lop3, 4};
	t["shf.l.wrap.b32"] = {shf<true, false>, 3};
	t["shf.l.clamp.b32"] = {shf<true, true>, 3};
	t["shf.r.wrap.b32"] = {shf<false, false>, 3};
	t["shf.r.clamp.b32"] = {shf<false, true>, 3};
	t["activemask.b32"] = {activeMask, 0};
}

} // namespace sim
