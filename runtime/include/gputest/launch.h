// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel is launched, and how close its outputs must be to the expected ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gputest {

// The NDRange of a launch. Unused dimensions have size 1 and offset 0.
struct Launch {
  std::array<std::size_t, 3> global_size{1, 1, 1};
  std::array<std::size_t, 3> local_size{1, 1, 1}; // all 0: the device chooses
  std::array<std::size_t, 3> global_offset{0, 0, 0};
  unsigned dimensions = 1;       // 1, 2 or 3
  std::size_t shared_memory = 0; // CUDA: bytes of dynamic __shared__ memory in a block
  unsigned lock_step = 0;        // of so many work-items, which the kernel relies on
};

// Says when a value is as expected: if any of the given tolerances holds, or if it is equal. NaN
// equals NaN, an infinity equals only the same infinity, and +0 equals -0. Integers are compared
// exactly unless `absolute` or `relative` is given.
struct Tolerance {
  std::optional<double> absolute{};   // |actual - expected| <= absolute
  std::optional<double> relative{};   // |actual - expected| <= relative * |expected|
  std::optional<std::uint64_t> ulp{}; // the values are at most this many representable values
                                      // apart; floating-point types only
};

} // namespace gputest
