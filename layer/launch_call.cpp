#include "layer/launch_call.h"

#include "layer/driver_calls.h"

namespace gputest::layer {

cl_int LaunchCall::enqueue(cl_kernel kernel) const {
  if (is_task)
    return driver().clEnqueueTask(queue, kernel, count, events, event);
  return driver().clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count,
                                         events, event);
}

LaunchCall LaunchCall::with(const std::vector<cl_event>& waits, cl_event* own) const {
  LaunchCall call = *this;
  call.count = static_cast<cl_uint>(waits.size());
  call.events = waits.empty() ? nullptr : waits.data();
  call.event = own;
  return call;
}

} // namespace gputest::layer
