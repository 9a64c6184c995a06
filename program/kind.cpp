// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/kind.h"

#include <algorithm>

namespace gputest::program {

const ProgramKind& kind_of(std::span<const ProgramKind> kinds,
                           const std::filesystem::path& executable) {
  return *std::ranges::find_if(kinds, [&](const ProgramKind& kind) {
    return !kind.recognises || kind.recognises(executable);
  });
}

} // namespace gputest::program
