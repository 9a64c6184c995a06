// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/tried_launch.h"

#include "layer/opencl/whole_memory.h"

#include <stdexcept>
#include <utility>

namespace gputest::layer {

QueueBeside::QueueBeside(cl_command_queue queue) {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  implementation().clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context,
                                         static_cast<void*>(&context), nullptr);
  implementation().clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device,
                                         static_cast<void*>(&device), nullptr);
  cl_int error = CL_SUCCESS;
  queue_ = implementation().clCreateCommandQueue(context, device, 0, &error);
  if (!queue_)
    throw std::runtime_error("the device has no queue for it");
}

QueueBeside::~QueueBeside() {
  implementation().clReleaseCommandQueue(queue_);
}

LaunchMemory::LaunchMemory(cl_command_queue queue, std::vector<GivenArgument> given)
    : queue_(queue), given_(std::move(given)), now_(given_.size()) {
  for (std::size_t i = 0; i < given_.size(); ++i)
    if (given_[i].has_memory())
      now_[i].resize(given_[i].size);
  before_ = read();
}

LaunchMemory::~LaunchMemory() {
  try {
    read();
    restore();
  } catch (const std::exception&) { // the program's own launch then says what is wrong
  }
}

const std::vector<runtime::Bytes>& LaunchMemory::read() {
  for (std::size_t i = 0; i < given_.size(); ++i)
    if (given_[i].has_memory())
      read_whole(queue_, given_[i], now_[i]);
  return now_;
}

void LaunchMemory::restore() {
  for (std::size_t i = 0; i < given_.size(); ++i)
    if (now_[i] != before_[i]) {
      write_whole(queue_, given_[i], before_[i]);
      now_[i] = before_[i];
    }
}

bool launch_with_state(const LaunchCall& call, cl_kernel kernel, cl_uint state_argument,
                       const std::vector<Launch>& launches, runtime::Bytes& state) {
  cl_context context = nullptr;
  implementation().clGetCommandQueueInfo(call.queue, CL_QUEUE_CONTEXT, sizeof context,
                                         static_cast<void*>(&context), nullptr);
  cl_int error = CL_SUCCESS;
  const cl_mem buffer = implementation().clCreateBuffer(
      context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, state.size(), state.data(), &error);
  if (!buffer)
    throw std::runtime_error("no memory on the device for what kernels record");
  implementation().clSetKernelArg(kernel, state_argument, sizeof buffer,
                                  static_cast<const void*>(&buffer));
  error = launches.empty() ? call.enqueue(kernel) : call.enqueue(kernel, launches);
  const cl_int finished = implementation().clFinish(call.queue);
  if (error == CL_SUCCESS)
    error = finished;
  if (error == CL_SUCCESS)
    error = implementation().clEnqueueReadBuffer(call.queue, buffer, CL_TRUE, 0, state.size(),
                                                 state.data(), 0, nullptr, nullptr);
  implementation().clReleaseMemObject(buffer);
  return error == CL_SUCCESS;
}

} // namespace gputest::layer
