// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/whole_memory.h"

#include "runtime/machine/opencl/opencl.h"

#include <array>
#include <fmt/format.h>
#include <stdexcept>

namespace gputest::layer {
namespace {

constexpr std::size_t kOrigin[3]{};

std::array<std::size_t, 3> region_of(const GivenArgument& argument) {
  return argument.image ? runtime::region_of(*argument.image) : std::array<std::size_t, 3>{};
}

// A buffer that the host may access, in the memory's context.
class Staging {
public:
  explicit Staging(const GivenArgument& argument) {
    cl_context context = nullptr;
    implementation().clGetMemObjectInfo(argument.memory, CL_MEM_CONTEXT, sizeof context,
                                        static_cast<void*>(&context), nullptr);
    buffer_ = implementation().clCreateBuffer(context, CL_MEM_READ_WRITE, argument.size, nullptr,
                                              &error_);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging() {
    if (buffer_)
      implementation().clReleaseMemObject(buffer_);
  }

  cl_int read(cl_command_queue queue, const GivenArgument& argument, void* bytes) {
    if (!buffer_)
      return error_;
    error_ = argument.has_pixels()
                 ? implementation().clEnqueueCopyImageToBuffer(queue, argument.memory, buffer_,
                                                               kOrigin, region_of(argument).data(),
                                                               0, 0, nullptr, nullptr)
                 : implementation().clEnqueueCopyBuffer(queue, argument.memory, buffer_, 0, 0,
                                                        argument.size, 0, nullptr, nullptr);
    if (error_ == CL_SUCCESS)
      error_ = implementation().clFinish(queue);
    return error_ != CL_SUCCESS
               ? error_
               : implementation().clEnqueueReadBuffer(queue, buffer_, CL_TRUE, 0, argument.size,
                                                      bytes, 0, nullptr, nullptr);
  }

  cl_int write(cl_command_queue queue, const GivenArgument& argument, const void* bytes) {
    if (!buffer_)
      return error_;
    error_ = implementation().clEnqueueWriteBuffer(queue, buffer_, CL_TRUE, 0, argument.size, bytes,
                                                   0, nullptr, nullptr);
    if (error_ == CL_SUCCESS)
      error_ = argument.has_pixels()
                   ? implementation().clEnqueueCopyBufferToImage(
                         queue, buffer_, argument.memory, 0, kOrigin, region_of(argument).data(), 0,
                         nullptr, nullptr)
                   : implementation().clEnqueueCopyBuffer(queue, buffer_, argument.memory, 0, 0,
                                                          argument.size, 0, nullptr, nullptr);
    return error_ != CL_SUCCESS ? error_ : implementation().clFinish(queue);
  }

private:
  cl_mem buffer_ = nullptr;
  cl_int error_ = CL_SUCCESS;
};

void check(cl_int error, const char* what, const GivenArgument& argument) {
  if (error != CL_SUCCESS)
    throw std::runtime_error(fmt::format("the memory of argument '{}' cannot be {} ({})",
                                         argument.name, what, runtime::error_name(error)));
}

} // namespace

cl_int enqueue_read(cl_command_queue queue, const GivenArgument& argument, runtime::Bytes& bytes,
                    cl_bool blocking, const std::vector<cl_event>& waits, cl_event* event) {
  const auto count = static_cast<cl_uint>(waits.size());
  const cl_event* events = waits.empty() ? nullptr : waits.data();
  if (argument.svm)
    return implementation().clEnqueueSVMMemcpy(queue, blocking, bytes.data(), argument.svm,
                                               argument.size, count, events, event);
  return argument.has_pixels()
             ? implementation().clEnqueueReadImage(queue, argument.memory, blocking, kOrigin,
                                                   region_of(argument).data(), 0, 0, bytes.data(),
                                                   count, events, event)
             : implementation().clEnqueueReadBuffer(queue, argument.memory, blocking, 0,
                                                    argument.size, bytes.data(), count, events,
                                                    event);
}

void read_whole(cl_command_queue queue, const GivenArgument& argument, runtime::Bytes& bytes) {
  cl_int error = enqueue_read(queue, argument, bytes, CL_TRUE, {}, nullptr);
  if (error == CL_INVALID_OPERATION && !argument.svm)
    error = Staging(argument).read(queue, argument, bytes.data());
  check(error, "read", argument);
}

void write_whole(cl_command_queue queue, const GivenArgument& argument,
                 const runtime::Bytes& bytes) {
  cl_int error =
      argument.svm ? implementation().clEnqueueSVMMemcpy(queue, CL_TRUE, argument.svm, bytes.data(),
                                                         argument.size, 0, nullptr, nullptr)
      : argument.has_pixels()
          ? implementation().clEnqueueWriteImage(queue, argument.memory, CL_TRUE, kOrigin,
                                                 region_of(argument).data(), 0, 0, bytes.data(), 0,
                                                 nullptr, nullptr)
          : implementation().clEnqueueWriteBuffer(queue, argument.memory, CL_TRUE, 0, argument.size,
                                                  bytes.data(), 0, nullptr, nullptr);
  if (error == CL_INVALID_OPERATION && !argument.svm)
    error = Staging(argument).write(queue, argument, bytes.data());
  check(error, "written", argument);
}

} // namespace gputest::layer
