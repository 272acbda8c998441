// Splits PTX text into words and signs.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct Token {
	std::string_view text; // empty at the end
	int line = 0;
	bool is(const char *s) const { return text == s; }
};

// lex returns the tokens of a text, which must outlive them. A word may hold
// letters, digits and _ $ . %; every other sign is a token of its own.
// Comments and the lines of .file and .loc, which only debuggers read, are left out.
std::vector<Token> lex(const std::string &text);

} // namespace sim
