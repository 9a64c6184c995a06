// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/opencl/kernel_memory.h"

#include "runtime/cases/guard_zone.h"
#include "runtime/machine/machine.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

// Makes a buffer with the guard zone behind it.
cl::Buffer make_buffer(const Context& context, const LaunchArgument& argument) {
  const Bytes zone = guard_zone();
  const std::size_t size = argument.bytes.size();
  cl::Buffer buffer(context.context, CL_MEM_READ_WRITE, size + zone.size());
  context.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, size, argument.bytes.data());
  context.queue.enqueueWriteBuffer(buffer, CL_TRUE, size, zone.size(), zone.data());
  return buffer;
}

cl::Image2D make_image(const Context& context, const ImageLayout& layout, const Bytes& pixels,
                       bool writable, cl::Buffer& storage) {
  cl_image_desc description{};
  description.image_type = layout.type;
  description.image_width = layout.width;
  description.image_height = layout.height;
  description.image_depth = layout.depth;
  description.image_array_size = layout.depth;
  if (layout.type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
    storage = cl::Buffer(context.context, CL_MEM_READ_WRITE, pixels.size());
    context.queue.enqueueWriteBuffer(storage, CL_TRUE, 0, pixels.size(), pixels.data());
    description.buffer = storage();
  }
  cl_int error = CL_SUCCESS;
  const cl_mem image =
      ::clCreateImage(context.context(), writable ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY,
                      &layout.format, &description, nullptr, &error);
  if (error != CL_SUCCESS)
    throw cl::Error(error, "clCreateImage");
  return cl::Image2D(image);
}

// Returns " (channel_order RG, channel_type float)". Not every device has each format.
std::string format_of(const LaunchArgument& argument) {
  if (!argument.image)
    return "";
  const ImageWords words = words_of(*argument.image);
  return fmt::format(" (channel_order {}, channel_type {})", words.channel_order,
                     words.channel_type);
}

} // namespace

KernelMemory::KernelMemory(const Context& context, const std::vector<LaunchArgument>& arguments,
                           const std::string& kernel)
    : context_(context), kernel_(kernel), buffers_(arguments.size()), images_(arguments.size()),
      samplers_(arguments.size()), regions_(arguments.size()), sizes_(arguments.size()) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const LaunchArgument& argument = arguments[i];
    sizes_[i] = argument.bytes.size();
    checked(fmt::format("kernel '{}', argument '{}'{}", kernel, argument.name, format_of(argument)),
            [&] {
              if (argument.kind == LaunchArgument::Kind::Buffer && !argument.is_null)
                buffers_[i] = make_buffer(context, argument);
              if (argument.kind == LaunchArgument::Kind::Sampler)
                samplers_[i] = cl::Sampler(
                    context.context, argument.sampler.normalized_coordinates ? CL_TRUE : CL_FALSE,
                    argument.sampler.addressing_mode, argument.sampler.filter_mode);
              if (argument.kind != LaunchArgument::Kind::Image)
                return;
              images_[i] = make_image(context, *argument.image, argument.bytes, argument.writable,
                                      buffers_[i]);
              if (argument.image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
                return;
              regions_[i] = region_of(*argument.image);
              context.queue.enqueueWriteImage(images_[i], CL_TRUE, {0, 0, 0}, regions_[i], 0, 0,
                                              argument.bytes.data());
            });
  }
}

void KernelMemory::set_arguments(cl::Kernel& kernel,
                                 const std::vector<LaunchArgument>& arguments) const {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto position = static_cast<cl_uint>(i);
    const LaunchArgument& argument = arguments[i];
    checked(fmt::format("kernel '{}', argument '{}'", kernel_, argument.name), [&] {
      switch (argument.kind) {
      case LaunchArgument::Kind::Value:
        kernel.setArg(position, argument.bytes.size(), argument.bytes.data());
        return;
      case LaunchArgument::Kind::Buffer:
        kernel.setArg(position, buffers_[i]);
        return;
      case LaunchArgument::Kind::Local:
        kernel.setArg(position, argument.local_size, nullptr);
        return;
      case LaunchArgument::Kind::Image:
        kernel.setArg(position, images_[i]);
        return;
      case LaunchArgument::Kind::Sampler:
        kernel.setArg(position, samplers_[i]);
        return;
      }
    });
  }
}

void KernelMemory::write(std::size_t position, std::span<const std::byte> bytes) const {
  if (buffers_[position]() != nullptr)
    context_.queue.enqueueWriteBuffer(buffers_[position], CL_FALSE, 0, bytes.size(), bytes.data());
  else
    context_.queue.enqueueWriteImage(images_[position], CL_FALSE, {0, 0, 0}, regions_[position], 0,
                                     0, bytes.data());
}

void KernelMemory::read(std::size_t position, std::span<std::byte> bytes) const {
  if (buffers_[position]() != nullptr)
    context_.queue.enqueueReadBuffer(buffers_[position], CL_FALSE, 0, bytes.size(), bytes.data());
  else
    context_.queue.enqueueReadImage(images_[position], CL_FALSE, {0, 0, 0}, regions_[position], 0,
                                    0, bytes.data());
}

void KernelMemory::read_guard_zone(std::size_t position, std::span<std::byte> zone) const {
  context_.queue.enqueueReadBuffer(buffers_[position], CL_FALSE, sizes_[position], zone.size(),
                                   zone.data());
}

cl::NDRange nd_range(const std::array<std::size_t, 3>& sizes, unsigned dimensions) {
  switch (dimensions) {
  case 1:
    return cl::NDRange(sizes[0]);
  case 2:
    return cl::NDRange(sizes[0], sizes[1]);
  default:
    return cl::NDRange(sizes[0], sizes[1], sizes[2]);
  }
}

std::string beyond_limits(const Context& context, const cl::Kernel& kernel, const Launch& launch,
                          const std::vector<LaunchArgument>& arguments, bool arguments_set) {
  const cl::Device& device = context.device.device;
  std::vector<std::string> beyond;
  const auto largest_buffer = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  std::size_t local = 0;
  std::string local_arguments;
  for (const LaunchArgument& argument : arguments) {
    if (argument.kind == LaunchArgument::Kind::Local) {
      local += argument.local_size;
      local_arguments += fmt::format("{}'{}': {}", local_arguments.empty() ? "" : ", ",
                                     argument.name, argument.local_size);
    }
    if (argument.kind == LaunchArgument::Kind::Buffer &&
        argument.bytes.size() + kGuardBytes > largest_buffer)
      beyond.push_back(fmt::format(
          "argument '{}' has {} bytes and a guard zone of {}, the largest buffer of {} "
          "is said to have {}",
          argument.name, argument.bytes.size(), kGuardBytes, context.device.name, largest_buffer));
  }
  const std::size_t reported = kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device);
  // Once arguments are set, some devices count them and some do not.
  const std::size_t needed = arguments_set ? std::max(reported, local) : local + reported;
  const auto available = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  if (needed > available)
    beyond.push_back(
        fmt::format("it needs {} bytes of local memory{}, {} says that it has {}: use a smaller "
                    "local size or smaller __local arguments",
                    needed, local_arguments.empty() ? "" : " (" + local_arguments + ")",
                    context.device.name, available));
  const std::size_t items = launch.local_size[0] * launch.local_size[1] * launch.local_size[2];
  const auto largest_group = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
  if (items > largest_group)
    beyond.push_back(fmt::format(
        "local size {} has {} work-items, {} says that it runs at most {} in a "
        "work-group of this kernel",
        fmt::join(launch.local_size, " x "), items, context.device.name, largest_group));
  return fmt::format("{}", fmt::join(beyond, "; "));
}

DeviceError launch_error(const cl::Error& error, const std::string& kernel,
                         const std::string& beyond_limits) {
  const std::string message = device_error(error, fmt::format("kernel '{}'", kernel)).what();
  return DeviceError(beyond_limits.empty() ? message : message + "; " + beyond_limits);
}

void check_launch(const Context& context, const Launch& launch, const std::string& kernel) {
  if (launch.lock_step != 0 && !keeps_in_step(context.device, launch.lock_step))
    throw DeviceError(
        fmt::format("kernel '{}': {}", kernel, not_in_step(context.device.name, launch.lock_step)));
  for (unsigned i = 0; i < launch.dimensions; ++i) {
    if (!has_local_size(launch) || launch.global_size[i] % launch.local_size[i] == 0 ||
        has_remainders(context.device))
      continue;
    throw DeviceError(fmt::format(
        "kernel '{}': global size {} is not a multiple of local size {} in dimension {}, and {} "
        "has no work-groups of other sizes (CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT): round the "
        "global size up and let the kernel ignore the surplus",
        kernel, launch.global_size[i], launch.local_size[i], i, context.device.name));
  }
}

} // namespace gputest::runtime
