// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the tokens of OpenCL C, to colour them. It handles any text.
#pragma once

#include <string>
#include <vector>

namespace gputest::report {

enum class Token : unsigned char {
  Plain,
  Keyword, // of C and OpenCL C, including address spaces and access qualifiers
  Type,    // built-in types, including vectors and images
  Builtin, // work-item functions, barriers and fences
  Number,
  String,
  Comment,
  Preprocessor
};

// Returns, for each line, a kind of token for each byte.
std::vector<std::vector<Token>> highlight(const std::vector<std::string>& lines);

} // namespace gputest::report
