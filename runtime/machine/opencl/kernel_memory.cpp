#include "runtime/machine/opencl/kernel_memory.h"

#include "runtime/cases/guard_zone.h"

#include <algorithm>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

// A buffer with the guard zone behind it.
cl::Buffer make_buffer(const Context& context, const LaunchArgument& argument) {
  Bytes initial = argument.bytes;
  const Bytes zone = guard_zone();
  initial.insert(initial.end(), zone.begin(), zone.end());
  cl::Buffer buffer(context.context, CL_MEM_READ_WRITE, initial.size());
  context.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, initial.size(), initial.data());
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

} // namespace

KernelMemory::KernelMemory(const Context& context, const std::vector<LaunchArgument>& arguments,
                           const std::string& kernel)
    : context_(context), kernel_(kernel), buffers_(arguments.size()), images_(arguments.size()),
      samplers_(arguments.size()), regions_(arguments.size()), sizes_(arguments.size()) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const LaunchArgument& argument = arguments[i];
    sizes_[i] = argument.bytes.size();
    checked(fmt::format("kernel '{}', argument '{}'", kernel, argument.name), [&] {
      if (argument.kind == LaunchArgument::Kind::Buffer)
        buffers_[i] = make_buffer(context, argument);
      if (argument.kind == LaunchArgument::Kind::Sampler)
        samplers_[i] = cl::Sampler(context.context,
                                   argument.sampler.normalized_coordinates ? CL_TRUE : CL_FALSE,
                                   argument.sampler.addressing_mode, argument.sampler.filter_mode);
      if (argument.kind != LaunchArgument::Kind::Image)
        return;
      images_[i] =
          make_image(context, *argument.image, argument.bytes, argument.writable, buffers_[i]);
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

void check_limits(const Context& context, const cl::Kernel& kernel, const Launch& launch,
                  const std::vector<LaunchArgument>& arguments, const std::string& name) {
  const cl::Device& device = context.device.device;
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
      throw DeviceError(
          fmt::format("kernel '{}': argument '{}' has {} bytes, the largest buffer of "
                      "{} is {} bytes less a guard zone of {}",
                      name, argument.name, argument.bytes.size(), context.device.name,
                      largest_buffer, kGuardBytes));
  }
  // Some devices already count what the kernel declares itself, all count it before arguments are
  // set.
  const std::size_t needed = local + kernel.getWorkGroupInfo<CL_KERNEL_LOCAL_MEM_SIZE>(device);
  const auto available = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  if (needed > available)
    throw DeviceError(fmt::format(
        "kernel '{}' needs {} bytes of local memory{}, {} has {}; use a smaller local size or "
        "smaller __local arguments",
        name, needed, local_arguments.empty() ? "" : " (" + local_arguments + ")",
        context.device.name, available));
  if (!has_local_size(launch))
    return;
  const std::size_t items = launch.local_size[0] * launch.local_size[1] * launch.local_size[2];
  const auto largest_group = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
  if (items > largest_group)
    throw DeviceError(fmt::format(
        "kernel '{}': local size {} has {} work-items, {} runs at most {} "
        "in a work-group of this kernel",
        name, fmt::join(launch.local_size, " x "), items, context.device.name, largest_group));
}

} // namespace gputest::runtime
