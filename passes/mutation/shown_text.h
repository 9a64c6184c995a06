// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shortens the texts that show a mutant in reports.
#pragma once

#include <string>
#include <utility>

namespace gputest::passes::mutation {

// Returns both texts. If one has more than 600 bytes, such as a sum of hundreds of terms, both are
// shortened: they keep their ends and the surroundings of their differences, with "…" for the rest.
std::pair<std::string, std::string> shown(const std::string& text, const std::string& replacement);

} // namespace gputest::passes::mutation
