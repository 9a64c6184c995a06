// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace gputest::cuda::compiler {

using Names = std::set<std::string, std::less<>>;

// The words of a text, which blanks separate.
inline Names names_in(std::string_view text) {
  Names names;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin)
      names.emplace(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

} // namespace gputest::cuda::compiler
