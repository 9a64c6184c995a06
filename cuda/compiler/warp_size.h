// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code that uses warpSize as a constant. It is a value of the run otherwise, because the
// user may choose it (cuda/include/gputest_cuda/warps.h).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace gputest::cuda::compiler {

// Whether Clang's messages say that the code may need the constant, as for a static_assert or the
// size of an array.
inline bool needs_constant_warp_size(const std::string& messages) {
  return messages.find("initializer of 'warpSize' is unknown") != std::string::npos ||
         messages.find("variable length array declaration") != std::string::npos;
}

// Returns the argument that makes warpSize a constant: the size that the code has by default.
inline std::string constant_warp_size(const std::vector<std::string>& arguments) {
  return std::ranges::find(arguments, "-DGPUTEST_DEFAULT_WARP_SIZE=64") != arguments.end()
             ? "-DGPUTEST_WARP_SIZE=64"
             : "-DGPUTEST_WARP_SIZE=32";
}

} // namespace gputest::cuda::compiler
