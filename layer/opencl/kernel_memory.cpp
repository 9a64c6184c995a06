// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/kernel_memory.h"

namespace gputest::layer {
namespace {

// OpenCL's functions have no other way to their data, as in shared.cpp.
KernelMemory* watched_memory = nullptr;

// Copies from the second argument to the third, as all of these functions do.
template <auto function, typename... Arguments>
cl_int CL_API_CALL copy(cl_command_queue queue, cl_mem from, cl_mem to, Arguments... arguments) {
  watched_memory->mark(to);
  return (implementation().*function)(queue, from, to, arguments...);
}

// A change of a sub-buffer is a change of its buffer.
cl_mem CL_API_CALL create_sub_buffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void* info, cl_int* error) {
  cl_mem part = implementation().clCreateSubBuffer(buffer, flags, type, info, error);
  if (part) {
    watched_memory->mark(buffer);
    watched_memory->mark(part);
  }
  return part;
}

} // namespace

void watch_copies(cl_icd_dispatch& dispatch, KernelMemory& memory) {
  watched_memory = &memory;
  dispatch.clEnqueueCopyBuffer = copy<&cl_icd_dispatch::clEnqueueCopyBuffer>;
  dispatch.clEnqueueCopyBufferRect = copy<&cl_icd_dispatch::clEnqueueCopyBufferRect>;
  dispatch.clEnqueueCopyImage = copy<&cl_icd_dispatch::clEnqueueCopyImage>;
  dispatch.clEnqueueCopyImageToBuffer = copy<&cl_icd_dispatch::clEnqueueCopyImageToBuffer>;
  dispatch.clEnqueueCopyBufferToImage = copy<&cl_icd_dispatch::clEnqueueCopyBufferToImage>;
  dispatch.clCreateSubBuffer = create_sub_buffer;
}

} // namespace gputest::layer
