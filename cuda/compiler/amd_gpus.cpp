// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/compiler/amd_gpus.h"

#include <algorithm>

namespace gputest::cuda::compiler {
namespace {

// A name is a generation, and two letters for the GPU: gfx 90 a is 9.0, gfx 10 30 is 10.3.
struct Generation {
  std::string_view name; // "gfx9"
  int major;
  unsigned lanes; // of a wavefront
  std::string_view gpus;
};
constexpr Generation kGenerations[]{
    {"gfx6", 6, 64, "00 01 02"},
    {"gfx7", 7, 64, "00 01 02 03 04 05"},
    {"gfx8", 8, 64, "01 02 03 05 10"},
    {"gfx9", 9, 64, "00 02 04 06 08 09 0a 0c 40 41 42 50"},
    {"gfx10", 10, 32, "10 11 12 13 30 31 32 33 34 35 36"},
    {"gfx11", 11, 32, "00 01 02 03 50 51 52 53"},
    {"gfx12", 12, 32, "00 01"},
};

const Generation* generation_of(std::string_view gpu) {
  const auto found = std::ranges::find_if(kGenerations, [&](const Generation& one) {
    if (gpu.size() != one.name.size() + 2 || !gpu.starts_with(one.name))
      return false;
    const std::size_t at = one.gpus.find(gpu.substr(one.name.size()));
    return at != std::string_view::npos && at % 3 == 0;
  });
  return found == std::end(kGenerations) ? nullptr : found;
}

} // namespace

bool is_gpu_of_amd(std::string_view name) {
  return generation_of(name) != nullptr;
}

std::vector<std::string> arguments_for_hip(const std::string& gpu) {
  const std::string name = gpu.empty() ? std::string(kUsualGpu) : gpu;
  const Generation& generation = *generation_of(name);
  return {"-DGPUTEST_HIP_ARCHITECTURE=\"" + name + "\"",
          "-DGPUTEST_HIP_MAJOR=" + std::to_string(generation.major),
          std::string("-DGPUTEST_HIP_MINOR=") + name[name.size() - 2],
          "-DGPUTEST_DEFAULT_WARP_SIZE=" + std::to_string(generation.lanes)};
}

std::vector<std::string> device_arguments_for_hip(const std::string& gpu) {
  return {"-D__" + (gpu.empty() ? std::string(kUsualGpu) : gpu) + "__=1"};
}

} // namespace gputest::cuda::compiler
