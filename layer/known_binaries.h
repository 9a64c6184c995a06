// Programs keep binaries of what they have built, and create programs from these the next time.
// From which source a binary was built is kept in the cache, by the binary's content.
#pragma once

#include "layer/build.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace gputest::layer {

// The program takes `binary`, built from `units`.
void remember_binary(const std::filesystem::path& cache, std::span<const std::byte> binary,
                     const std::vector<Unit>& units);

// What `binary` was built from; empty: not known.
std::vector<Unit> units_of_binary(const std::filesystem::path& cache,
                                  std::span<const std::byte> binary);

} // namespace gputest::layer
