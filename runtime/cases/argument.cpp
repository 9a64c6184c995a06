// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/argument.h"

#include "gputest/error.h"

#include <cstddef>
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
