// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/records/text.h"

#include <cstdio>
#include <cstdlib>

namespace gputest::cuda {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::uint64_t environment_number(const char* name, model::WholeRange range,
                                 std::uint64_t otherwise) {
  const std::string text = environment(name);
  if (text.empty())
    return otherwise;
  const auto number = model::whole_number(text, range);
  if (!number)
    refuse_environment(model::no_whole_number(name, text, range));
  return *number;
}

void refuse_environment(const std::string& message) {
  std::fprintf(stderr, "gputest-cuda: error: %s\n", message.c_str());
  std::_Exit(3);
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
