// Makefile rules that compilers write down, and Ninja reads.
#pragma once

#include <string>

namespace gputest::model {

// A name of a file as GNU Make and Ninja read it.
inline std::string depfile_name(const std::string& path) {
  std::string result;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == '\\')
      result += '\\';
    if (c == '$')
      result += '$';
    result += c;
  }
  return result;
}

} // namespace gputest::model
