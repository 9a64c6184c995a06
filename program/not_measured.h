// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an analysis of a program leaves out, and why.
#pragma once

#include <string>

namespace gputest::program {

struct NotMeasured {
  std::string program, kernel, reason; // an empty one is unknown, or means all
  bool operator==(const NotMeasured&) const = default;
};

} // namespace gputest::program
