#include "lexer.h"

#include <cctype>

namespace sim {

static bool isWord(char c) {
	return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.' || c == '%';
}

std::vector<Token> lex(const std::string &text) {
	std::vector<Token> out;
	int line = 1;
	size_t i = 0, n = text.size();
	auto skipLine = [&] { while (i < n && text[i] != '\n') i++; };
	while (i < n) {
		char c = text[i];
		if (c == '\n') {
			line++, i++;
		} else if (std::isspace(static_cast<unsigned char>(c))) {
			i++;
		} else if (text.compare(i, 2, "//") == 0) {
			skipLine();
		} else if (text.compare(i, 2, "/*") == 0) {
			for (i += 2; i < n && text.compare(i, 2, "*/") != 0; i++)
				if (text[i] == '\n') line++;
			i += 2;
		} else if (isWord(c) || c == '"') {
			size_t start = i++;
			if (c == '"') {
				while (i < n && text[i] != '"') i++;
				if (i < n) i++;
			} else {
				while (i < n && isWord(text[i])) i++;
			}
			Token t{std::string_view(text).substr(start, i - start), line};
			if (t.is(".file") || t.is(".loc"))
				skipLine();
			else
				out.push_back(t);
		} else {
			out.push_back({std::string_view(text).substr(i++, 1), line});
		}
	}
	out.push_back({"", line});
	return out;
}

} // namespace sim
