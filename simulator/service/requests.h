// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the launch from a message (wire.h).
#pragma once

#include "simulator/execute/launch.h"
#include "simulator/service/wire.h"

namespace gputest::simulator {

// check_request() checks whether the launch fits the kernel.
LaunchRequest launch_request(const wire::Launch& launch);

} // namespace gputest::simulator
