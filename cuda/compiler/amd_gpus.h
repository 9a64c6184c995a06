// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's GPUs, which --offload-arch names. Programs see the first of them: its name, its macro and
// how many lanes its wavefronts have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gputest::cuda::compiler {

inline constexpr std::string_view kUsualGpu = "gfx90a";

// Whether AMD has a GPU of that name, without features: "gfx90a".
bool is_gpu_of_amd(std::string_view name);

// How host and device read HIP for a GPU; empty: the usual one.
std::vector<std::string> arguments_for_hip(const std::string& gpu);
// What the device has besides.
std::vector<std::string> device_arguments_for_hip(const std::string& gpu);

} // namespace gputest::cuda::compiler
