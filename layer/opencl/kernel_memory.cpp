#include "layer/opencl/kernel_memory.h"

#include "layer/opencl/implementation.h"

namespace gputest::layer {
namespace {

// OpenCL's functions have no other way to their data, as in shared.cpp.
KernelMemory* watched_memory = nullptr;

cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, std::size_t offset,
                               std::size_t to_offset, std::size_t size, cl_uint count,
                               const cl_event* events, cl_event* event) {
  watched_memory->mark(to);
  return implementation().clEnqueueCopyBuffer(queue, from, to, offset, to_offset, size, count,
                                              events, event);
}

cl_int CL_API_CALL copy_rectangle(cl_command_queue queue, cl_mem from, cl_mem to,
                                  const std::size_t* origin, const std::size_t* to_origin,
                                  const std::size_t* region, std::size_t row, std::size_t slice,
                                  std::size_t to_row, std::size_t to_slice, cl_uint count,
                                  const cl_event* events, cl_event* event) {
  watched_memory->mark(to);
  return implementation().clEnqueueCopyBufferRect(queue, from, to, origin, to_origin, region, row,
                                                  slice, to_row, to_slice, count, events, event);
}

cl_int CL_API_CALL copy_image(cl_command_queue queue, cl_mem from, cl_mem to,
                              const std::size_t* origin, const std::size_t* to_origin,
                              const std::size_t* region, cl_uint count, const cl_event* events,
                              cl_event* event) {
  watched_memory->mark(to);
  return implementation().clEnqueueCopyImage(queue, from, to, origin, to_origin, region, count,
                                             events, event);
}

cl_int CL_API_CALL copy_image_to_buffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                        const std::size_t* origin, const std::size_t* region,
                                        std::size_t to_offset, cl_uint count,
                                        const cl_event* events, cl_event* event) {
  watched_memory->mark(to);
  return implementation().clEnqueueCopyImageToBuffer(queue, from, to, origin, region, to_offset,
                                                     count, events, event);
}

cl_int CL_API_CALL copy_buffer_to_image(cl_command_queue queue, cl_mem from, cl_mem to,
                                        std::size_t offset, const std::size_t* to_origin,
                                        const std::size_t* region, cl_uint count,
                                        const cl_event* events, cl_event* event) {
  watched_memory->mark(to);
  return implementation().clEnqueueCopyBufferToImage(queue, from, to, offset, to_origin, region,
                                                     count, events, event);
}

// A change of a part is a change of the whole.
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
  dispatch.clEnqueueCopyBuffer = copy_buffer;
  dispatch.clEnqueueCopyBufferRect = copy_rectangle;
  dispatch.clEnqueueCopyImage = copy_image;
  dispatch.clEnqueueCopyImageToBuffer = copy_image_to_buffer;
  dispatch.clEnqueueCopyBufferToImage = copy_buffer_to_image;
  dispatch.clCreateSubBuffer = create_sub_buffer;
}

} // namespace gputest::layer
