// Reads PTX: parser.cpp what stands in a module, body.cpp what stands in a
// function, decode.cpp what single instructions mean.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "lexer.h"
#include "ptx.h"

namespace sim {

// An operand as written.
struct Raw {
	enum Kind { Name, Number, Vector, Address, List } kind = Name;
	std::string name;         // of a Name, and the base of an Address if it has one
	bool negated = false;     // !%p
	uint64_t number = 0;      // of a Number, and what an Address adds
	std::vector<Raw> parts;   // of a Vector, of a List, and of %r1|%p1
	int line = 0;
};

class Parser {
public:
	Parser(Module &module, const std::string &text, Memory &memory)
	    : module(module), memory(memory), tokens(lex(text)) {}
	void parse();

	Module &module;
	Memory &memory;

	const Token &peek() const { return tokens[at]; }
	Token next() { return tokens[at + 1 < tokens.size() ? at++ : at]; }
	bool accept(const char *s);
	void expect(const char *s);
	uint64_t number();
	Variable declaration(Space space); // after .param, .shared, ...
	uint32_t constant(uint64_t value); // its offset in module.constants
	[[noreturn]] void fail(const std::string &text, int line = 0) const;

private:
	void function(bool entry);
	void directives(Function &f);
	std::vector<Variable> parameters(Space space, uint32_t &bytes);
	void moduleVariable(const std::string &space);
	std::vector<uint8_t> initializer(const Variable &v, int width);

	std::vector<Token> tokens;
	size_t at = 0;
	int elementBytes = 1; // of the declaration read last
	std::unordered_map<uint64_t, uint32_t> constants_;
};

// A Body is a function while it is read.
class Body {
public:
	Body(Parser &parser, Function &function);
	void parse();

	Parser &parser;
	Function &f;

	Operand source(const Raw &raw);
	Operand destination(const Raw &raw);
	const Variable *variable(const std::string &name) const;
	uint32_t addRegister(const std::string &name);
	void jump(const std::string &label, int line); // of the instruction being read
	const std::vector<std::string> *branchTargets(const std::string &name) const;

private:
	struct Scope {
		std::unordered_map<std::string, uint32_t> registers;
		std::unordered_map<std::string, Variable> variables;
	};
	struct Jump {
		uint32_t instruction;
		std::string label;
		int line;
	};
	void statement();
	void registers();
	void bodyVariable(const std::string &space);
	void instruction();
	Raw operand();
	void resolve();
	uint32_t find(const Raw &raw);

	std::vector<Scope> scopes;
	std::unordered_map<std::string, uint32_t> labels;
	std::unordered_map<std::string, std::vector<std::string>> targets;
	std::vector<Jump> jumps;
	uint32_t nextParam = 0;
};

// decode fills ins from an instruction's name, split at its dots, and operands.
void decode(Body &body, Ins &ins, const std::vector<std::string> &name, const std::vector<Raw> &operands);

} // namespace sim
