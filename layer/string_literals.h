// The string literals of a host program's source file: kernels stand in them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::layer {

enum class HostLanguage { C, Python }; // C and C++

struct Literal {
  std::string text; // its value; of literals that follow each other, all of them
  std::vector<std::size_t>
      lines; // of each line of `text`: that of the file where it begins, from 1
};

// In order. Text that is no source of this language gives whatever it gives.
std::vector<Literal> literals_of(std::string_view source, HostLanguage language);

} // namespace gputest::layer
