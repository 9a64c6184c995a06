// CTest's resource specification of the devices that are there (ctest-resource-groups).
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace gputest::driver {

struct ListedDevice {
  std::string type;   // "gpu", "cpu", "accelerator", "custom"
  std::string name;   // for people
  unsigned cores = 1; // of a CPU: so many tests may use it at once
};

// Each device's id is its index. "gpus" are the GPUs, or where there is none all devices, which
// then stand for them; "cpus" and "accelerators" are those. `gpu_slots`: so many tests may share a
// GPU.
nlohmann::ordered_json resource_specification(std::span<const ListedDevice> devices,
                                              unsigned gpu_slots);

} // namespace gputest::driver
