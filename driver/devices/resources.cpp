// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/devices/resources.h"

#include <algorithm>

namespace gputest::driver {

nlohmann::ordered_json resource_specification(std::span<const ListedDevice> devices,
                                              unsigned gpu_slots) {
  using Json = nlohmann::ordered_json;
  const bool has_gpu =
      std::ranges::any_of(devices, [](const ListedDevice& one) { return one.type == "gpu"; });
  Json local = Json::object();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const ListedDevice& device = devices[i];
    const Json entry{{"id", std::to_string(i)},
                     {"slots", device.type == "cpu" ? std::max(device.cores, 1u) : gpu_slots}};
    if (device.type == "gpu" || !has_gpu)
      local["gpus"].push_back(entry);
    if (device.type == "cpu" || device.type == "accelerator")
      local[device.type + "s"].push_back(entry);
  }
  return {{"version", {{"major", 1}, {"minor", 0}}}, {"local", Json::array({local})}};
}

} // namespace gputest::driver
