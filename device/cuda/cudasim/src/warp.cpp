#include "warp.h"

#include <algorithm>

namespace sim {

static constexpr uint32_t kNever = ~0u;

static uint32_t bit(int lane) { return 1u << lane; }

std::string where(const Warp &w, const Ins &i, int lane) {
	const Launch &l = *w.runner->launch;
	uint32_t t = w.number * kLanes + lane;
	auto triple = [](uint32_t x, uint32_t y, uint32_t z) {
		return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
	};
	std::string text = size_t(i.line) <= l.module->lines.size() && i.line > 0 ? l.module->lines[i.line - 1] : "";
	text.erase(0, text.find_first_not_of(" \t"));
	std::replace(text.begin(), text.end(), '\t', ' ');
	return "kernel " + l.function->name + ", line " + std::to_string(i.line) + " `" + text + "`, block " +
	       triple(w.runner->block.x, w.runner->block.y, w.runner->block.z) + ", thread " +
	       triple(t % l.block.x, t / l.block.x % l.block.y, t / l.block.x / l.block.y);
}

void fault(const Warp &w, const Ins &i, int lane, int code, const std::string &text) {
	throw Fault{code, where(w, i, lane) + ": " + text};
}

void Warp::place(uint32_t lanes, uint32_t pc) {
	for (uint32_t m = lanes; m; m &= m - 1) frame->pc[__builtin_ctz(m)] = pc;
}

// special is the value of a register of specialNames in one lane.
static uint32_t special(const Warp &w, uint32_t which, int lane) {
	const Launch &l = *w.runner->launch;
	uint32_t t = w.number * kLanes + lane;
	auto axis = [&](Dim d) { return which % 3 == 0 ? d.x : which % 3 == 1 ? d.y : d.z; };
	switch (which < 12 ? which / 3 : which) {
	case 0: return axis({t % l.block.x, t / l.block.x % l.block.y, t / l.block.x / l.block.y});
	case 1: return axis(l.block);
	case 2: return axis(w.runner->block);
	case 3: return axis(l.grid);
	case 12: return lane;
	case 13: return w.number;
	case 14: return bit(lane);
	case 15: return bit(lane) - 1;
	case 16: return bit(lane) | (bit(lane) - 1);
	case 17: return ~(bit(lane) | (bit(lane) - 1));
	default: return ~(bit(lane) - 1);
	}
}

void Warp::fillSpecials(Frame &fr) {
	for (auto &s : fr.f->specials)
		for (int lane = 0; lane < kLanes; lane++) fr.registers[s.offset + lane] = special(*this, s.which, lane);
}

void Warp::push(Function *f, uint32_t lanes, const Ins *call) {
	auto &idle = idle_[f->id];
	Frame *fr;
	if (idle.empty()) {
		fr = new Frame;
		fr->f = f;
		fr->registers.resize(size_t(f->registers) * kLanes);
		fr->params.resize(size_t(f->frameBytes) * kLanes);
	} else {
		fr = idle.back().release();
		idle.pop_back();
	}
	if (uint64_t now = runner->memory.generation; fr->generation != now) {
		fr->hits.assign(f->accesses, Hit{});
		fr->generation = now;
	}
	fr->live = fr->entered = lanes;
	fr->parked = 0;
	fr->call = call;
	fillSpecials(*fr);
	if (call) {
		for (uint32_t m = lanes; m; m &= m - 1) {
			int lane = __builtin_ctz(m);
			for (size_t i = 0; i < f->params.size(); i++)
				std::memcpy(fr->param(lane) + f->params[i].address, frame->param(lane) + call->call->arguments[i], f->params[i].size);
		}
	}
	stack.push_back(fr);
	frame = fr;
	base[0] = fr->registers.data();
	place(lanes, 0);
}

// pop leaves a function that all threads returned from; true: it was the kernel.
bool Warp::pop() {
	Frame *fr = stack.back();
	stack.pop_back();
	idle_[fr->f->id].emplace_back(fr);
	if (stack.empty()) return true;
	frame = stack.back();
	base[0] = frame->registers.data();
	for (uint32_t m = fr->entered; m; m &= m - 1) {
		int lane = __builtin_ctz(m);
		for (size_t i = 0; i < fr->f->results.size(); i++)
			std::memcpy(frame->param(lane) + fr->call->call->results[i], fr->param(lane) + fr->f->results[i].address, fr->f->results[i].size);
	}
	return false;
}

void Warp::unwind() {
	for (Frame *fr : stack) delete fr;
	stack.clear();
}

void Warp::start(Runner &r, uint32_t warp, uint32_t lanes) {
	runner = &r;
	number = warp;
	epoch = 0;
	base[1] = r.launch->module->constants.data();
	unwind();
	if (idle_.size() > 64) idle_.clear();
	push(r.launch->function, lanes, nullptr);
}

Warp::State Warp::run() {
	for (;;) {
		uint32_t ready = frame->live & ~frame->parked;
		if (!frame->live) {
			if (pop()) return Done;
			continue;
		}
		if (!ready) return blocked();
		uint32_t pc = kNever, mask = 0, next = kNever;
		for (uint32_t m = ready; m; m &= m - 1) {
			int lane = __builtin_ctz(m);
			uint32_t at = frame->pc[lane];
			if (at == pc) {
				mask |= bit(lane);
			} else if (at < pc) {
				next = pc;
				pc = at;
				mask = bit(lane);
			} else {
				next = std::min(next, at);
			}
		}
		execute(pc, mask, next);
	}
}

uint32_t Warp::predicate(const Ins &i, uint32_t mask) const {
	if (!i.guarded) return mask;
	const uint64_t *p = in(i.guard);
	uint32_t yes = 0;
	for (int l = 0; l < kLanes; l++) yes |= uint32_t(p[l] & 1) << l;
	return mask & (i.negated ? ~yes : yes);
}

void Warp::execute(uint32_t pc, uint32_t mask, uint32_t next) {
	const Ins *code = frame->f->code.data();
	for (;;) {
		const Ins &i = code[pc];
		active = predicate(i, mask);
		runner->steps++;
		if (i.flow == Flow::Plain) {
			if (active) i.exec(*this, i);
			pc++;
		} else if (control(i, pc, mask)) {
			return;
		}
		if (pc >= next) return place(mask, pc);
	}
}

bool Warp::control(const Ins &i, uint32_t &pc, uint32_t mask) {
	if (runner->steps > runner->launch->maxSteps) fault(*this, i, __builtin_ctz(mask), kTimeout, "the block takes too many steps; is there a loop without end?");
	if (!active) {
		pc++;
		return false;
	}
	if (i.flow == Flow::Branch && active == mask) {
		pc = i.target;
		return false;
	}
	place(mask, pc + 1);
	switch (i.flow) {
	case Flow::Branch:
		place(active, i.target);
		break;
	case Flow::Table:
		each(*this, [&](int l) {
			uint32_t k = uint32_t(in(i.src[0])[l]);
			if (k >= i.table.size()) fault(*this, i, l, kIllegalInstruction, "jump " + std::to_string(k) + " is outside of its table");
			frame->pc[l] = i.table[k];
		});
		break;
	case Flow::Call:
		for (Frame *fr : stack)
			if (fr->f == i.call->callee) fault(*this, i, __builtin_ctz(active), kLaunchFailed, "recursion is not simulated");
		push(i.call->callee, active, &i);
		break;
	case Flow::Return:
		frame->live &= ~active;
		break;
	case Flow::Exit:
		for (Frame *fr : stack) fr->live &= ~active, fr->entered &= ~active;
		break;
	case Flow::Barrier:
		place(active, pc);
		frame->parked |= active;
		break;
	case Flow::Gather:
		gather(i, pc);
		break;
	default:
		fault(*this, i, __builtin_ctz(active), kLaunchFailed, "trap");
	}
	return true;
}

// gather lets lanes wait until all that the instruction names are there.
void Warp::gather(const Ins &i, uint32_t pc) {
	place(active, pc);
	for (uint32_t m = frame->parked; m; m &= m - 1)
		if (frame->pc[__builtin_ctz(m)] == pc) active |= m & -m;
	uint32_t need = uint32_t(in(i.src[i.srcs - 1])[__builtin_ctz(active)]);
	if (need & frame->live & ~active) {
		frame->parked |= active;
		return;
	}
	frame->parked &= ~active;
	i.exec(*this, i);
	place(active, pc + 1);
}

// blocked is reached when no thread of the warp can go on by itself.
Warp::State Warp::blocked() {
	int first = __builtin_ctz(frame->live);
	const Ins &i = frame->f->code[frame->pc[first]];
	bool together = frame->live == stack[0]->live || stack.size() == 1;
	for (uint32_t m = frame->live; m; m &= m - 1) together &= frame->pc[__builtin_ctz(m)] == frame->pc[first];
	if (!together) fault(*this, i, first, kLaunchFailed, "threads of a warp wait at different barriers");
	if (i.flow != Flow::Barrier) fault(*this, i, first, kLaunchFailed, "waits for threads of the warp that do not come");
	barrier = &i;
	frame->parked = 0;
	place(frame->live, frame->pc[first] + 1);
	return AtBarrier;
}

} // namespace sim
