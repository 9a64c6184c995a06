// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/arguments.h"

#include "model/launches/lock_step.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {

Launch launch_of(const RunOptions& options, const std::string& what) {
  Launch launch;
  launch.dimensions = static_cast<unsigned>(options.global_size.size());
  if (launch.dimensions < 1 || launch.dimensions > 3)
    throw UsageError(fmt::format("{}: global_size has {} dimensions; OpenCL has 1 to 3", what,
                                 launch.dimensions));
  const auto copy = [&](const std::vector<std::size_t>& from, std::array<std::size_t, 3>& to,
                        std::string_view name) {
    if (!from.empty() && from.size() != launch.dimensions)
      throw UsageError(fmt::format("{}: {} has {} dimensions, global_size {}", what, name,
                                   from.size(), launch.dimensions));
    std::ranges::copy(from, to.begin());
  };
  launch.local_size.fill(options.local_size.empty() ? 0 : 1);
  copy(options.global_size, launch.global_size, "global_size");
  copy(options.local_size, launch.local_size, "local_size");
  copy(options.global_offset, launch.global_offset, "global_offset");
  if (std::ranges::count(options.local_size, 0u) != 0)
    throw UsageError(what + ": local_size is 0");
  launch.lock_step = options.lock_step;
  if (launch.lock_step != 0)
    if (const std::string why = model::why_not_in_step(launch.lock_step, options.local_size);
        !why.empty())
      throw UsageError(what + ": " + why);
  check_ndrange(launch, options.cl_std.starts_with("CL") && options.cl_std > "CL1.2", what);
  return launch;
}

using detail::KernelArgument;

namespace {

[[noreturn]] void throw_lost(const std::string& kernel, const std::string& argument) {
  throw UsageError(fmt::format("kernel '{}' writes its argument '{}', which was given as const, so "
                               "what it wrote would be lost: pass elements that are not const",
                               kernel, argument));
}

} // namespace

LaunchArgument launch_argument(const KernelArgument& given, const DeclaredArgument* declared,
                               std::size_t position, const std::string& kernel) {
  LaunchArgument argument;
  argument.name = declared ? declared->name : std::to_string(position);
  const std::string what = fmt::format("kernel '{}', argument '{}'", kernel, argument.name);
  argument.bytes.assign(given.bytes.begin(), given.bytes.end());
  argument.element_size = std::max<std::size_t>(given.element_size, 1);
  // Memory that was given as const is read back as well, to find out whether the kernel wrote it.
  argument.is_null = given.is_null;
  argument.read_back = given.read_back || given.output ||
                       (!given.is_null && given.kind == KernelArgument::Kind::Buffer &&
                        !(declared && declared->constant));
  switch (given.kind) {
  case KernelArgument::Kind::Value:
    argument.kind = LaunchArgument::Kind::Value;
    break;
  case KernelArgument::Kind::Buffer:
    argument.kind = LaunchArgument::Kind::Buffer;
    argument.bytes.resize(given.size);
    break;
  case KernelArgument::Kind::Local:
    argument.kind = LaunchArgument::Kind::Local;
    argument.local_size = given.size;
    break;
  case KernelArgument::Kind::Sampler:
    argument.kind = LaunchArgument::Kind::Sampler;
    argument.sampler = {given.sampler.addressing_mode, given.sampler.filter_mode,
                        given.sampler.normalized_coordinates};
    break;
  case KernelArgument::Kind::Image: {
    argument.kind = LaunchArgument::Kind::Image;
    argument.image = image_layout(given.image.type, given.image.format, given.image.width,
                                  given.image.height, given.image.depth, what);
    const std::size_t needed = argument.image->pixels() * argument.image->pixel_size();
    if (given.size != needed)
      throw UsageError(
          fmt::format("{}: the image needs {} bytes, {} were given", what, needed, given.size));
    argument.writable = !declared || declared->writable;
    if (declared && declared->writable && !given.read_back)
      throw_lost(kernel, argument.name);
    break;
  }
  }
  if ((given.kind == KernelArgument::Kind::Buffer || given.kind == KernelArgument::Kind::Local) &&
      given.size == 0 && !given.is_null)
    throw UsageError(what + ": has no elements; a buffer needs at least one");
  return argument;
}

void check_unchanged(const KernelArgument& given, const LaunchArgument& launched,
                     const std::string& kernel) {
  if (given.kind != KernelArgument::Kind::Buffer || given.read_back || given.output ||
      std::ranges::equal(given.bytes, launched.bytes))
    return;
  throw_lost(kernel, launched.name);
}

} // namespace gputest::runtime
