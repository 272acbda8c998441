// What a PTX module is after it was read: functions as lists of decoded
// instructions, each with the C++ function that performs it for a warp.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "memory.h"

namespace sim {

constexpr int kLanes = 32; // threads of a warp

struct Warp;
struct Ins;
using Exec = void (*)(Warp &, const Ins &);

// Where 32 values stand, one per lane: in the registers of the running
// function or among the constants of the module.
struct Operand {
	uint32_t constant = 0; // 1: a constant
	uint32_t offset = 0;   // in values
};

// What an instruction does to the order of execution.
enum class Flow : uint8_t { Plain, Branch, Table, Call, Return, Exit, Barrier, Gather, Trap };

enum class Space : uint8_t { Generic, Global, Const, Shared, Local, KernelParam, FrameParam };

struct Call {
	struct Function *callee = nullptr;
	std::vector<uint32_t> arguments, results; // offsets in the caller's parameter area
};

struct Ins {
	Exec exec = nullptr;
	Flow flow = Flow::Plain;
	bool guarded = false, negated = false; // @%p, @!%p
	Operand guard;
	Operand dst[4], src[5];
	uint8_t dsts = 0, srcs = 0;
	Space space = Space::Generic;
	uint8_t width = 0;   // bytes of one element of a load or store
	uint8_t count = 1;   // elements: 2 for .v2
	bool isSigned = false;
	bool negateSource = false; // the predicate that setp combines with
	uint8_t mode = 0, mode2 = 0; // comparison, rounding, table of lop3, ...
	int64_t offset = 0;  // added to an address
	uint32_t target = 0; // of a branch
	uint32_t hit = 0;    // of a load or store: which of its function, from 0
	int line = 0;        // in the PTX text
	std::vector<uint32_t> table; // of brx.idx
	std::shared_ptr<Call> call;
};

// A variable of a module or function.
struct Variable {
	std::string name;
	Space space = Space::Global;
	uint64_t size = 0, align = 1;
	uint64_t address = 0; // shared, local and parameters: an offset
	bool dynamic = false; // extern .shared x[]: its size comes with the launch
};

struct Special { // a register such as %tid.x that a function reads
	uint32_t which; // in specialNames
	uint32_t offset;
};

extern const char *const specialNames[19];

struct Function {
	std::string name;
	bool entry = false, defined = false;
	int line = 0;
	std::vector<Ins> code;
	std::vector<Variable> params, results;
	uint32_t paramBytes = 0; // of the parameter area; for an entry, of the launch
	uint32_t frameBytes = 0; // .param variables of the body
	uint32_t registers = 0, accesses = 0; // accesses: loads and stores
	uint64_t id = 0; // never that of another function
	uint32_t maxThreads = 1024; // .maxntid or .reqntid
	std::vector<Special> specials;
	std::vector<Variable> locals;
	std::vector<uint32_t> shared;     // indices into Module::shared that its code names
	std::vector<Function *> callees;
};

struct Module {
	int device = 0;
	std::string text;
	std::vector<std::string> lines;
	std::map<std::string, std::unique_ptr<Function>> functions;
	std::vector<Variable> shared;
	uint64_t sharedBytes = 256, localBytes = 256; // address 0 is no variable's
	std::map<std::string, Variable> globals; // .global and .const
	std::vector<uint64_t> allocations;       // that hold them
	std::vector<uint64_t> constants;         // 32 copies of each
	int version = 0, target = 0;             // 78 for .version 7.8, 70 for sm_70
};

// A PtxError says what of a module could not be read, and on which line.
struct PtxError {
	int line;
	std::string text;
};

// parse reads a module and lays out its variables on a device. It throws PtxError.
void parse(Module &module, const std::string &text, Memory &memory);

// typeBytes is the size of a type such as "u32"; 0 if there is no such type.
int typeBytes(const std::string &type);

// These are set in the generic address of a shared or local variable.
constexpr uint64_t kSharedWindow = 1ull << 56, kLocalWindow = 2ull << 56;

} // namespace sim
