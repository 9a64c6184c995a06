// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matches files with patterns like those of the shell, to leave them out of reports.
#pragma once

#include <string>
#include <vector>

namespace gputest::model {

// Returns whether one of `patterns` matches `file`, as reports name it, or the last part of `file`.
// "*/vendor/*" and "*.h" both match "src/vendor/a.h". "*" also matches "/".
bool matches_any(const std::vector<std::string>& patterns, const std::string& file);

} // namespace gputest::model
