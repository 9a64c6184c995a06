#include "layer/opencl/launch_call.h"

#include "layer/opencl/implementation.h"

#include <algorithm>

namespace gputest::layer {

cl_int LaunchCall::enqueue(cl_kernel kernel) const {
  if (is_task)
    return implementation().clEnqueueTask(queue, kernel, count, events, event);
  return implementation().clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
                                                 count, events, event);
}

cl_int LaunchCall::enqueue(cl_kernel kernel, std::span<const Launch> launches) const {
  cl_command_queue_properties properties = 0;
  implementation().clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                                         nullptr);
  const bool in_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
  cl_event before = nullptr;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Launch& launch = launches[i];
    const bool is_last = i + 1 == launches.size();
    cl_event own = nullptr;
    const cl_event* waits = i == 0 ? events : before ? &before : nullptr;
    const cl_uint wait_count = i == 0 ? count : before ? 1 : 0;
    if (std::ranges::find(launch.global_size, std::size_t{0}) != launch.global_size.end())
      return CL_INVALID_GLOBAL_WORK_SIZE; // in newer versions it is a launch of nothing
    const bool device_chooses = launch.local_size[0] == 0;
    const cl_int error = implementation().clEnqueueNDRangeKernel(
        queue, kernel, launch.dimensions, launch.global_offset.data(), launch.global_size.data(),
        device_chooses ? nullptr : launch.local_size.data(), wait_count, waits,
        is_last    ? event
        : in_order ? nullptr
                   : &own);
    if (before)
      implementation().clReleaseEvent(before);
    before = own;
    if (error != CL_SUCCESS)
      return error;
  }
  return CL_SUCCESS;
}

Launch LaunchCall::sizes() const {
  Launch launch{.local_size = {0, 0, 0}};
  if (is_task) {
    launch.local_size = {1, 1, 1};
    return launch;
  }
  launch.dimensions = dimensions;
  for (cl_uint i = 0; i < dimensions && i < 3; ++i) {
    launch.global_size[i] = global ? global[i] : 0;
    launch.global_offset[i] = offset ? offset[i] : 0;
  }
  if (local)
    launch.local_size = {1, 1, 1};
  for (cl_uint i = 0; local && i < dimensions && i < 3; ++i)
    launch.local_size[i] = local[i];
  return launch;
}

LaunchCall LaunchCall::with(const std::vector<cl_event>& waits, cl_event* own) const {
  LaunchCall call = *this;
  call.count = static_cast<cl_uint>(waits.size());
  call.events = waits.empty() ? nullptr : waits.data();
  call.event = own;
  return call;
}

} // namespace gputest::layer
