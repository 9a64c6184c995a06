// Files that are left out of reports, by patterns such as those of the shell.
#pragma once

#include <string>
#include <vector>

namespace gputest::model {

// Whether one of `patterns` matches `file`, as reports name it, or the last part of `file`.
// "*/vendor/*" and "*.h" both match "src/vendor/a.h". "*" also matches "/".
bool matches_any(const std::vector<std::string>& patterns, const std::string& file);

} // namespace gputest::model
