// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes of lines by which GitHub's code scanning knows a result again when lines before it change:
// SARIF's fingerprint `primaryLocationLineHash`. GitHub's own action for uploads makes the same
// ones (github/codeql-action, src/fingerprints.ts), and warns of others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gputest::report {

inline constexpr const char* kLineHash = "primaryLocationLineHash";

// Returns a hash for each line of a file, in order: of the 100 UTF-16 units that begin there,
// without spaces, and how many lines up to it have the same hash, "a7f2ff13bc495cf2:1".
std::vector<std::string> line_hashes(std::string_view text);

} // namespace gputest::report
