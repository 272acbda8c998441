// The body of a function: registers, variables, labels and instructions.
#include <algorithm>

#include "parser.h"

namespace sim {

// Warp::fillSpecials knows them by their place here.
const char *const specialNames[19] = {"%tid.x",   "%tid.y",    "%tid.z",    "%ntid.x",  "%ntid.y",       "%ntid.z",       "%ctaid.x",
                                      "%ctaid.y", "%ctaid.z",  "%nctaid.x", "%nctaid.y", "%nctaid.z",    "%laneid",       "%warpid",
                                      "%lanemask_eq", "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge"};

Body::Body(Parser &parser, Function &function) : parser(parser), f(function), scopes(1) {
	nextParam = f.entry ? 0 : f.paramBytes;
	for (auto &v : f.params) scopes[0].variables[v.name] = v;
	for (auto &v : f.results) scopes[0].variables[v.name] = v;
}

void Body::parse() {
	while (!scopes.empty()) {
		if (parser.peek().text.empty()) parser.fail("the text ends inside " + f.name);
		statement();
	}
	f.frameBytes = nextParam;
	Ins end; // falling off the end is a return
	end.flow = Flow::Return;
	end.line = parser.peek().line;
	f.code.push_back(end);
	resolve();
}

void Body::statement() {
	const Token &t = parser.peek();
	std::string word(t.text);
	if (parser.accept("{")) {
		scopes.emplace_back();
	} else if (parser.accept("}")) {
		scopes.pop_back();
	} else if (parser.accept(";")) {
		return;
	} else if (parser.accept(".reg")) {
		registers();
	} else if (word == ".local" || word == ".param" || word == ".shared") {
		parser.next();
		bodyVariable(word);
	} else if (parser.accept(".pragma")) {
		while (!parser.accept(";")) parser.next();
	} else {
		instruction();
	}
}

uint32_t Body::addRegister(const std::string &name) {
	uint32_t offset = f.registers++ * kLanes;
	scopes.back().registers[name] = offset;
	return offset;
}

void Body::registers() {
	while (parser.peek().text.substr(0, 1) == ".") {
		std::string type(parser.next().text.substr(1));
		if (!typeBytes(type)) parser.fail("unknown type of register ." + type);
	}
	do {
		std::string name(parser.next().text);
		if (!parser.accept("<")) {
			addRegister(name);
			continue;
		}
		uint64_t n = parser.number();
		parser.expect(">");
		for (uint64_t i = 0; i < n; i++) addRegister(name + std::to_string(i));
	} while (parser.accept(","));
	parser.expect(";");
}

void Body::bodyVariable(const std::string &space) {
	Module &m = parser.module;
	Variable v = parser.declaration(space == ".local" ? Space::Local : space == ".shared" ? Space::Shared : Space::FrameParam);
	parser.expect(";");
	auto place = [&](auto &next, uint64_t gap) {
		next = (next + v.align - 1) / v.align * v.align;
		v.address = next;
		next += v.size + gap;
	};
	if (v.space == Space::Local) {
		place(m.localBytes, 64); // a gap that no variable covers
		f.locals.push_back(v);
	} else if (v.space == Space::Shared) {
		place(m.sharedBytes, 256);
		m.shared.push_back(v);
	} else {
		place(nextParam, 0);
	}
	scopes.back().variables[v.name] = v;
}

const Variable *Body::variable(const std::string &name) const {
	for (size_t i = scopes.size(); i-- > 0;) {
		auto v = scopes[i].variables.find(name);
		if (v != scopes[i].variables.end()) return &v->second;
	}
	Module &m = parser.module;
	for (auto &v : m.shared)
		if (v.name == name) return &v;
	auto g = m.globals.find(name);
	return g == m.globals.end() ? nullptr : &g->second;
}

uint32_t Body::find(const Raw &raw) {
	if (raw.kind != Raw::Name || !raw.parts.empty()) parser.fail("expected a register", raw.line);
	if (raw.name == "_") return addRegister("_"); // a result nobody wants
	for (size_t i = scopes.size(); i-- > 0;) {
		auto r = scopes[i].registers.find(raw.name);
		if (r != scopes[i].registers.end()) return r->second;
	}
	if (raw.name[0] != '%') parser.fail("unknown name " + raw.name, raw.line);
	auto known = std::find(std::begin(specialNames), std::end(specialNames), raw.name);
	if (known == std::end(specialNames)) parser.fail("unknown register " + raw.name, raw.line);
	uint32_t offset = f.registers++ * kLanes;
	scopes[0].registers[raw.name] = offset;
	f.specials.push_back({uint32_t(known - std::begin(specialNames)), offset});
	return offset;
}

Operand Body::destination(const Raw &raw) { return {0, find(raw)}; }

Operand Body::source(const Raw &raw) {
	if (raw.kind == Raw::Number) return {1, parser.constant(raw.number)};
	if (raw.kind == Raw::Name && raw.name == "WARP_SZ") return {1, parser.constant(kLanes)};
	const Variable *v = raw.kind == Raw::Name ? variable(raw.name) : nullptr;
	if (!v) return {0, find(raw)};
	if (v->space == Space::Shared) {
		uint32_t index = 0;
		while (parser.module.shared[index].address != v->address) index++;
		if (std::find(f.shared.begin(), f.shared.end(), index) == f.shared.end()) f.shared.push_back(index);
	}
	if (v->space == Space::FrameParam) parser.fail("the address of a function's parameter is not simulated", raw.line);
	return {1, parser.constant(v->address | (v->space == Space::Local ? kLocalWindow : 0))};
}

void Body::jump(const std::string &label, int line) { jumps.push_back({uint32_t(f.code.size()), label, line}); }

const std::vector<std::string> *Body::branchTargets(const std::string &name) const {
	auto i = targets.find(name);
	return i == targets.end() ? nullptr : &i->second;
}

// operand reads a register, a number, {a, b}, [base+4], (a, b), !%p or %r1|%p1.
Raw Body::operand() {
	Raw raw;
	raw.line = parser.peek().line;
	auto list = [&](const char *close, Raw::Kind kind) {
		raw.kind = kind;
		while (!parser.accept(close))
			if (!parser.accept(",")) raw.parts.push_back(operand());
		return raw;
	};
	if (parser.accept("{")) return list("}", Raw::Vector);
	if (parser.accept("(")) return list(")", Raw::List);
	auto isNumber = [&] { return parser.peek().is("-") || isdigit(static_cast<unsigned char>(parser.peek().text.empty() ? 0 : parser.peek().text[0])); };
	if (parser.accept("[")) {
		raw.kind = Raw::Address;
		if (!isNumber()) raw.name = std::string(parser.next().text);
		parser.accept("+");
		if (!parser.peek().is("]")) raw.number = parser.number();
		parser.expect("]");
		return raw;
	}
	raw.negated = parser.accept("!");
	if (isNumber()) {
		raw.kind = Raw::Number;
		raw.number = parser.number();
		return raw;
	}
	raw.name = std::string(parser.next().text);
	if (parser.accept("|")) {
		Raw first = raw;
		raw.parts = {first, operand()};
	}
	return raw;
}

static std::vector<std::string> split(std::string_view word) {
	std::vector<std::string> out(1);
	for (char c : word) {
		if (c == '.')
			out.emplace_back();
		else
			out.back() += c;
	}
	return out;
}

void Body::instruction() {
	Ins ins;
	ins.line = parser.peek().line;
	if (parser.accept("@")) {
		ins.guarded = true;
		ins.negated = parser.accept("!");
		Raw p;
		p.name = std::string(parser.next().text);
		p.line = ins.line;
		ins.guard = source(p);
	}
	std::string word(parser.next().text);
	if (!ins.guarded && parser.accept(":")) {
		labels[word] = f.code.size();
		if (parser.accept(".branchtargets")) {
			do targets[word].push_back(std::string(parser.next().text));
			while (parser.accept(","));
			parser.expect(";");
		}
		return;
	}
	std::vector<Raw> operands;
	while (!parser.accept(";")) {
		if (parser.peek().text.empty()) parser.fail("the text ends inside " + word);
		if (!parser.accept(",")) operands.push_back(operand());
	}
	decode(*this, ins, split(word), operands);
	f.code.push_back(std::move(ins));
}

void Body::resolve() {
	auto place = [&](const std::string &label, int line) {
		auto i = labels.find(label);
		if (i == labels.end()) parser.fail("no label " + label, line);
		return i->second;
	};
	for (auto &j : jumps) {
		Ins &ins = f.code[j.instruction];
		if (ins.flow == Flow::Branch) {
			ins.target = place(j.label, j.line);
			continue;
		}
		auto *names = branchTargets(j.label);
		if (!names) parser.fail("no .branchtargets " + j.label, j.line);
		for (auto &name : *names) ins.table.push_back(place(name, j.line));
	}
}

} // namespace sim
