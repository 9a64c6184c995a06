// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits of `gputest memory`, which make it exit with 1.
#pragma once

#include "memory/generate/result.h"

#include <cxxopts.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::driver {

// The cycles of the cases with the kernel of a commit, by the case's name.
struct EarlierCycles {
  std::string commit;
  double percent = 0; // more that are allowed
  std::map<std::string, memory::Cycles> cycles;
};

// What may not be exceeded.
struct MemoryLimits {
  double overhead = 100;
  std::optional<std::size_t> issues, cycles;
  std::optional<EarlierCycles> earlier;
};

// Reads the options of limits. Throws CommandError.
MemoryLimits memory_limits(const cxxopts::ParseResult& arguments);

// Returns the limits that do not hold, for people.
std::vector<std::string> missed_limits(const memory::KernelReport& result,
                                       const MemoryLimits& limits);

} // namespace gputest::driver
