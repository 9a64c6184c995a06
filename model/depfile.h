// Writes Makefile rules, as compilers write them and Ninja reads them.
#pragma once

#include <string>

namespace gputest::model {

// Returns a file's name as GNU Make and Ninja read it.
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
