// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/run/no_device.h"

#include "driver/layer_file.h"
#include "process/scratch_folder.h"
#include "program/child.h"

namespace gputest::driver {

bool lacks_opencl() {
  constexpr double kSeconds = 60;
  const process::ScratchFolder folder("gputest-devices");
  const auto file = [&](const char* name) { return (folder.path() / name).string(); };
  return program::run_child({.command = {(own_file().parent_path() / "gputest-devices").string(),
                                         "resources", "--output", file("resources.json")},
                             .environment = {},
                             .timeout = kSeconds,
                             .output = file("output")})
             .exit_code == program::kSkipped;
}

std::string no_device_hint() {
  return lacks_opencl() ? "; there is no OpenCL device: `gputest resources` lists those there are"
                        : "";
}

} // namespace gputest::driver
