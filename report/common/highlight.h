// OpenCL C, coloured: simple and total, whatever the text is.
#pragma once

#include <string>
#include <vector>

namespace gputest::report {

enum class Token : unsigned char {
  Plain,
  Keyword, // of C and OpenCL C, address spaces and access qualifiers included
  Type,    // built-in types, vectors and images too
  Builtin, // work-item functions, barriers and fences
  Number,
  String,
  Comment,
  Preprocessor
};

// For each line, one token kind for each byte.
std::vector<std::vector<Token>> highlight(const std::vector<std::string>& lines);

} // namespace gputest::report
