#include <mutex>

#include "warp.h"

namespace sim {

void Runner::run(Launch &l) {
	launch = &l;
	shared.begin(*l.module, *l.function, l.dynamicShared);
	uint64_t n = l.grid.count();
	for (uint64_t k = 0; k < n; k++) {
		uint64_t b = l.reverse ? n - 1 - k : k;
		block = {uint32_t(b % l.grid.x), uint32_t(b / l.grid.x % l.grid.y), uint32_t(b / l.grid.x / l.grid.y)};
		steps = 0;
		std::shared_lock<std::shared_mutex> lock(memory.mutex);
		runBlock();
	}
}

Warp *Runner::take() {
	if (free_.empty()) {
		warps_.push_back(std::make_unique<Warp>());
		return warps_.back().get();
	}
	Warp *w = free_.back();
	free_.pop_back();
	return w;
}

void Runner::runBlock() {
	shared.reset();
	free_.clear();
	for (auto &w : warps_) free_.push_back(w.get());
	uint64_t threads = launch->block.count();
	size_t n = (threads + kLanes - 1) / kLanes;
	std::vector<Warp *> running(n, nullptr);
	std::vector<bool> done(n, false);
	for (size_t left = n; left;) {
		const Warp *waiting = nullptr;
		for (size_t k = 0; k < n; k++) {
			size_t i = launch->reverse ? n - 1 - k : k;
			if (done[i]) continue;
			if (!running[i]) {
				uint64_t lanes = std::min<uint64_t>(threads - i * kLanes, kLanes);
				running[i] = take();
				running[i]->start(*this, i, lanes == kLanes ? ~0u : (1u << lanes) - 1);
			}
			if (running[i]->run() != Warp::Done) {
				Warp *w = running[i];
				if (waiting && waiting->barrier->mode != w->barrier->mode)
					fault(*w, *w->barrier, 0, kLaunchFailed, "warps wait at barriers of different numbers");
				waiting = w;
				continue;
			}
			done[i] = true;
			left--;
			free_.push_back(running[i]);
		}
		shared.barrier();
	}
}

} // namespace sim
