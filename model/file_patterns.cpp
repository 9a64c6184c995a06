// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/file_patterns.h"

#include <algorithm>
#include <fnmatch.h>

namespace gputest::model {

bool matches_any(const std::vector<std::string>& patterns, const std::string& file) {
  const std::string last = file.substr(file.rfind('/') + 1);
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), file.c_str(), 0) == 0 ||
           ::fnmatch(pattern.c_str(), last.c_str(), 0) == 0;
  });
}

} // namespace gputest::model
