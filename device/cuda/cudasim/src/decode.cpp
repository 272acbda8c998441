// What instructions mean, by the parts of their names.
#include <algorithm>
#include <set>

#include "compare.h"
#include "parser.h"
#include "warp.h"

namespace sim {

using Name = std::vector<std::string>;
using Operands = std::vector<Raw>;

static std::string join(const Name &name) {
	std::string out;
	for (auto &part : name) out += (out.empty() ? "" : ".") + part;
	return out;
}

namespace {

// A Decoder decodes one instruction.
struct Decoder {
	Body &body;
	Ins &ins;
	const Name &name;
	const Operands &ops;

	[[noreturn]] void fail(const std::string &text) const { body.parser.fail(text, ins.line); }
	void want(size_t n) const {
		if (ops.size() != n) fail(join(name) + " has " + std::to_string(ops.size()) + " operands, not " + std::to_string(n));
	}
	void dst(const Raw &r) {
		if (ins.dsts == 4) fail("too many results");
		ins.dst[ins.dsts++] = body.destination(r);
	}
	void src(const Raw &r) {
		if (ins.srcs == 5) fail("too many operands");
		ins.src[ins.srcs++] = body.source(r);
	}
	// pair takes %r1|%p1 as two results.
	void pair(const Raw &r) {
		if (r.parts.empty()) return dst(r);
		for (auto &part : r.parts) dst(part);
	}
	bool has(const char *part) const { return std::find(name.begin() + 1, name.end(), part) != name.end(); }

	void plain();
	void branch();
	void call();
	void memory();
	void address(const Raw &r);
	void atomics();
	void setp();
	void cvt();
	void mov();
	void barrier();
	void warpWide();
	bool decodeByBase();
};

const Table &table() {
	static const Table t = [] {
		Table t;
		addIntegers(t);
		addFloats(t);
		return t;
	}();
	return t;
}

void Decoder::plain() {
	auto i = table().find(join(name));
	if (i == table().end()) fail("unknown instruction " + join(name));
	want(1 + i->second.sources);
	dst(ops[0]);
	for (size_t k = 1; k < ops.size(); k++) src(ops[k]);
	ins.exec = i->second.exec;
}

void Decoder::branch() {
	if (name[0] == "brx") {
		want(2);
		ins.flow = Flow::Table;
		src(ops[0]);
		return body.jump(ops[1].name, ins.line);
	}
	want(1);
	ins.flow = Flow::Branch;
	body.jump(ops[0].name, ins.line);
}

// call (results), function, (arguments), each list left out when empty.
void Decoder::call() {
	size_t k = 0;
	ins.flow = Flow::Call;
	ins.call = std::make_shared<Call>();
	auto offsets = [&](const Raw &list, std::vector<uint32_t> &out) {
		for (auto &r : list.parts) {
			const Variable *v = body.variable(r.name);
			if (!v || v->space != Space::FrameParam) fail("expected a .param variable, found " + r.name);
			out.push_back(v->address);
		}
	};
	if (k < ops.size() && ops[k].kind == Raw::List) offsets(ops[k++], ins.call->results);
	if (k == ops.size()) fail("call of nothing");
	auto &functions = body.parser.module.functions;
	auto f = functions.find(ops[k].name);
	if (f == functions.end()) fail("call of " + ops[k].name + ", which the module has not");
	ins.call->callee = f->second.get();
	body.f.callees.push_back(f->second.get());
	if (++k < ops.size()) offsets(ops[k], ins.call->arguments);
	if (ins.call->results.size() != f->second->results.size() || ins.call->arguments.size() != f->second->params.size())
		fail("call of " + f->first + " with other parameters than it has");
}

void Decoder::address(const Raw &r) {
	if (r.kind != Raw::Address) fail("expected an address");
	ins.offset = int64_t(r.number);
	Raw base;
	base.line = r.line;
	base.name = r.name;
	if (r.name.empty()) base.kind = Raw::Number;
	const Variable *v = r.name.empty() ? nullptr : body.variable(r.name);
	bool param = v && (v->space == Space::KernelParam || v->space == Space::FrameParam);
	bool inRegister = !v && !r.name.empty(); // as an array among the parameters is reached in a loop
	if (param != (ins.space == Space::KernelParam) && !inRegister) fail("the address is not one of its space");
	if (!param) return src(base);
	uint64_t n = uint64_t(ins.width) * ins.count;
	if (r.number > v->size || n > v->size - r.number) fail("outside of parameter " + v->name);
	ins.space = v->space;
	ins.offset += v->address;
	ins.src[ins.srcs++] = {1, body.parser.constant(0)};
}

// memory decodes ld and st: [.volatile|.relaxed|...][.space][.cache][.vec].type.
void Decoder::memory() {
	static const std::set<std::string> ignored = {"volatile", "relaxed", "acquire", "release", "weak", "gpu", "sys", "cta", "nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt"};
	bool isLoad = name[0] != "st";
	for (size_t k = 1; k + 1 < name.size(); k++) {
		const std::string &m = name[k];
		if (m == "global") ins.space = Space::Global;
		else if (m == "const") ins.space = Space::Const;
		else if (m == "shared") ins.space = Space::Shared;
		else if (m == "local") ins.space = Space::Local;
		else if (m == "param") ins.space = Space::KernelParam;
		else if (m == "v2" || m == "v4") ins.count = m[1] - '0';
		else if (!ignored.count(m)) fail("unknown instruction " + join(name));
	}
	ins.width = typeBytes(name.back());
	ins.isSigned = name.back()[0] == 's';
	if (!ins.width || name.back() == "pred") fail("unknown instruction " + join(name));
	want(2);
	const Raw &value = ops[isLoad ? 0 : 1];
	std::vector<Raw> one = {value};
	const std::vector<Raw> &values = value.kind == Raw::Vector ? value.parts : one;
	if (values.size() != ins.count) fail("a vector of another length than ." + join(name));
	address(ops[isLoad ? 1 : 0]);
	for (auto &v : values) isLoad ? dst(v) : src(v);
	ins.exec = isLoad ? load(ins) : store(ins);
	ins.hit = body.f.accesses++;
}

void Decoder::atomics() {
	static const std::set<std::string> ignored = {"relaxed", "acquire", "release", "acq_rel", "gpu", "sys", "cta"};
	bool result = name[0] == "atom";
	std::string op;
	for (size_t k = 1; k + 1 < name.size(); k++) {
		const std::string &m = name[k];
		if (m == "global") ins.space = Space::Global;
		else if (m == "shared") ins.space = Space::Shared;
		else if (!ignored.count(m)) op = m;
	}
	ins.exec = atomic(op, name.back(), result);
	if (!ins.exec) fail("unknown instruction " + join(name));
	ins.width = typeBytes(name.back());
	want((result ? 3 : 2) + (op == "cas"));
	if (result) dst(ops[0]);
	address(ops[result]);
	for (size_t k = result + 1; k < ops.size(); k++) src(ops[k]);
	ins.hit = body.f.accesses++;
}

// setp.lt[.and].type p[|q], a, b[, c].
void Decoder::setp() {
	ins.exec = compare(name.back());
	if (name.size() < 3 || name.size() > 4 || !ins.exec || !comparison(name[1], ins.mode)) fail("unknown instruction " + join(name));
	if (name.size() == 4) {
		ins.mode2 = name[2] == "and" ? kAnd : name[2] == "or" ? kOr : kXor;
		if (ins.mode2 == kXor && name[2] != "xor") fail("unknown instruction " + join(name));
	}
	want(ins.mode2 ? 4 : 3);
	pair(ops[0]);
	for (size_t k = 1; k < ops.size(); k++) src(ops[k]);
	ins.negateSource = ops.back().negated;
}

void Decoder::cvt() {
	want(2);
	dst(ops[0]);
	src(ops[1]);
	ins.exec = convert(ins, name);
	if (!ins.exec) fail("unknown instruction " + join(name));
}

void Decoder::mov() {
	want(2);
	const Raw &d = ops[0], &s = ops[1];
	if (d.kind != Raw::Vector && s.kind != Raw::Vector) return plain();
	const std::vector<Raw> &parts = d.kind == Raw::Vector ? d.parts : s.parts;
	ins.width = typeBytes(name.back()) / parts.size();
	if (d.kind == Raw::Vector) {
		for (auto &r : parts) dst(r);
		src(s);
	} else {
		dst(d);
		for (auto &r : parts) src(r);
	}
	ins.exec = moveVector;
}

// Only the barrier of the whole block; one thread in a fence needs no other.
void Decoder::barrier() {
	if (name[0] == "bar" && has("warp")) {
		want(1);
		ins.flow = Flow::Gather;
		ins.exec = warpSync;
		return src(ops[0]);
	}
	if (!has("sync") || has("red") || has("arrive")) fail("unknown instruction " + join(name));
	if (ops.size() != 1 || ops[0].kind != Raw::Number) fail("a barrier of some threads of a block is not simulated");
	ins.flow = Flow::Barrier;
	ins.mode = uint8_t(ops[0].number);
}

void Decoder::warpWide() {
	bool isShuffle = name[0] == "shfl";
	if (name.size() != 4 || name[1] != "sync") fail("unknown instruction " + join(name));
	ins.flow = Flow::Gather;
	ins.mode = name[2][0];
	ins.mode2 = name[2] == "all";
	want(isShuffle ? 5 : 3);
	pair(ops[0]);
	for (size_t k = 1; k < ops.size(); k++) src(ops[k]);
	ins.negateSource = ops[1].negated;
	ins.exec = isShuffle ? shuffle : vote;
}

bool Decoder::decodeByBase() {
	const std::string &base = name[0];
	if (base == "bra" || base == "brx") branch();
	else if (base == "call") call();
	else if (base == "ret") ins.flow = Flow::Return;
	else if (base == "exit") ins.flow = Flow::Exit;
	else if (base == "trap") ins.flow = Flow::Trap;
	else if (base == "ld" || base == "ldu" || base == "st") memory();
	else if (base == "atom" || base == "red") atomics();
	else if (base == "setp") setp();
	else if (base == "cvt") cvt();
	else if (base == "mov") mov();
	else if (base == "bar" || base == "barrier") barrier();
	else if (base == "shfl" || base == "vote") warpWide();
	else return false;
	return true;
}

} // namespace

void decode(Body &body, Ins &ins, const Name &name, const Operands &operands) {
	Decoder d{body, ins, name, operands};
	if (d.decodeByBase()) return;
	if (name[0] == "membar" || name[0] == "fence") { // threads run in turn: there is nothing to order
		ins.exec = [](Warp &, const Ins &) {};
	} else if (name[0] == "cvta") { // generic addresses of global memory are the addresses
		bool window = d.has("shared");
		Operands more = operands;
		d.want(2);
		if (window) {
			Raw bits;
			bits.kind = Raw::Number;
			bits.line = ins.line;
			bits.number = d.has("to") ? ~kSharedWindow : kSharedWindow;
			more.push_back(bits);
		}
		Name as = window ? Name{d.has("to") ? "and" : "or", "b64"} : Name{"mov", "u64"};
		Decoder{body, ins, as, more}.plain();
	} else {
		d.plain();
	}
}

} // namespace sim
