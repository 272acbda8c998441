// Instructions in which the threads of a warp look at each other.
#include "warp.h"

namespace sim {

// shfl.sync: mode is the letter after "shfl.sync.". The source lane is computed
// as the PTX manual gives it.
void shuffle(Warp &w, const Ins &i) {
	uint64_t before[kLanes];
	std::memcpy(before, w.in(i.src[0]), sizeof before);
	const uint64_t *b = w.in(i.src[1]), *c = w.in(i.src[2]);
	each(w, [&](int lane) {
		int by = b[lane] & 31, segment = c[lane] >> 8 & 31, clamp = c[lane] & 31;
		int low = lane & segment, limit = low | (clamp & ~segment);
		int from = i.mode == 'u' ? lane - by : i.mode == 'd' ? lane + by : i.mode == 'b' ? lane ^ by : low | (by & ~segment);
		bool ok = i.mode == 'u' ? from >= limit : from <= limit;
		if (!ok) from = lane;
		if (!(w.active >> from & 1)) fault(w, i, lane, kLaunchFailed, "takes a value from lane " + std::to_string(from) + ", which is not there");
		w.out(i.dst[0])[lane] = before[from];
		if (i.dsts > 1) w.out(i.dst[1])[lane] = ok;
	});
}

// vote.sync: mode is the letter after "vote.sync.".
void vote(Warp &w, const Ins &i) {
	uint32_t yes = 0;
	each(w, [&](int l) { yes |= uint32_t((w.in(i.src[0])[l] & 1) != i.negateSource) << l; });
	uint64_t r = i.mode == 'b' ? yes : i.mode == 'a' ? (i.mode2 ? yes == w.active : yes != 0) : (yes == 0 || yes == w.active);
	each(w, [&](int l) { w.out(i.dst[0])[l] = r; });
}

void warpSync(Warp &w, const Ins &) { w.epoch++; }

} // namespace sim
