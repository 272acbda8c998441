#include "parser.h"

#include <cstdlib>
#include <cstring>
#include <sstream>

namespace sim {

void parse(Module &module, const std::string &text, Memory &memory) {
	module.text = text;
	std::istringstream in(module.text);
	for (std::string line; std::getline(in, line);) module.lines.push_back(line);
	Parser(module, module.text, memory).parse();
}

int typeBytes(const std::string &type) {
	static const std::unordered_map<std::string, int> bytes = {
	    {"b8", 1},  {"u8", 1},  {"s8", 1},  {"b16", 2}, {"u16", 2},  {"s16", 2}, {"f16", 2}, {"b32", 4},
	    {"u32", 4}, {"s32", 4}, {"f32", 4}, {"b64", 8}, {"u64", 8},  {"s64", 8}, {"f64", 8}, {"pred", 1}};
	auto i = bytes.find(type);
	return i == bytes.end() ? 0 : i->second;
}

void Parser::fail(const std::string &text, int line) const { throw PtxError{line ? line : peek().line, text}; }

bool Parser::accept(const char *s) {
	if (!peek().is(s)) return false;
	next();
	return true;
}

void Parser::expect(const char *s) {
	if (!accept(s)) fail("expected " + std::string(s) + ", found " + std::string(peek().text));
}

uint64_t Parser::number() {
	bool minus = accept("-");
	std::string text(next().text);
	if (text.size() == 10 && (text[1] == 'f' || text[1] == 'F') && text[0] == '0') return std::strtoull(text.c_str() + 2, nullptr, 16);
	if (text.size() == 18 && (text[1] == 'd' || text[1] == 'D') && text[0] == '0') return std::strtoull(text.c_str() + 2, nullptr, 16);
	char *end = nullptr;
	uint64_t v = std::strtoull(text.c_str(), &end, 0);
	if (text.empty() || (*end && std::strcmp(end, "U") != 0)) fail("expected a number, found " + text);
	return minus ? -v : v;
}

uint32_t Parser::constant(uint64_t value) {
	auto [i, isNew] = constants_.try_emplace(value, module.constants.size());
	if (isNew) module.constants.insert(module.constants.end(), kLanes, value);
	return i->second;
}

void Parser::parse() {
	while (!peek().text.empty()) {
		Token t = next();
		if (t.is(".version")) {
			std::string v(next().text);
			module.version = std::atoi(v.c_str()) * 10 + (v.find('.') == std::string::npos ? 0 : std::atoi(v.c_str() + v.find('.') + 1));
		} else if (t.is(".target")) {
			std::string name(next().text);
			module.target = name.rfind("sm_", 0) == 0 ? std::atoi(name.c_str() + 3) : 0;
			while (accept(",")) next();
		} else if (t.is(".address_size")) {
			if (number() != 64) fail("only 64-bit addresses are simulated", t.line);
		} else if (t.is(".visible") || t.is(".extern") || t.is(".weak") || t.is(".common")) {
			continue;
		} else if (t.is(".entry") || t.is(".func")) {
			function(t.is(".entry"));
		} else if (t.is(".global") || t.is(".const") || t.is(".shared")) {
			moduleVariable(std::string(t.text));
		} else if (t.is(".section")) {
			while (!accept("}")) next();
		} else {
			fail("unknown directive " + std::string(t.text), t.line);
		}
	}
	if (!module.version || !module.target) fail("no .version or no .target");
}

// declaration reads ".align 4 .b8 name[36]", "u32 name" and the like.
Variable Parser::declaration(Space space) {
	Variable v;
	v.space = space;
	elementBytes = 0;
	uint64_t align = 0;
	int vector = 1;
	while (peek().text.substr(0, 1) == ".") {
		std::string word(next().text);
		if (word == ".align")
			align = number();
		else if (word == ".v2" || word == ".v4")
			vector = word[2] - '0';
		else if (word != ".ptr" && word != ".global" && word != ".attribute")
			elementBytes = typeBytes(word.substr(1));
	}
	Token name = next();
	if (!elementBytes) fail("unknown type of " + std::string(name.text), name.line);
	v.name = std::string(name.text);
	v.size = elementBytes * vector;
	v.align = align ? align : v.size;
	while (accept("[")) {
		if (accept("]")) {
			v.dynamic = true;
			v.size = 0;
		} else {
			v.size *= number();
			expect("]");
		}
	}
	return v;
}

std::vector<Variable> Parser::parameters(Space space, uint32_t &bytes) {
	std::vector<Variable> out;
	expect("(");
	while (!accept(")")) {
		if (accept(",")) continue;
		if (accept(".reg")) fail("parameters in registers are not simulated");
		expect(".param");
		Variable v = declaration(space);
		bytes = (bytes + v.align - 1) / v.align * v.align;
		v.address = bytes;
		bytes += v.size;
		out.push_back(v);
	}
	return out;
}

void Parser::function(bool entry) {
	Space space = entry ? Space::KernelParam : Space::FrameParam;
	uint32_t bytes = 0;
	std::vector<Variable> results, params;
	if (!entry && peek().is("(")) results = parameters(space, bytes);
	Token name = next();
	if (peek().is("(")) params = parameters(space, bytes);
	std::unique_ptr<Function> &f = module.functions[std::string(name.text)];
	if (!f) f = std::make_unique<Function>();
	if (f->defined) fail("function " + std::string(name.text) + " twice", name.line);
	static std::atomic<uint64_t> ids{0};
	if (!f->id) f->id = ++ids;
	f->name = std::string(name.text);
	f->entry = entry;
	f->line = name.line;
	f->params = params;
	f->results = results;
	f->paramBytes = bytes;
	directives(*f);
	if (accept(";")) return;
	expect("{");
	f->defined = true;
	Body(*this, *f).parse();
}

// directives reads what may stand between a function's head and its body.
void Parser::directives(Function &f) {
	for (;;) {
		if (accept(".maxntid") || accept(".reqntid")) {
			f.maxThreads = 1;
			do f.maxThreads *= number();
			while (accept(","));
		} else if (accept(".minnctapersm") || accept(".maxnreg")) {
			number();
		} else if (!accept(".noreturn")) {
			return;
		}
	}
}

std::vector<uint8_t> Parser::initializer(const Variable &v, int width) {
	std::vector<uint8_t> bytes(v.size, 0);
	size_t off = 0;
	int depth = 0;
	do {
		if (accept("{")) {
			depth++;
		} else if (accept("}")) {
			depth--;
		} else if (!accept(",")) {
			uint64_t x = number();
			if (off + width > bytes.size()) fail("too many values for " + v.name);
			std::memcpy(&bytes[off], &x, width);
			off += width;
		}
	} while (depth > 0);
	return bytes;
}

void Parser::moduleVariable(const std::string &space) {
	Variable v = declaration(space == ".shared" ? Space::Shared : space == ".const" ? Space::Const : Space::Global);
	if (space == ".shared") {
		module.sharedBytes = (module.sharedBytes + v.align - 1) / v.align * v.align;
		v.address = module.sharedBytes;
		module.sharedBytes += (v.dynamic ? 256 << 10 : v.size) + 256; // a gap no variable covers
		module.shared.push_back(v);
		expect(";");
		return;
	}
	std::vector<uint8_t> bytes(v.size, 0);
	if (accept("=")) bytes = initializer(v, elementBytes);
	expect(";");
	v.address = memory.allocate(module.device, v.size, "variable " + v.name, v.space == Space::Const);
	module.allocations.push_back(v.address);
	std::memcpy(memory.host(v.address, v.size, module.device), bytes.data(), bytes.size());
	module.globals[v.name] = v;
}

} // namespace sim
