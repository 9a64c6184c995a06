// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads which lines of a file have changed.
#pragma once

#include <cstddef>
#include <cstdio>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace gputest::model {

// Returns the parts that the output of `git diff -U0` for one file names: their first and last
// lines in the file as it is now. Lines that are only removed are no part.
inline std::vector<std::pair<unsigned, unsigned>> changed_parts(const std::string& diff) {
  std::vector<std::pair<unsigned, unsigned>> parts;
  std::istringstream lines(diff);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("@@ "))
      continue;
    // "@@ -3,2 +3 @@": a missing count is 1; lines only removed count 0.
    const std::size_t plus = line.find(" +");
    unsigned first = 0, count = 1;
    if (plus == std::string::npos ||
        std::sscanf(line.c_str() + plus + 2, "%u,%u", &first, &count) < 1 || count == 0)
      continue;
    parts.emplace_back(first, first + count - 1);
  }
  return parts;
}

} // namespace gputest::model
