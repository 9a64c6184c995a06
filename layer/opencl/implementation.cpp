// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/implementation.h"

#include <algorithm>
#include <cstring>

namespace gputest::layer {
namespace {

cl_icd_dispatch& table() {
  static cl_icd_dispatch functions{};
  return functions;
}

} // namespace

void set_implementation(const cl_icd_dispatch& target, cl_uint count) {
  std::memcpy(static_cast<void*>(&table()), static_cast<const void*>(&target),
              std::min<std::size_t>(count, sizeof(cl_icd_dispatch) / sizeof(void*)) *
                  sizeof(void*));
}

const cl_icd_dispatch& implementation() {
  return table();
}

bool is_over(cl_event event) {
  cl_int status = CL_COMPLETE;
  implementation().clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                  nullptr);
  return status <= CL_COMPLETE;
}

} // namespace gputest::layer

// These functions are hidden from everybody else (exports.map).
using gputest::layer::implementation;

extern "C" {

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                      const char* options, void (*notify)(cl_program program, void* user_data),
                      void* data) {
  return implementation().clBuildProgram(program, count, devices, options, notify, data);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void* memory,
                      cl_int* error) {
  return implementation().clCreateBuffer(context, flags, size, memory, error);
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int* error) {
  return implementation().clCreateCommandQueue(context, device, properties, error);
}

cl_context clCreateContext(const cl_context_properties* properties, cl_uint count,
                           const cl_device_id* devices,
                           void (*notify)(const char* errinfo, const void* private_info, size_t cb,
                                          void* user_data),
                           void* data, cl_int* error) {
  return implementation().clCreateContext(properties, count, devices, notify, data, error);
}

cl_kernel clCreateKernel(cl_program program, const char* name, cl_int* error) {
  return implementation().clCreateKernel(program, name, error);
}

// Loaders of OpenCL 2.0 and before have no such function.
cl_program clCreateProgramWithIL(cl_context context, const void* module, size_t bytes,
                                 cl_int* error) {
  if (implementation().clCreateProgramWithIL)
    return implementation().clCreateProgramWithIL(context, module, bytes, error);
  if (error)
    *error = CL_INVALID_OPERATION;
  return nullptr;
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                     const size_t* lengths, cl_int* error) {
  return implementation().clCreateProgramWithSource(context, count, strings, lengths, error);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t* global_offset, const size_t* global_size,
                              const size_t* local_size, cl_uint count, const cl_event* events,
                              cl_event* event) {
  return implementation().clEnqueueNDRangeKernel(queue, kernel, dimensions, global_offset,
                                                 global_size, local_size, count, events, event);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void* ptr, cl_uint count, const cl_event* events,
                           cl_event* event) {
  return implementation().clEnqueueReadBuffer(queue, buffer, blocking, offset, size, ptr, count,
                                              events, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t size, const void* ptr, cl_uint count, const cl_event* events,
                            cl_event* event) {
  return implementation().clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, ptr, count,
                                               events, event);
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint entries,
                      cl_device_id* devices, cl_uint* count) {
  return implementation().clGetDeviceIDs(platform, type, entries, devices, count);
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t size, void* value,
                       size_t* size_ret) {
  return implementation().clGetDeviceInfo(device, name, size, value, size_ret);
}

cl_int clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t size,
                          void* value, size_t* size_ret) {
  return implementation().clGetKernelArgInfo(kernel, index, name, size, value, size_ret);
}

cl_int clGetPlatformIDs(cl_uint entries, cl_platform_id* platforms, cl_uint* count) {
  return implementation().clGetPlatformIDs(entries, platforms, count);
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size, void* value,
                         size_t* size_ret) {
  return implementation().clGetPlatformInfo(platform, name, size, value, size_ret);
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info name,
                             size_t size, void* value, size_t* size_ret) {
  return implementation().clGetProgramBuildInfo(program, device, name, size, value, size_ret);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info name, size_t size, void* value,
                        size_t* size_ret) {
  return implementation().clGetProgramInfo(program, name, size, value, size_ret);
}

cl_int clReleaseCommandQueue(cl_command_queue queue) {
  return implementation().clReleaseCommandQueue(queue);
}

cl_int clReleaseContext(cl_context context) {
  return implementation().clReleaseContext(context);
}

cl_int clReleaseDevice(cl_device_id device) {
  return implementation().clReleaseDevice(device);
}

cl_int clReleaseKernel(cl_kernel kernel) {
  return implementation().clReleaseKernel(kernel);
}

cl_int clReleaseMemObject(cl_mem memobj) {
  return implementation().clReleaseMemObject(memobj);
}

cl_int clReleaseProgram(cl_program program) {
  return implementation().clReleaseProgram(program);
}

cl_int clRetainDevice(cl_device_id device) {
  return implementation().clRetainDevice(device);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
  return implementation().clSetKernelArg(kernel, index, size, value);
}

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                     const cl_image_desc* description, void* memory, cl_int* error) {
  return implementation().clCreateImage(context, flags, format, description, memory, error);
}

cl_sampler clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                           cl_filter_mode filter, cl_int* error) {
  return implementation().clCreateSampler(context, normalized, addressing, filter, error);
}

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                          const size_t* origin, const size_t* region, size_t row, size_t slice,
                          void* to, cl_uint count, const cl_event* events, cl_event* event) {
  return implementation().clEnqueueReadImage(queue, image, blocking, origin, region, row, slice, to,
                                             count, events, event);
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                           const size_t* origin, const size_t* region, size_t row, size_t slice,
                           const void* from, cl_uint count, const cl_event* events,
                           cl_event* event) {
  return implementation().clEnqueueWriteImage(queue, image, blocking, origin, region, row, slice,
                                              from, count, events, event);
}

cl_int clFinish(cl_command_queue queue) {
  return implementation().clFinish(queue);
}

cl_int clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t size, void* value,
                       size_t* size_ret) {
  return implementation().clGetKernelInfo(kernel, name, size, value, size_ret);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info name, size_t size, void* value,
                                size_t* size_ret) {
  return implementation().clGetKernelWorkGroupInfo(kernel, device, name, size, value, size_ret);
}

cl_int clReleaseSampler(cl_sampler sampler) {
  return implementation().clReleaseSampler(sampler);
}

cl_int clRetainKernel(cl_kernel kernel) {
  return implementation().clRetainKernel(kernel);
}
}
