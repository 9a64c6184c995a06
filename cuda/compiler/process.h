// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the programs of a compilation.
#pragma once

#include <string>
#include <vector>

namespace gputest::cuda::compiler {

using Arguments = std::vector<std::string>;
inline void append(Arguments& all, const Arguments& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// Runs a program and returns its exit code. `verbose`: prints the command first. Throws
// std::runtime_error if the program cannot be started.
int start(const Arguments& arguments, bool verbose);

// The same. `output` gets what the program prints.
int start_quietly(const Arguments& arguments, const std::string& output, bool verbose);

// The same for Clang. `messages` gets what it prints, with colours where they can be seen.
int start_and_keep(Arguments arguments, std::string& messages, bool verbose);

} // namespace gputest::cuda::compiler
