// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the device that CTest has allocated to a test: `ctest --resource-spec-file`
// (docs/many-machines.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gputest::runtime {

// Returns CTest's name for the devices that `wanted` may mean: "gpus" for "" and "gpu", "cpus" for
// "cpu", "accelerators" for "accelerator". Empty: CTest does not allocate a device that is wanted
// by its own name.
std::string_view resource_of(std::string_view wanted);

// Returns the index in list_devices() of the device that the variables CTEST_RESOURCE_GROUP_… name
// for `wanted`: the first, if they name several. nullopt: CTest has allocated none of that kind.
// Throws UsageError for an id that `gputest resources` would not write.
std::optional<std::size_t> allocated_device(const std::string& wanted);

} // namespace gputest::runtime
