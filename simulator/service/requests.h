// A launch as protocol.h says it in JSON.
#pragma once

#include "simulator/execute/launch.h"

#include <nlohmann/json_fwd.hpp>

namespace gputest::simulator {

// Throws InputError and nlohmann::json::exception. Whether it fits the kernel, check_request()
// says.
LaunchRequest launch_request(const nlohmann::json& json);

} // namespace gputest::simulator
