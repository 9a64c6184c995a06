// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/later_launch.h"

#include "layer/opencl/tried_launch.h"

#include <stdexcept>
#include <thread>
#include <utility>

namespace gputest::layer {
namespace {

// What a launch needs, until it is made.
class Held {
public:
  Held(cl_command_queue queue, const std::vector<GivenArgument>& given) : queue_(queue) {
    implementation().clRetainCommandQueue(queue);
    for (const GivenArgument& argument : given)
      if (argument.memory) {
        implementation().clRetainMemObject(argument.memory);
        memory_.push_back(argument.memory);
      }
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    for (const cl_mem memory : memory_)
      implementation().clReleaseMemObject(memory);
    implementation().clReleaseCommandQueue(queue_);
  }

  cl_command_queue queue() const { return queue_; }

private:
  cl_command_queue queue_;
  std::vector<cl_mem> memory_;
};

cl_int make(const Turn& turn, cl_command_queue queue, const LaterLaunch& launch) {
  try {
    turn.wait();
    const QueueBeside beside(queue);
    return launch.make({.queue = beside.get()});
  } catch (const std::exception& error) {
    launch.failed(error.what());
    return CL_OUT_OF_RESOURCES;
  }
}

} // namespace

void make_later(const LaunchCall& call, std::unique_ptr<Turn> turn, LaterLaunch launch) {
  cl_context context = nullptr;
  implementation().clGetCommandQueueInfo(call.queue, CL_QUEUE_CONTEXT, sizeof context,
                                         static_cast<void*>(&context), nullptr);
  cl_event done = implementation().clCreateUserEvent(context, nullptr);
  if (!done ||
      implementation().clEnqueueMarkerWithWaitList(call.queue, 1, &done, call.event) != CL_SUCCESS)
    throw std::runtime_error("the device takes no event of the layer");
  auto held = std::make_unique<Held>(call.queue, launch.given);
  std::thread([done, turn = std::move(turn), held = std::move(held),
               launch = std::move(launch)]() mutable {
    const cl_int result = make(*turn, held->queue(), launch);
    held.reset();
    implementation().clSetUserEventStatus(done, result == CL_SUCCESS ? CL_COMPLETE : result);
    implementation().clReleaseEvent(done);
  }).detach(); // a program may end without it
}

} // namespace gputest::layer
