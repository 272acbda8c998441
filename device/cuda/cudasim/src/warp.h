// Runs a block of threads. 32 threads, a warp, execute an instruction
// together; where their ways part, those at the lowest instruction go first,
// so that they meet again. Warps run one after the other up to a barrier.
#pragma once
#include <cstring>
#include <functional>
#include <unordered_map>

#include "ptx.h"
#include "shared.h"
#include "status.h"

namespace sim {

struct Dim {
	uint32_t x = 1, y = 1, z = 1;
	uint64_t count() const { return uint64_t(x) * y * z; }
};

struct Launch {
	Module *module = nullptr;
	Function *function = nullptr;
	Dim grid, block;
	uint32_t dynamicShared = 0;
	std::vector<uint8_t> params;
	int device = 0;
	bool reverse = false;          // blocks and warps in descending order
	uint64_t maxSteps = 1ull << 33; // instructions of a block
};

struct Frame {
	Function *f = nullptr;
	std::vector<uint64_t> registers;
	std::vector<uint8_t> params; // of lane 0, lane 1, ...
	std::vector<Hit> hits;       // of each load and store
	uint64_t generation = 0;     // of the memory that hits speaks of
	uint32_t pc[kLanes];
	uint32_t live = 0, parked = 0, entered = 0; // masks of lanes
	const Ins *call = nullptr;                  // of the frame below
	uint8_t *param(int lane) { return params.data() + size_t(lane) * f->frameBytes; }
};

class Runner;

struct Warp {
	enum State { Ready, AtBarrier, Done };

	const uint64_t *base[2] = {};
	uint32_t active = 0; // lanes that perform the instruction
	Frame *frame = nullptr;
	Runner *runner = nullptr;
	uint32_t number = 0, epoch = 0; // in its block; counts bar.warp.sync
	const Ins *barrier = nullptr;   // where it waits, after AtBarrier
	std::vector<uint8_t> local;

	const uint64_t *in(Operand o) const { return base[o.constant] + o.offset; }
	uint64_t *out(Operand o) const { return const_cast<uint64_t *>(base[0]) + o.offset; }

	~Warp() { unwind(); }
	void start(Runner &r, uint32_t warp, uint32_t lanes);
	void unwind(); // leaves all functions, as after a fault
	State run();

	std::vector<Frame *> stack;

private:
	void execute(uint32_t pc, uint32_t mask, uint32_t next);
	bool control(const Ins &i, uint32_t &pc, uint32_t mask); // true: choose anew who runs
	uint32_t predicate(const Ins &i, uint32_t mask) const;
	void place(uint32_t lanes, uint32_t pc);
	void push(Function *f, uint32_t lanes, const Ins *call);
	bool pop();
	void gather(const Ins &i, uint32_t pc);
	State blocked();
	void fillSpecials(Frame &fr);

	std::unordered_map<uint64_t, std::vector<std::unique_ptr<Frame>>> idle_; // by Function::id
};

// A Runner executes launches, one at a time.
class Runner {
public:
	explicit Runner(Memory &memory) : memory(memory) {}
	void run(Launch &l); // throws Fault

	Memory &memory;
	Launch *launch = nullptr;
	Dim block;                 // which one runs
	SharedMemory shared;
	uint64_t steps = 0;

private:
	void runBlock();
	Warp *take();
	std::vector<std::unique_ptr<Warp>> warps_;
	std::vector<Warp *> free_;
};

// each calls f for every lane that performs an instruction.
template <class F>
inline void each(const Warp &w, F f) {
	if (w.active == ~0u) {
		for (int l = 0; l < kLanes; l++) f(l);
		return;
	}
	for (uint32_t m = w.active; m; m &= m - 1) f(__builtin_ctz(m));
}

template <class T>
inline T get(uint64_t bits) {
	T v;
	std::memcpy(&v, &bits, sizeof v);
	return v;
}

template <class T>
inline uint64_t put(T v) {
	uint64_t bits = 0;
	std::memcpy(&bits, &v, sizeof v);
	return bits;
}

// fault ends the kernel: what thread l did in instruction i.
[[noreturn]] void fault(const Warp &w, const Ins &i, int lane, int code, const std::string &text);
std::string where(const Warp &w, const Ins &i, int lane);

struct Plain {
	Exec exec;
	int sources;
};
using Table = std::unordered_map<std::string, Plain>;

// The instructions with one result and no effect, by name.
void addIntegers(Table &t);
void addFloats(Table &t);

// Those that decode.cpp takes apart.
Exec compare(const std::string &type);      // setp
Exec convert(Ins &i, const std::vector<std::string> &name); // cvt; null: none
Exec load(const Ins &i);
Exec store(const Ins &i);
Exec atomic(const std::string &op, const std::string &type, bool result);
void shuffle(Warp &w, const Ins &i);
void vote(Warp &w, const Ins &i);
void warpSync(Warp &w, const Ins &i);
void moveVector(Warp &w, const Ins &i); // mov.b64 {a, b}, c and back

} // namespace sim
