// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/calls/pipes.h"

#include "layer/opencl/calls/shared.h"

#include <cstring>
#include <exception>
#include <optional>
#include <vector>

namespace gputest::layer {
namespace {

PipeMemory& known_pipes() {
  return shared().services->pipes;
}

void CL_CALLBACK forget_pipe(cl_mem pipe, void*) {
  known_pipes().freed(pipe);
}

cl_mem CL_API_CALL create_pipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                               cl_uint packets, const cl_pipe_properties* properties,
                               cl_int* error) {
  if (implementation().clCreatePipe)
    if (cl_mem pipe =
            implementation().clCreatePipe(context, flags, packet_size, packets, properties, error))
      return pipe;
  if (packet_size == 0 || packets == 0 || properties) {
    if (error)
      *error = properties ? CL_INVALID_VALUE : CL_INVALID_PIPE_SIZE;
    return nullptr;
  }
  std::vector<std::byte> empty;
  try {
    empty.resize(std::size_t{packet_size} * packets + kBytesOfPacketCounts);
  } catch (const std::exception&) { // too large
    if (error)
      *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return nullptr;
  }
  cl_mem pipe =
      implementation().clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                      empty.size(), static_cast<void*>(empty.data()), error);
  if (pipe)
    quietly([&] {
      known_pipes().made(pipe, {packet_size, packets});
      implementation().clSetMemObjectDestructorCallback(pipe, forget_pipe, nullptr);
    });
  return pipe;
}

template <typename Value>
cl_int answer(Value value, std::size_t size, void* to, std::size_t* size_ret) {
  if (size_ret)
    *size_ret = sizeof value;
  if (!to)
    return CL_SUCCESS;
  if (size < sizeof value)
    return CL_INVALID_VALUE;
  std::memcpy(to, &value, sizeof value);
  return CL_SUCCESS;
}

cl_int CL_API_CALL get_pipe_info(cl_mem pipe, cl_pipe_info name, std::size_t size, void* value,
                                 std::size_t* size_ret) {
  constexpr cl_pipe_info kProperties = 0x1122; // CL_PIPE_PROPERTIES, of OpenCL 3.0
  const std::optional<PipeMemory::Pipe> known = known_pipes().find(pipe);
  if (!known)
    return implementation().clGetPipeInfo
               ? implementation().clGetPipeInfo(pipe, name, size, value, size_ret)
               : CL_INVALID_MEM_OBJECT;
  if (name == CL_PIPE_PACKET_SIZE || name == CL_PIPE_MAX_PACKETS)
    return answer(name == CL_PIPE_PACKET_SIZE ? known->packet_size : known->packets, size, value,
                  size_ret);
  if (name != kProperties)
    return CL_INVALID_VALUE;
  if (size_ret)
    *size_ret = 0;
  return CL_SUCCESS;
}

cl_int CL_API_CALL get_memory_info(cl_mem memory, cl_mem_info name, std::size_t size, void* value,
                                   std::size_t* size_ret) {
  if (name == CL_MEM_TYPE && known_pipes().find(memory))
    return answer(cl_mem_object_type{CL_MEM_OBJECT_PIPE}, size, value, size_ret);
  return implementation().clGetMemObjectInfo(memory, name, size, value, size_ret);
}

} // namespace

void take_pipes(cl_icd_dispatch& dispatch) {
  dispatch.clCreatePipe = create_pipe;
  dispatch.clGetPipeInfo = get_pipe_info;
  dispatch.clGetMemObjectInfo = get_memory_info;
}

} // namespace gputest::layer
