// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/argument.h"

#include "gputest/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace gputest::runtime {

std::vector<std::uint64_t> argument_sizes(const std::vector<LaunchArgument>& arguments) {
  std::vector<std::uint64_t> sizes;
  for (const LaunchArgument& argument : arguments)
    sizes.push_back(argument.kind == LaunchArgument::Kind::Buffer  ? argument.bytes.size()
                    : argument.kind == LaunchArgument::Kind::Local ? argument.local_size
                                                                   : 0);
  return sizes;
}

bool has_local_size(const Launch& launch) {
  return launch.local_size[0] != 0;
}

std::array<std::size_t, 3> chosen_block(const Launch& launch) {
  if (has_local_size(launch))
    return launch.local_size;
  constexpr std::size_t kMost = 64;
  std::size_t width = std::min(kMost, std::max<std::size_t>(launch.global_size[0], 1));
  while (launch.global_size[0] % width != 0)
    --width;
  return {width, 1, 1};
}

model::Sizes sizes_of(const Launch& launch) {
  model::Sizes sizes{.dimensions = launch.dimensions};
  for (unsigned i = 0; i < launch.dimensions; ++i) {
    sizes.global[i] = launch.global_size[i];
    sizes.local[i] = launch.local_size[i];
    sizes.offset[i] = launch.global_offset[i];
  }
  return sizes;
}

Launch launch_of(const model::Sizes& sizes) {
  return {.global_size = sizes.global,
          .local_size = sizes.local,
          .global_offset = sizes.offset,
          .dimensions = sizes.dimensions};
}

void check_ndrange(const Launch& launch, bool allow_remainder, const std::string& what) {
  std::size_t items = 1, group = 1; // of the NDRange, and of a work-group
  for (unsigned i = 0; i < launch.dimensions; ++i) {
    constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
    if (__builtin_mul_overflow(items, launch.global_size[i], &items) || items > kMost ||
        __builtin_mul_overflow(group, launch.local_size[i], &group) || group > kMost)
      throw UsageError(
          fmt::format("{}: the sizes multiply to more than {} work-items", what, kMost));
    if (launch.global_size[i] == 0)
      throw UsageError(fmt::format("{}: global size is 0 in dimension {}", what, i));
    if (!has_local_size(launch))
      continue;
    if (launch.local_size[i] == 0)
      throw UsageError(fmt::format("{}: local size is 0 in dimension {}", what, i));
    if (launch.global_size[i] % launch.local_size[i] != 0 && !allow_remainder)
      throw UsageError(fmt::format(
          "{}: global size {} is not a multiple of local size {} in dimension {}; OpenCL C before "
          "2.0 needs that: round the global size up and let the kernel ignore the surplus",
          what, launch.global_size[i], launch.local_size[i], i));
  }
}

} // namespace gputest::runtime
