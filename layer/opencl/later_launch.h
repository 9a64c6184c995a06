// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches whose turn comes after the program's call has returned: they wait for an event that the
// program sets itself, or for commands that do.
#pragma once

#include "layer/opencl/given_argument.h"
#include "layer/opencl/launch_call.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gputest::layer {

struct LaterLaunch {
  // Makes the launch in a queue of its own. Throws std::exception.
  std::function<cl_int(const LaunchCall&)> make;
  // Called with the reason if `make` throws. The event of the launch then says that it failed.
  std::function<void(const std::string&)> failed;
  const std::vector<GivenArgument>& given; // their memory is kept until then
};

// Makes the launch on a thread when its turn has come. Commands behind it wait for it, and so does
// the event of the call, which is that of a marker. Throws std::runtime_error.
void make_later(const LaunchCall& call, std::unique_ptr<Turn> turn, LaterLaunch launch);

} // namespace gputest::layer
