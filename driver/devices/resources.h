// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes CTest's resource specification of the devices (ctest-resource-groups).
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace gputest::driver {

struct ListedDevice {
  std::string type;   // "gpu", "cpu", "accelerator", "custom"
  std::string name;   // for people
  unsigned cores = 1; // CPU: this many tests may use it at once
};

// Returns the specification. Each device's id is its index. "gpus" has the GPUs or, where there is
// none, all devices in their place. "cpus" and "accelerators" have those. `gpu_slots`: this many
// tests may share a GPU.
nlohmann::ordered_json resource_specification(std::span<const ListedDevice> devices,
                                              unsigned gpu_slots);

} // namespace gputest::driver
