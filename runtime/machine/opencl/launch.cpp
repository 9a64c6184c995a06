// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/opencl/launch.h"

#include "model/clock.h"
#include "runtime/cases/guard_zone.h"
#include "runtime/machine/opencl/kernel_memory.h"

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
  if (argument.read_back && !argument.is_null)
    memory.read(position, argument.bytes);
  if (argument.kind == LaunchArgument::Kind::Buffer && !argument.is_null)
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
  check_launch(context, launch, name);
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
  outcome.seconds = model::seconds_since(start);

  for (std::size_t i = 0; i < arguments.size(); ++i)
    read_back(context, memory, i, arguments[i], name, outcome);
  if (!state.empty())
    context.queue.enqueueReadBuffer(state_buffer, CL_TRUE, 0, state.size(), state.data());
  return outcome;
}

} // namespace

LaunchOutcome launch_kernel(const Context& context, const cl::Kernel& kernel, const Launch& launch,
                            std::vector<LaunchArgument>& arguments, Bytes& state) {
  const std::string name = checked("", [&] { return kernel_name(kernel); });
  return checked(fmt::format("kernel '{}'", name),
                 [&] { return launch_unchecked(context, kernel, launch, arguments, state, name); });
}

} // namespace gputest::runtime
