// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/names.h"

#include <set>

namespace gputest::cuda::compiler {

using Names = std::set<std::string, std::less<>>;

// The words of a text, which single blanks separate.
inline Names names_in(std::string_view text) {
  const std::vector<std::string> words = model::split(text, ' ');
  return {words.begin(), words.end()};
}

} // namespace gputest::cuda::compiler
