// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the string literals of a host program's source file, which may hold kernels.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::layer {

enum class HostLanguage { C, Python }; // C and C++

struct Literal {
  std::string text; // its value; literals that follow each other are one
  // For each line of `text`, the line of the file in which it begins, from 1.
  std::vector<std::size_t> lines;
};

// Returns the literals in order. Text that is no source of this language gives an arbitrary list.
std::vector<Literal> literals_of(std::string_view source, HostLanguage language);

} // namespace gputest::layer
