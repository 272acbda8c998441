// cvt: between all types, with every rounding that NVRTC writes.
#include <cmath>

#include "warp.h"

namespace sim {

enum Round : uint8_t { None, Nearest, Zero, Down, Up };

// halfOf rounds to float16, to the nearest, ties to even. The exponent of a
// double has room for every step in between.
static uint16_t halfOf(double v) {
	uint16_t sign = std::signbit(v) ? 0x8000 : 0;
	v = std::fabs(v);
	if (v != v) return 0x7fff;
	if (v >= 65520) return sign | 0x7c00; // half way to 65536 and above
	if (v < 0x1p-14) return sign | uint16_t(std::nearbyint(v * 0x1p24)); // subnormal, or the least normal number
	int e;
	double m = std::frexp(v, &e); // in [1/2, 1)
	return sign | uint16_t(((e + 14) << 10) + (int(std::nearbyint(m * 2048)) - 1024)); // a carry goes into the exponent
}

static float floatOf(uint16_t h) {
	int e = h >> 10 & 31, m = h & 1023;
	float v = e == 31 ? (m ? get<float>(0x7fffffff) : INFINITY) : e == 0 ? m * 0x1p-24f : std::ldexp(float(1024 + m), e - 25);
	return h & 0x8000 && v == v ? -v : v;
}

template <class T>
static T integral(T v, uint8_t round) {
	switch (round) {
	case Nearest: return std::nearbyint(v);
	case Zero: return std::trunc(v);
	case Down: return std::floor(v);
	case Up: return std::ceil(v);
	}
	return v;
}

// read gives an operand as the type it is computed in.
template <class S>
static S read(uint64_t bits) { return get<S>(bits); }

struct Half {
	uint16_t bits;
};

// A NaN becomes 0 or, when either side has 64 bits, the top bit alone.
template <class D>
static D integerOf(double v, bool wide) {
	constexpr double low = std::is_signed_v<D> ? -double(1ull << (sizeof(D) * 8 - 1)) : 0;
	constexpr double above = (std::is_signed_v<D> ? 1.0 : 2.0) * double(1ull << (sizeof(D) * 8 - 1));
	if (v != v) return wide ? D(1ull << (sizeof(D) * 8 - 1)) : D(0);
	if (v < low) return D(low);
	if (v >= above) return std::numeric_limits<D>::max();
	return D(v);
}

template <class D, class S>
static void run(Warp &w, const Ins &i) {
	const uint64_t *a = w.in(i.src[0]);
	uint64_t *d = w.out(i.dst[0]);
	uint8_t round = i.mode;
	bool sat = i.mode2;
	each(w, [=](int l) {
		constexpr bool toFloat = std::is_floating_point_v<D>, fromHalf = std::is_same_v<S, Half>, toHalf = std::is_same_v<D, Half>;
		if constexpr (std::is_integral_v<S> && std::is_integral_v<D>) {
			__int128 v = get<S>(a[l]);
			if (sat) v = std::min<__int128>(std::max<__int128>(v, std::numeric_limits<D>::min()), std::numeric_limits<D>::max());
			d[l] = uint64_t(int64_t(D(v))); // the sign fills a wider register
		} else {
			using F = std::conditional_t<fromHalf, float, S>;
			F v;
			if constexpr (fromHalf)
				v = floatOf(get<uint16_t>(a[l]));
			else
				v = get<S>(a[l]);
			if constexpr (toHalf) {
				d[l] = halfOf(fromHalf ? double(integral(v, round)) : double(v));
			} else if constexpr (toFloat) {
				D r = D(v);
				if constexpr (std::is_same_v<F, D> || sizeof(F) < sizeof(D))
					if constexpr (!std::is_integral_v<F>) r = integral(r, round);
				if (sat) r = r > 0 ? std::min<D>(r, 1) : D(0); // a NaN becomes 0
				if (sizeof(D) == 4 && r != r) r = get<float>(0x7fffffff);
				d[l] = put<D>(r);
			} else {
				constexpr bool wide = sizeof(F) == 8 || sizeof(D) == 8;
				d[l] = uint64_t(int64_t(integerOf<D>(integral(double(v), round), wide)));
			}
		}
	});
}

template <class D>
static Exec from(const std::string &s) {
	if (s == "u8" || s == "b8") return run<D, uint8_t>;
	if (s == "s8") return run<D, int8_t>;
	if (s == "u16") return run<D, uint16_t>;
	if (s == "s16") return run<D, int16_t>;
	if (s == "u32") return run<D, uint32_t>;
	if (s == "s32") return run<D, int32_t>;
	if (s == "u64") return run<D, uint64_t>;
	if (s == "s64") return run<D, int64_t>;
	if (s == "f16") return run<D, Half>;
	if (s == "f32") return run<D, float>;
	if (s == "f64") return run<D, double>;
	return nullptr;
}

static Exec pick(const std::string &d, const std::string &s) {
	if (d == "u8") return from<uint8_t>(s);
	if (d == "s8") return from<int8_t>(s);
	if (d == "u16") return from<uint16_t>(s);
	if (d == "s16") return from<int16_t>(s);
	if (d == "u32") return from<uint32_t>(s);
	if (d == "s32") return from<int32_t>(s);
	if (d == "u64") return from<uint64_t>(s);
	if (d == "s64") return from<int64_t>(s);
	if (d == "f16") return from<Half>(s);
	if (d == "f32") return from<float>(s);
	if (d == "f64") return from<double>(s);
	return nullptr;
}

Exec convert(Ins &i, const std::vector<std::string> &name) {
	if (name.size() < 3) return nullptr;
	const std::string &d = name[name.size() - 2], &s = name.back();
	bool rounded = false;
	for (size_t k = 1; k + 2 < name.size(); k++) {
		const std::string &m = name[k];
		if (m == "rni") i.mode = Nearest;
		else if (m == "rzi") i.mode = Zero;
		else if (m == "rmi") i.mode = Down;
		else if (m == "rpi") i.mode = Up;
		else if (m == "rn") rounded = true;
		else if (m == "sat") i.mode2 = 1;
		else return nullptr;
	}
	bool narrows = d[0] == 'f' && (s[0] != 'f' || typeBytes(d) < typeBytes(s));
	bool toInteger = d[0] != 'f' && s[0] == 'f';
	if (rounded != narrows || (toInteger && i.mode == None) || (narrows && i.mode != None)) return nullptr;
	if (d == "f16" && s[0] != 'f') return nullptr;
	return pick(d, s);
}

} // namespace sim
