// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that make, wait for and release; host_transfers.cpp has the commands.
#include "layer/opencl/calls/host_calls.h"

#include "layer/opencl/calls/host_transfers.h"
#include "layer/opencl/calls/shared.h"

#include <fmt/format.h>

namespace gputest::layer {
namespace {

// The functions below these.
cl_icd_dispatch& below_host() {
  static cl_icd_dispatch functions{};
  return functions;
}

cl_command_queue CL_API_CALL host_create_queue(cl_context context, cl_device_id device,
                                               cl_command_queue_properties properties,
                                               cl_int* error) {
  cl_command_queue queue = below_host().clCreateCommandQueue(context, device, properties, error);
  if (queue)
    quietly([&] { shared().host->made_queue(queue, properties); });
  return queue;
}

cl_command_queue CL_API_CALL host_create_queue_with(cl_context context, cl_device_id device,
                                                    const cl_queue_properties* properties,
                                                    cl_int* error) {
  cl_command_queue queue =
      below_host().clCreateCommandQueueWithProperties(context, device, properties, error);
  if (queue)
    quietly([&] {
      cl_command_queue_properties flags = 0;
      implementation().clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof flags, &flags,
                                             nullptr);
      shared().host->made_queue(queue, flags);
    });
  return queue;
}

// `unwritten`: bytes of it that have no value yet.
cl_mem noted(cl_mem memory, const char* what, cl_mem_flags flags, std::size_t unwritten = 0) {
  if (memory)
    quietly([&] {
      std::size_t size = 0;
      implementation().clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, nullptr);
      if ((flags & CL_MEM_USE_HOST_PTR) != 0)
        shared().host->uses_host_memory();
      shared().host->made(memory, {.what = fmt::format("{} of {} bytes", what, size),
                                   .released_by = "clReleaseMemObject()",
                                   .size = size,
                                   .unwritten = unwritten});
    });
  return memory;
}

std::size_t unwritten_of(cl_mem_flags flags, std::size_t size) {
  return (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0 ? 0 : size;
}

cl_mem CL_API_CALL host_create_buffer(cl_context context, cl_mem_flags flags, std::size_t size,
                                      void* memory, cl_int* error) {
  return noted(below_host().clCreateBuffer(context, flags, size, memory, error), "a buffer", flags,
               unwritten_of(flags, size));
}

cl_mem CL_API_CALL host_create_buffer_with(cl_context context, const cl_mem_properties* properties,
                                           cl_mem_flags flags, std::size_t size, void* memory,
                                           cl_int* error) {
  return noted(
      below_host().clCreateBufferWithProperties(context, properties, flags, size, memory, error),
      "a buffer", flags, unwritten_of(flags, size));
}

cl_mem CL_API_CALL host_create_sub_buffer(cl_mem buffer, cl_mem_flags flags,
                                          cl_buffer_create_type type, const void* info,
                                          cl_int* error) {
  return noted(below_host().clCreateSubBuffer(buffer, flags, type, info, error), "a sub-buffer",
               flags);
}

cl_mem CL_API_CALL host_create_image(cl_context context, cl_mem_flags flags,
                                     const cl_image_format* format,
                                     const cl_image_desc* description, void* memory,
                                     cl_int* error) {
  return noted(below_host().clCreateImage(context, flags, format, description, memory, error),
               "an image", flags);
}

cl_mem CL_API_CALL host_create_image_with(cl_context context, const cl_mem_properties* properties,
                                          cl_mem_flags flags, const cl_image_format* format,
                                          const cl_image_desc* description, void* memory,
                                          cl_int* error) {
  return noted(below_host().clCreateImageWithProperties(context, properties, flags, format,
                                                        description, memory, error),
               "an image", flags);
}

cl_int CL_API_CALL host_retain_memory(cl_mem memory) {
  const cl_int error = below_host().clRetainMemObject(memory);
  if (error == CL_SUCCESS)
    quietly([&] { shared().host->retained(memory); });
  return error;
}

cl_int CL_API_CALL host_release_memory(cl_mem memory) {
  quietly([&] { shared().host->released(memory); });
  return below_host().clReleaseMemObject(memory);
}

void* CL_API_CALL host_svm_alloc(cl_context context, cl_svm_mem_flags flags, std::size_t size,
                                 cl_uint alignment) {
  void* memory = below_host().clSVMAlloc(context, flags, size, alignment);
  if (memory)
    quietly([&] {
      shared().host->made(memory, {.what = fmt::format("shared virtual memory of {} bytes", size),
                                   .released_by = "clSVMFree()",
                                   .size = size});
    });
  return memory;
}

void CL_API_CALL host_svm_free(cl_context context, void* memory) {
  quietly([&] { shared().host->released(memory); });
  below_host().clSVMFree(context, memory);
}

cl_int CL_API_CALL host_enqueue_svm_free(cl_command_queue queue, cl_uint count, void** pointers,
                                         void(CL_CALLBACK* release)(cl_command_queue, cl_uint,
                                                                    void**, void*),
                                         void* data, cl_uint event_count, const cl_event* events,
                                         cl_event* event) {
  quietly([&] {
    for (cl_uint i = 0; pointers && i < count; ++i)
      shared().host->released(pointers[i]);
  });
  return below_host().clEnqueueSVMFree(queue, count, pointers, release, data, event_count, events,
                                       event);
}

cl_event CL_API_CALL host_create_user_event(cl_context context, cl_int* error) {
  cl_event event = below_host().clCreateUserEvent(context, error);
  if (event)
    quietly([&] { shared().host->made_event(event); });
  return event;
}

cl_int CL_API_CALL host_set_user_event(cl_event event, cl_int status) {
  quietly([&] { shared().host->set_event(event); });
  return below_host().clSetUserEventStatus(event, status);
}

cl_int CL_API_CALL host_wait_for_events(cl_uint count, const cl_event* events) {
  const cl_int error = below_host().clWaitForEvents(count, events);
  if (error == CL_SUCCESS)
    quietly([&] { shared().host->waited(count, events); });
  return error;
}

cl_int CL_API_CALL host_finish(cl_command_queue queue) {
  const cl_int error = below_host().clFinish(queue);
  if (error == CL_SUCCESS)
    quietly([&] { shared().host->finished(queue); });
  return error;
}

// A program may look until a command is complete.
cl_int CL_API_CALL host_get_event_info(cl_event event, cl_event_info name, std::size_t size,
                                       void* value, std::size_t* size_ret) {
  const cl_int error = below_host().clGetEventInfo(event, name, size, value, size_ret);
  if (error == CL_SUCCESS && name == CL_EVENT_COMMAND_EXECUTION_STATUS && value &&
      *static_cast<const cl_int*>(value) == CL_COMPLETE)
    quietly([&] { shared().host->waited(1, &event); });
  return error;
}

// Times exist when a command is complete.
cl_int CL_API_CALL host_get_profiling_info(cl_event event, cl_profiling_info name, std::size_t size,
                                           void* value, std::size_t* size_ret) {
  const cl_int error = below_host().clGetEventProfilingInfo(event, name, size, value, size_ret);
  if (error == CL_SUCCESS && name == CL_PROFILING_COMMAND_END)
    quietly([&] { shared().host->waited(1, &event); });
  return error;
}

struct Callback {
  void(CL_CALLBACK* function)(cl_event, cl_int, void*);
  void* data;
};

// The program's function may tell its other threads.
void CL_CALLBACK called_back(cl_event event, cl_int status, void* data) {
  const std::unique_ptr<Callback> callback(static_cast<Callback*>(data));
  if (status == CL_COMPLETE)
    quietly([&] { shared().host->waited(1, &event); });
  callback->function(event, status, callback->data);
}

cl_int CL_API_CALL host_set_callback(cl_event event, cl_int status,
                                     void(CL_CALLBACK* function)(cl_event, cl_int, void*),
                                     void* data) {
  if (!function)
    return below_host().clSetEventCallback(event, status, function, data);
  auto callback = std::make_unique<Callback>(Callback{function, data});
  const cl_int error = below_host().clSetEventCallback(event, status, called_back, callback.get());
  if (error == CL_SUCCESS)
    callback.release(); // NOLINT: called_back() takes it
  return error;
}

// After the destructors of the program's own objects, which may release memory. The loader may
// unload the layer before that.
[[gnu::destructor]] void end_of_program() {
  if (!has_shared() || !shared().host || ::getpid() != shared().process)
    return;
  quietly([] { shared().host->end(); });
}

} // namespace

void watch_host(cl_icd_dispatch& dispatch) {
  below_host() = dispatch;
  dispatch.clCreateCommandQueue = host_create_queue;
  dispatch.clCreateCommandQueueWithProperties = host_create_queue_with;
  dispatch.clCreateBuffer = host_create_buffer;
  dispatch.clCreateBufferWithProperties = host_create_buffer_with;
  dispatch.clCreateSubBuffer = host_create_sub_buffer;
  dispatch.clCreateImage = host_create_image;
  dispatch.clCreateImageWithProperties = host_create_image_with;
  dispatch.clRetainMemObject = host_retain_memory;
  dispatch.clReleaseMemObject = host_release_memory;
  dispatch.clSVMAlloc = host_svm_alloc;
  dispatch.clSVMFree = host_svm_free;
  dispatch.clEnqueueSVMFree = host_enqueue_svm_free;
  dispatch.clCreateUserEvent = host_create_user_event;
  dispatch.clSetUserEventStatus = host_set_user_event;
  dispatch.clWaitForEvents = host_wait_for_events;
  dispatch.clFinish = host_finish;
  dispatch.clGetEventInfo = host_get_event_info;
  dispatch.clGetEventProfilingInfo = host_get_profiling_info;
  dispatch.clSetEventCallback = host_set_callback;
  watch_transfers(dispatch);
}

} // namespace gputest::layer
