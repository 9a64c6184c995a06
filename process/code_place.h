// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where code of this process is in its files, which is what its debug information is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gputest::process {

// Calls above each other that are looked at for a line of the program: libraries have many.
inline constexpr int kMostCallers = 64;

// Return addresses of what runs now, the innermost one first.
using Callers = std::vector<const void*>;
Callers callers_now();

// The file with an instruction, a program or a shared library, and its address there.
struct CodePlace {
  std::string file;
  std::uint64_t address = 0;
};
std::optional<CodePlace> place_in_file(const void* instruction);

} // namespace gputest::process
