// The device that CTest has allocated to a test: `ctest --resource-spec-file`
// (docs/many-machines.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::runtime {

// CTest's name for the devices that `wanted` may mean: "gpus" of "" and "gpu", "cpus" of "cpu",
// "accelerators" of "accelerator". Empty: a device that is wanted by its own name is not allocated.
std::string_view resource_of(std::string_view wanted);

// The index of the device in list_devices() that the variables CTEST_RESOURCE_GROUP_… name for
// `wanted`, the first if they name several; nullopt: CTest has allocated none of the kind. Throws
// UsageError for an id that `gputest resources` would not write.
std::optional<std::size_t> allocated_device(const std::string& wanted);

} // namespace gputest::runtime
