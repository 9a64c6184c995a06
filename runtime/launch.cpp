#include "runtime/launch.h"

#include "runtime/kernel_memory.h"

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

void read_back(const Context& context, const KernelMemory& memory, std::size_t position,
               LaunchArgument& argument, const std::string& kernel, LaunchOutcome& outcome) {
  Bytes zone;
  if (argument.read_back)
    memory.read(position, argument.bytes);
  if (argument.kind == LaunchArgument::Kind::Buffer)
    memory.read_guard_zone(position, zone = Bytes(kGuardBytes));
  context.queue.finish();
  if (zone.empty())
    return;
  if (const std::string problem = check_guard_zone(zone, argument, kernel); !problem.empty())
    outcome.out_of_bounds.push_back(problem);
}

LaunchOutcome launch_unchecked(const Context& context, cl::Kernel kernel, const Launch& launch,
                               std::vector<LaunchArgument>& arguments, Bytes& state,
                               const std::string& name) {
  check_remainder(context, launch, name);
  const KernelMemory memory(context, arguments, name);
  memory.set_arguments(kernel, arguments);
  cl::Buffer state_buffer;
  if (!state.empty()) {
    state_buffer = cl::Buffer(context.context, CL_MEM_READ_WRITE, state.size());
    context.queue.enqueueWriteBuffer(state_buffer, CL_TRUE, 0, state.size(), state.data());
    kernel.setArg(static_cast<cl_uint>(arguments.size()), state_buffer);
  }

  LaunchOutcome outcome;
  const auto start = std::chrono::steady_clock::now();
  try {
    context.queue.enqueueNDRangeKernel(
        kernel, nd_range(launch.global_offset, launch.dimensions),
        nd_range(launch.global_size, launch.dimensions),
        has_local_size(launch) ? nd_range(launch.local_size, launch.dimensions) : cl::NullRange);
    context.queue.finish();
  } catch (const cl::Error& error) {
    throw launch_error(error, name, beyond_limits(context, kernel, launch, arguments, true));
  }
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

std::vector<std::uint64_t> argument_sizes(const std::vector<LaunchArgument>& arguments) {
  std::vector<std::uint64_t> sizes;
  for (const LaunchArgument& argument : arguments)
    sizes.push_back(argument.kind == LaunchArgument::Kind::Buffer  ? argument.bytes.size()
                    : argument.kind == LaunchArgument::Kind::Local ? argument.local_size
                                                                   : 0);
  return sizes;
}

} // namespace gputest::runtime
