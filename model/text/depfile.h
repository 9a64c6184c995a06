// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes Makefile rules, as compilers write them and Ninja reads them.
#pragma once

#include <string>
#include <utility>
#include <vector>

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

// The names behind the colon of a rule.
inline std::vector<std::string> depfile_names(const std::string& rule) {
  std::vector<std::string> names;
  std::string name;
  for (std::size_t at = rule.find(": ") + 1; at != 0 && at < rule.size(); ++at) {
    const char c = rule[at], next = at + 1 < rule.size() ? rule[at + 1] : '\n';
    if ((c == '\\' && (next == ' ' || next == '#' || next == '\\')) || (c == '$' && next == '$'))
      name += rule[++at];
    else if (c == ' ' || c == '\n' || (c == '\\' && next == '\n'))
      names.push_back(std::exchange(name, {}));
    else
      name += c;
  }
  names.push_back(name);
  std::erase(names, "");
  return names;
}

} // namespace gputest::model
