// How a kernel is launched and how close its outputs must be to the expected ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gputest {

// The NDRange a kernel ran with. Dimensions that are not used have size 1 and offset 0.
struct Launch {
  std::array<std::size_t, 3> global_size{1, 1, 1};
  std::array<std::size_t, 3> local_size{1, 1, 1}; // all 0: the device chose
  std::array<std::size_t, 3> global_offset{0, 0, 0};
  unsigned dimensions = 1;       // 1, 2 or 3
  std::size_t shared_memory = 0; // of CUDA: bytes of dynamic __shared__ memory of a block
};

// A value is as expected if any of the given tolerances holds, or with none given, if it is equal.
// NaN equals NaN, an infinity equals only the same infinity, and +0 equals -0. Integers are
// compared exactly unless `absolute` or `relative` is given.
struct Tolerance {
  std::optional<double> absolute{};   // |actual - expected| <= absolute
  std::optional<double> relative{};   // |actual - expected| <= relative * |expected|
  std::optional<std::uint64_t> ulp{}; // representable values between the two; floating types only
};

} // namespace gputest
