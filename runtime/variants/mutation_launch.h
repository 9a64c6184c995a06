// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutants of the launch, which change local sizes and numbers of work-groups.
#pragma once

#include "gputest/launch.h"
#include "model/mutation/mutants.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gputest::runtime {

// Returns `launch` as the mutant changes it; nullopt: it would not change. Where the device chooses
// the local size, no mutant adds items to a group or exchanges sizes, and more groups mean more
// work-items. Sizes may become 0.
std::optional<Launch> changed_launch(const Launch& launch, const model::Mutant& mutant);

// Returns how many times as much the busiest work-item may have to do after the change, at least 1.
// Work may depend on sizes: work-items that stride over data by the size of a group do more in
// smaller groups. One that sums up for its group does more in larger groups. The same holds for
// numbers of groups.
std::uint64_t work_factor(const Launch& launch, const Launch& changed);

// Returns "a size of 0 in dimension 1"; empty: no size is 0.
std::string empty_dimension(const Launch& launch);

} // namespace gputest::runtime
