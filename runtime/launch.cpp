#include "runtime/launch.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

std::string kernel_name(const cl::Kernel& kernel) {
  std::string name = kernel.getInfo<CL_KERNEL_FUNCTION_NAME>();
  while (!name.empty() && name.back() == '\0')
    name.pop_back();
  return name;
}

// No two neighbouring bytes alike, and none of them a likely value.
std::byte guard(std::size_t at) {
  return static_cast<std::byte>(0xA5 ^ (at * 37 & 0xff));
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

bool has_local_size(const Launch& launch) {
  return launch.local_size[0] != 0;
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

// A buffer with the guard zone behind it.
cl::Buffer make_buffer(const Context& context, const LaunchArgument& argument) {
  Bytes initial = argument.bytes;
  initial.resize(argument.bytes.size() + kGuardBytes);
  for (std::size_t i = 0; i < kGuardBytes; ++i)
    initial[argument.bytes.size() + i] = guard(i);
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

std::array<std::size_t, 3> region_of(const ImageLayout& layout) {
  if (layout.type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
    return {layout.width, layout.depth, 1};
  return {layout.width, layout.height, layout.depth};
}

// Memory objects of one launch, by position.
struct Memory {
  std::vector<cl::Buffer> buffers;
  std::vector<cl::Image2D> images; // of any type: cl::Image itself cannot be made
  std::vector<cl::Sampler> samplers;
};

void set_argument(const Context& context, cl::Kernel& kernel, cl_uint position,
                  const LaunchArgument& argument, Memory& memory) {
  switch (argument.kind) {
  case LaunchArgument::Kind::Value:
    kernel.setArg(position, argument.bytes.size(), argument.bytes.data());
    return;
  case LaunchArgument::Kind::Buffer:
    memory.buffers[position] = make_buffer(context, argument);
    kernel.setArg(position, memory.buffers[position]);
    return;
  case LaunchArgument::Kind::Local:
    kernel.setArg(position, argument.local_size, nullptr);
    return;
  case LaunchArgument::Kind::Image: {
    memory.images[position] = make_image(context, *argument.image, argument.bytes,
                                         argument.writable, memory.buffers[position]);
    if (argument.image->type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
      context.queue.enqueueWriteImage(memory.images[position], CL_TRUE, {0, 0, 0},
                                      region_of(*argument.image), 0, 0, argument.bytes.data());
    kernel.setArg(position, memory.images[position]);
    return;
  }
  case LaunchArgument::Kind::Sampler:
    memory.samplers[position] =
        cl::Sampler(context.context, argument.sampler.normalized_coordinates ? CL_TRUE : CL_FALSE,
                    argument.sampler.addressing_mode, argument.sampler.filter_mode);
    kernel.setArg(position, memory.samplers[position]);
    return;
  }
}

// Empty if the guard zone is as it was.
std::string check_guard(std::span<const std::byte> zone, const LaunchArgument& argument,
                        const std::string& kernel) {
  std::size_t changed = 0, first = 0;
  for (std::size_t i = zone.size(); i-- > 0;)
    if (zone[i] != guard(i)) {
      ++changed;
      first = i;
    }
  if (changed == 0)
    return "";
  const std::size_t elements = argument.bytes.size() / argument.element_size;
  return fmt::format(
      "kernel '{}' wrote {} byte{} past the end of '{}' ({} elements), first at index {}", kernel,
      changed, changed == 1 ? "" : "s", argument.name, elements,
      elements + first / argument.element_size);
}

void read_back(const Context& context, const Memory& memory, std::size_t position,
               LaunchArgument& argument, const std::string& kernel, LaunchOutcome& outcome) {
  if (argument.kind == LaunchArgument::Kind::Image && argument.read_back) {
    if (argument.image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
      context.queue.enqueueReadBuffer(memory.buffers[position], CL_TRUE, 0, argument.bytes.size(),
                                      argument.bytes.data());
    else
      context.queue.enqueueReadImage(memory.images[position], CL_TRUE, {0, 0, 0},
                                     region_of(*argument.image), 0, 0, argument.bytes.data());
  }
  if (argument.kind != LaunchArgument::Kind::Buffer)
    return;
  Bytes zone(kGuardBytes);
  context.queue.enqueueReadBuffer(memory.buffers[position], CL_TRUE, argument.bytes.size(),
                                  zone.size(), zone.data());
  if (const std::string problem = check_guard(zone, argument, kernel); !problem.empty())
    outcome.out_of_bounds.push_back(problem);
  if (argument.read_back)
    context.queue.enqueueReadBuffer(memory.buffers[position], CL_TRUE, 0, argument.bytes.size(),
                                    argument.bytes.data());
}

LaunchOutcome launch_unchecked(const Context& context, cl::Kernel kernel, const Launch& launch,
                               std::vector<LaunchArgument>& arguments, Bytes& state,
                               const std::string& name) {
  check_limits(context, kernel, launch, arguments, name);
  Memory memory{std::vector<cl::Buffer>(arguments.size()),
                std::vector<cl::Image2D>(arguments.size()),
                std::vector<cl::Sampler>(arguments.size())};
  for (cl_uint i = 0; i < arguments.size(); ++i)
    checked(fmt::format("kernel '{}', argument '{}'", name, arguments[i].name),
            [&] { set_argument(context, kernel, i, arguments[i], memory); });
  cl::Buffer state_buffer;
  if (!state.empty()) {
    state_buffer = cl::Buffer(context.context, CL_MEM_READ_WRITE, state.size());
    context.queue.enqueueWriteBuffer(state_buffer, CL_TRUE, 0, state.size(), state.data());
    kernel.setArg(static_cast<cl_uint>(arguments.size()), state_buffer);
  }

  LaunchOutcome outcome;
  const auto start = std::chrono::steady_clock::now();
  context.queue.enqueueNDRangeKernel(
      kernel, nd_range(launch.global_offset, launch.dimensions),
      nd_range(launch.global_size, launch.dimensions),
      has_local_size(launch) ? nd_range(launch.local_size, launch.dimensions) : cl::NullRange);
  context.queue.finish();
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  for (std::size_t i = 0; i < arguments.size(); ++i)
    read_back(context, memory, i, arguments[i], name, outcome);
  if (!state.empty())
    context.queue.enqueueReadBuffer(state_buffer, CL_TRUE, 0, state.size(), state.data());
  return outcome;
}

} // namespace

void check_ndrange(const Launch& launch, bool allow_remainder, const std::string& what) {
  for (unsigned i = 0; i < launch.dimensions; ++i) {
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

LaunchOutcome launch_kernel(const Context& context, const cl::Kernel& kernel, const Launch& launch,
                            std::vector<LaunchArgument>& arguments, Bytes& state) {
  const std::string name = checked("", [&] { return kernel_name(kernel); });
  return checked(fmt::format("kernel '{}'", name),
                 [&] { return launch_unchecked(context, kernel, launch, arguments, state, name); });
}

} // namespace gputest::runtime
