// Reads the JSON of a launch (protocol.h).
#pragma once

#include "simulator/execute/launch.h"

#include <nlohmann/json_fwd.hpp>

namespace gputest::simulator {

// Throws InputError and nlohmann::json::exception. check_request() checks whether the launch fits
// the kernel.
LaunchRequest launch_request(const nlohmann::json& json);

} // namespace gputest::simulator
