// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings the outcomes of the shards of a mutation run to the run of the whole.
#pragma once

#include <filesystem>

namespace gputest::runtime {

// Adds the outcomes in the stores of all shards, which are in `folder`, to the store `into`. Prints
// how many there were, and how many conflict. `shards`: how many should be there. Prints those that
// have left none, because they have not run or were killed: their mutants run here. Throws
// store::StoreError.
void take_shards(const std::filesystem::path& into, const std::filesystem::path& folder,
                 unsigned shards);

} // namespace gputest::runtime
