// Mutants of the launch: other local sizes and numbers of work-groups.
#pragma once

#include "gputest/launch.h"
#include "model/mutation/mutants.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gputest::runtime {

// `launch` as the mutant changes it; nullopt where that leaves it as it is. Where the device
// chooses the local size there are no items to add to a group and nothing to exchange; more groups
// then are more work-items. Sizes may become 0.
std::optional<Launch> changed_launch(const Launch& launch, const model::Mutant& mutant);

// How many times the work of the busiest work-item the change may mean, at least 1, where the work
// is dealt out by sizes: items that stride over data by the size of a group have more to do in
// smaller groups, one that sums up for its group has more in larger ones, and so it is with numbers
// of groups.
std::uint64_t work_factor(const Launch& launch, const Launch& changed);

// "a size of 0 in dimension 1"; empty if there is none.
std::string empty_dimension(const Launch& launch);

} // namespace gputest::runtime
