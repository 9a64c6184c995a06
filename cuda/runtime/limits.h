// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device's limits: those of a GPU of compute capability 8.0 (CUDA C++ Programming Guide,
// "Compute Capabilities"). Multiprocessors are few, because programs derive grids from their
// number.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gputest::cuda {

constexpr int kMajor = 8, kMinor = 0;
constexpr std::uint64_t kMostBlocks[3] = {2147483647, 65535, 65535};
constexpr std::uint64_t kMostThreads[3] = {1024, 1024, 64};
constexpr std::uint64_t kThreadsOfBlock = 1024;
constexpr std::size_t kSharedOfBlock = 48 << 10, kSharedOfBlockOptIn = 163 << 10,
                      kSharedOfMultiprocessor = 164 << 10;
constexpr int kThreadsOfMultiprocessor = 2048, kBlocksOfMultiprocessor = 32;
constexpr int kMultiprocessors = 4;

} // namespace gputest::cuda
