// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said of a time limit that was over.
#pragma once

#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>

namespace gputest::model {

// Returns "the time limit of 3.86 s was over". Shares of a limit are no round numbers.
inline std::string over_text(std::optional<double> limit) {
  const double seconds = limit.value_or(0), rounded = std::round(seconds * 100) / 100;
  return fmt::format("the time limit of {:g} s was over", rounded > 0 ? rounded : seconds);
}

} // namespace gputest::model
