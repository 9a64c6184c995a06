// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the function that a line of C or C++ is in, by its text alone.
#pragma once

#include <string>
#include <vector>

namespace gputest::model {

// Returns the name of the function that the line (from 1) is in, as far as braces show it: "sum"
// also for "stats::sum<int>". Empty: it is in none. The line of its closing brace is in it.
std::string function_around(const std::vector<std::string>& lines, unsigned line);

} // namespace gputest::model
