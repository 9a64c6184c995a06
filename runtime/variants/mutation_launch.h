// Mutants of the launch: other local sizes and numbers of work-groups.
#pragma once

#include "gputest/launch.h"
#include "model/mutants.h"

#include <optional>
#include <string>

namespace gputest::runtime {

// `launch` as the mutant changes it; nullopt where that leaves it as it is. Where the device
// chooses the local size there are no items to add to a group and nothing to exchange; more groups
// then are more work-items. Sizes may become 0.
std::optional<Launch> changed_launch(const Launch& launch, const model::Mutant& mutant);

// "a size of 0 in dimension 1"; empty if there is none.
std::string empty_dimension(const Launch& launch);

} // namespace gputest::runtime
