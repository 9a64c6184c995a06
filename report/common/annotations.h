// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes annotations for GitHub's CI, which reads them from what is printed: "::error
// file=k.cl,line=7,col=3,title=race::data race on …".
#pragma once

#include <string>
#include <string_view>

namespace gputest::report {

// Returns an annotation without a place. `level`: "error", "warning" or "notice".
std::string annotation(std::string_view level, std::string_view message);

// Returns one line for each result of a SARIF log that is not suppressed, errors first, because
// GitHub shows ten of each level.
std::string annotations(const std::string& sarif);

} // namespace gputest::report
