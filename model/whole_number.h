// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the whole numbers that users give, in options and in variables of the environment. There is
// one reader, so that a sign, a blank, a fraction or a number out of range is refused everywhere.
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::model {

struct WholeRange {
  std::uint64_t least = 0, most = std::numeric_limits<std::uint64_t>::max();
};

// Numbers beyond these are mistakes: bytes of dynamic __shared__ memory, and what runs at once.
inline constexpr WholeRange kSharedBytes{0, std::uint64_t{1} << 30}, kJobs{1, 4096};

// Returns the number that the text is, in decimal digits and nothing else; nullopt: it is none of
// the range.
inline std::optional<std::uint64_t> whole_number(std::string_view text, WholeRange range = {}) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < range.least ||
      value > range.most)
    return std::nullopt;
  return value;
}

// Returns "--seed: '-1' is not a whole number from 0 to 100". `what`: the option or the variable.
inline std::string no_whole_number(const std::string& what, const std::string& text,
                                   WholeRange range) {
  return what + ": '" + text + "' is not a whole number from " + std::to_string(range.least) +
         " to " + std::to_string(range.most);
}

} // namespace gputest::model
