// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/calls/pipes.h"

#include "layer/opencl/calls/answer.h"
#include "layer/opencl/calls/shared.h"
#include "runtime/machine/opencl/device_features.h"

#include <algorithm>
#include <array>
#include <cstddef>
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

std::vector<cl_device_id> devices_of(cl_context context) {
  std::size_t size = 0;
  if (implementation().clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, nullptr, &size) !=
      CL_SUCCESS)
    return {};
  std::vector<cl_device_id> devices(size / sizeof(cl_device_id));
  implementation().clGetContextInfo(context, CL_CONTEXT_DEVICES, size,
                                    static_cast<void*>(devices.data()), nullptr);
  return devices;
}

bool has_pipes(cl_device_id device) {
  return runtime::has_feature(device, runtime::DeviceFeature::Pipes);
}

// Sets the counts at the end of a pipe to 0. The packets' memory is touched when they come.
cl_int clear_counts(cl_context context, cl_device_id device, cl_mem pipe, std::size_t at) {
  cl_int error = CL_SUCCESS;
  cl_command_queue queue = implementation().clCreateCommandQueue(context, device, 0, &error);
  if (!queue)
    return error;
  const std::array<std::byte, kBytesOfPacketCounts> counts{};
  error = implementation().clEnqueueWriteBuffer(queue, pipe, CL_TRUE, at, counts.size(),
                                                counts.data(), 0, nullptr, nullptr);
  implementation().clReleaseCommandQueue(queue);
  return error;
}

// Makes a pipe for devices that have none.
cl_int make_pipe(cl_context context, const std::vector<cl_device_id>& devices,
                 const PipeMemory::Pipe& what, cl_mem& pipe) {
  if (what.packet_size == 0 || what.packet_size > kMaxPacketSize || what.packets == 0)
    return CL_INVALID_PIPE_SIZE;
  const std::size_t size = what.bytes() + kBytesOfPacketCounts;
  const auto has_room = [&](cl_device_id device) {
    cl_ulong most = 0;
    return implementation().clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most,
                                            &most, nullptr) == CL_SUCCESS &&
           size <= most;
  };
  if (std::ranges::none_of(devices, has_room))
    return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  cl_int error = CL_SUCCESS;
  cl_mem made = implementation().clCreateBuffer(context, CL_MEM_READ_WRITE, size, nullptr, &error);
  if (!made)
    return error;
  error = clear_counts(context, devices.front(), made, what.bytes());
  if (error != CL_SUCCESS) {
    implementation().clReleaseMemObject(made);
    return error;
  }
  quietly([&] {
    known_pipes().made(made, what);
    implementation().clSetMemObjectDestructorCallback(made, forget_pipe, nullptr);
  });
  pipe = made;
  return CL_SUCCESS;
}

cl_mem CL_API_CALL create_pipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                               cl_uint packets, const cl_pipe_properties* properties,
                               cl_int* error) {
  const std::vector<cl_device_id> devices = devices_of(context);
  if (std::ranges::any_of(devices, has_pipes) && implementation().clCreatePipe)
    return implementation().clCreatePipe(context, flags, packet_size, packets, properties, error);
  cl_mem pipe = nullptr;
  cl_int result = CL_SUCCESS;
  if (devices.empty())
    result = CL_INVALID_CONTEXT;
  else if (properties)
    result = CL_INVALID_VALUE;
  else
    result = make_pipe(context, devices, {packet_size, packets, flags}, pipe);
  if (error)
    *error = result;
  return pipe;
}

template <typename Value>
cl_int answer_with(Value value, std::size_t size, void* to, std::size_t* size_ret) {
  return answer(&value, sizeof value, size, to, size_ret);
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
    return answer_with(name == CL_PIPE_PACKET_SIZE ? known->packet_size : known->packets, size,
                       value, size_ret);
  if (name != kProperties)
    return CL_INVALID_VALUE;
  if (size_ret)
    *size_ret = 0;
  return CL_SUCCESS;
}

cl_int CL_API_CALL get_memory_info(cl_mem memory, cl_mem_info name, std::size_t size, void* value,
                                   std::size_t* size_ret) {
  if (const std::optional<PipeMemory::Pipe> known = known_pipes().find(memory)) {
    if (name == CL_MEM_TYPE)
      return answer_with(cl_mem_object_type{CL_MEM_OBJECT_PIPE}, size, value, size_ret);
    if (name == CL_MEM_FLAGS)
      return answer_with(known->flags, size, value, size_ret);
    if (name == CL_MEM_SIZE)
      return answer_with(known->bytes(), size, value, size_ret);
  }
  return implementation().clGetMemObjectInfo(memory, name, size, value, size_ret);
}

} // namespace

void take_pipes(cl_icd_dispatch& dispatch) {
  dispatch.clCreatePipe = create_pipe;
  dispatch.clGetPipeInfo = get_pipe_info;
  dispatch.clGetMemObjectInfo = get_memory_info;
}

} // namespace gputest::layer
