// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/records/text.h"

#include <cstdio>
#include <cstdlib>

namespace gputest::cuda {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\')
      result += '\\';
    if (static_cast<unsigned char>(letter) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(letter));
      result += escaped;
    } else {
      result += letter;
    }
  }
  return result + '"';
}

} // namespace gputest::cuda
