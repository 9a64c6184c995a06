// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs keep binaries of what they have built, and create programs from these the next time. The
// cache keeps the source from which a binary was built, by the binary's content.
#pragma once

#include "layer/opencl/builds/build.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gputest::layer {

// Called when the program takes `binary`, built from `units`.
void remember_binary(const std::filesystem::path& cache, std::span<const std::byte> binary,
                     const std::vector<Unit>& units);

// Returns the sources from which `binary` was built; empty: unknown.
std::vector<Unit> units_of_binary(const std::filesystem::path& cache,
                                  std::span<const std::byte> binary);

// The binary of a program whose kernels others stand in for: its sources. No device takes it, so it
// is never mistaken for kernels that do nothing.
std::string stand_in_binary(const std::vector<Unit>& units);
// Returns its sources, which stand in, and of another binary none.
std::vector<Unit> units_of_stand_in(std::span<const std::byte> binary);

} // namespace gputest::layer
