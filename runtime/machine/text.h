// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small texts that machines use: names of devices, and variables of the environment.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

namespace gputest::runtime {

inline std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Returns the value of a variable of the environment. Empty: it is not set.
inline std::string environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value ? value : "";
}

} // namespace gputest::runtime
