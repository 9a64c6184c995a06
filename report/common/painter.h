// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Colours text on a terminal.
#pragma once

#include "model/coverage.h"

#include <array>
#include <fmt/format.h>
#include <string>

namespace gputest::report {

enum class Style { Plain, Bold, Dim, Red, Yellow, Green };

class Painter {
public:
  explicit Painter(bool colour) : colour_(colour) {}

  // Returns the text with ANSI escape sequences around it, if colour is wanted.
  std::string operator()(Style style, const std::string& text) const {
    constexpr std::array<const char*, 6> codes{"0", "1", "2", "31", "33", "32"};
    if (!colour_ || style == Style::Plain)
      return text;
    return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<std::size_t>(style)], text);
  }

private:
  bool colour_;
};

inline Style style_of(const model::Tally& tally) {
  const auto percent = tally.percent();
  if (!percent)
    return Style::Dim;
  return tally.covered == tally.total ? Style::Green : *percent >= 75 ? Style::Yellow : Style::Red;
}

} // namespace gputest::report
