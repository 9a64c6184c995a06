// Asking a device for the macros that sources ask about.
#pragma once

#include "model/sites.h"
#include "runtime/program.h"

#include <vector>

namespace gputest::runtime {

// What the device itself says about the macros named in `assumed`.
std::vector<model::DeviceMacro> probe_macros(const Context& context,
                                             std::vector<model::DeviceMacro> assumed,
                                             const BuildSettings& settings);

} // namespace gputest::runtime
