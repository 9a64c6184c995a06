// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks a machine for the macros that sources ask about.
#pragma once

#include "model/sites.h"
#include "runtime/machine/machine.h"

#include <vector>

namespace gputest::runtime {

// Returns the macros named in `assumed` with the machine's own values.
std::vector<model::DeviceMacro> probe_macros(Machine& machine,
                                             std::vector<model::DeviceMacro> assumed,
                                             const BuildSettings& settings);

} // namespace gputest::runtime
