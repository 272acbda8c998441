#pragma once
#include <cstdint>
#include <string>

namespace sim {

enum Comparison : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe, kEqu, kNeu, kLtu, kLeu, kGtu, kGeu, kNum, kNan, kLo, kLs, kHi, kHs };
enum Combination : uint8_t { kAlone, kAnd, kOr, kXor };

// comparison finds a Comparison by name.
bool comparison(const std::string &name, uint8_t &mode);

} // namespace sim
