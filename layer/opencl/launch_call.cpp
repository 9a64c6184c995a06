// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/launch_call.h"

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace gputest::layer {
namespace {

using namespace std::chrono_literals;

// A program may let a launch wait for an event that it sets itself, after the launch.
constexpr auto kLaunchPatience = 10s;

bool is_set_by_program(cl_event event) {
  cl_command_type type = 0;
  implementation().clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
  return type == CL_COMMAND_USER;
}

} // namespace

cl_int LaunchCall::enqueue(cl_kernel kernel) const {
  if (is_task)
    return implementation().clEnqueueTask(queue, kernel, count, events, event);
  return implementation().clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
                                                 count, events, event);
}

cl_int LaunchCall::enqueue(cl_kernel kernel, std::span<const Launch> launches) const {
  const bool in_order = is_in_order(queue);
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

Turn::Turn(const LaunchCall& call) {
  if (implementation().clEnqueueMarkerWithWaitList(call.queue, call.count, call.events, &event_) !=
      CL_SUCCESS)
    throw std::runtime_error("the device does not take what it waits for");
  implementation().clFlush(call.queue);
}

Turn::~Turn() {
  implementation().clReleaseEvent(event_);
}

bool Turn::comes_within(std::chrono::milliseconds time) const {
  const auto until = std::chrono::steady_clock::now() + time;
  while (!is_over(event_) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(50us);
  cl_int status = CL_QUEUED;
  implementation().clGetEventInfo(event_, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                  nullptr);
  if (status < 0)
    throw std::runtime_error("what it waits for failed");
  return status == CL_COMPLETE;
}

void Turn::wait() const {
  implementation().clWaitForEvents(1, &event_);
  comes_within(0ms);
}

bool waits_for_program(const LaunchCall& call) {
  return std::any_of(call.events, call.events + call.count,
                     [](cl_event event) { return is_set_by_program(event) && !is_over(event); });
}

bool is_in_order(cl_command_queue queue) {
  cl_command_queue_properties properties = 0;
  implementation().clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                                         nullptr);
  return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

void wait_for_turn(const LaunchCall& call) {
  if (waits_for_program(call))
    throw std::runtime_error("it waits for an event that the program sets later");
  if (!Turn(call).comes_within(kLaunchPatience))
    throw std::runtime_error("what it waits for has not happened after 10 s");
}

} // namespace gputest::layer
