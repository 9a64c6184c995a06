// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/calls/visible_results.h"

#include "layer/opencl/calls/shared.h"

namespace gputest::layer {
namespace {

// The event of a command, to know when it is complete, whether or not the program asked for it.
class CommandEvent {
public:
  explicit CommandEvent(cl_event* wanted) : wanted_(wanted) {}
  CommandEvent(const CommandEvent&) = delete;
  CommandEvent& operator=(const CommandEvent&) = delete;
  ~CommandEvent() {
    if (!wanted_ && own_)
      implementation().clReleaseEvent(own_);
  }

  cl_event* get() { return wanted_ || !shared().reads ? wanted_ : &own_; }

  // Called when the command has been enqueued.
  void read(bool is_complete, const Region& region) {
    if (shared().reads)
      quietly([&] {
        if (is_complete)
          shared().reads->complete(region);
        else
          shared().reads->enqueued(region, *get());
      });
  }

private:
  cl_event* wanted_;
  cl_event own_ = nullptr;
};

Region rectangle(const void* begin, const std::size_t* region, std::size_t bytes, std::size_t row,
                 std::size_t slice) {
  Region all{
      static_cast<const std::byte*>(begin), region[0] * bytes, region[1], region[2], row, slice};
  if (all.row_pitch == 0)
    all.row_pitch = all.row;
  if (all.slice_pitch == 0)
    all.slice_pitch = all.row_pitch * all.rows;
  return all;
}

std::size_t pixel_bytes(cl_mem image) {
  std::size_t bytes = 0;
  implementation().clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof bytes, &bytes, nullptr);
  return bytes;
}

cl_int CL_API_CALL finish(cl_command_queue queue) {
  const cl_int error = implementation().clFinish(queue);
  collect();
  return error;
}

cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event* events) {
  const cl_int error = implementation().clWaitForEvents(count, events);
  collect();
  return error;
}

cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               std::size_t offset, std::size_t size, void* to, cl_uint count,
                               const cl_event* events, cl_event* event) {
  CommandEvent command(event);
  const cl_int error = implementation().clEnqueueReadBuffer(queue, buffer, blocking, offset, size,
                                                            to, count, events, command.get());
  if (blocking)
    collect();
  if (error == CL_SUCCESS)
    command.read(blocking,
                 {.begin = static_cast<const std::byte*>(to), .row = size, .source = buffer});
  return error;
}

cl_int CL_API_CALL read_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                    const std::size_t* buffer_origin,
                                    const std::size_t* host_origin, const std::size_t* region,
                                    std::size_t buffer_row, std::size_t buffer_slice,
                                    std::size_t host_row, std::size_t host_slice, void* to,
                                    cl_uint count, const cl_event* events, cl_event* event) {
  CommandEvent command(event);
  const cl_int error = implementation().clEnqueueReadBufferRect(
      queue, buffer, blocking, buffer_origin, host_origin, region, buffer_row, buffer_slice,
      host_row, host_slice, to, count, events, command.get());
  if (blocking)
    collect();
  if (error == CL_SUCCESS) {
    Region read = rectangle(to, region, 1, host_row, host_slice);
    read.source = buffer;
    read.begin +=
        host_origin[2] * read.slice_pitch + host_origin[1] * read.row_pitch + host_origin[0];
    command.read(blocking, read);
  }
  return error;
}

cl_int CL_API_CALL read_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                              const std::size_t* origin, const std::size_t* region, std::size_t row,
                              std::size_t slice, void* to, cl_uint count, const cl_event* events,
                              cl_event* event) {
  CommandEvent command(event);
  const cl_int error = implementation().clEnqueueReadImage(
      queue, image, blocking, origin, region, row, slice, to, count, events, command.get());
  if (blocking)
    collect();
  if (error == CL_SUCCESS)
    command.read(blocking, rectangle(to, region, pixel_bytes(image), row, slice));
  return error;
}

void* CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                             cl_map_flags flags, std::size_t offset, std::size_t size,
                             cl_uint count, const cl_event* events, cl_event* event,
                             cl_int* error) {
  CommandEvent command(event);
  void* mapped = implementation().clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size,
                                                     count, events, command.get(), error);
  if (blocking)
    collect();
  if (mapped && (flags & CL_MAP_READ) != 0 && shared().services->kernel_memory.is_marked(buffer))
    command.read(blocking,
                 {.begin = static_cast<const std::byte*>(mapped), .row = size, .source = buffer});
  return mapped;
}

void* CL_API_CALL map_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                            cl_map_flags flags, const std::size_t* origin,
                            const std::size_t* region, std::size_t* row, std::size_t* slice,
                            cl_uint count, const cl_event* events, cl_event* event, cl_int* error) {
  CommandEvent command(event);
  void* mapped =
      implementation().clEnqueueMapImage(queue, image, blocking, flags, origin, region, row, slice,
                                         count, events, command.get(), error);
  if (blocking)
    collect();
  if (mapped && (flags & CL_MAP_READ) != 0 && shared().services->kernel_memory.is_marked(image))
    command.read(blocking, rectangle(mapped, region, pixel_bytes(image), *row, slice ? *slice : 0));
  return mapped;
}

cl_int CL_API_CALL svm_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
                           void* pointer, std::size_t size, cl_uint count, const cl_event* events,
                           cl_event* event) {
  CommandEvent command(event);
  const cl_int error = implementation().clEnqueueSVMMap(queue, blocking, flags, pointer, size,
                                                        count, events, command.get());
  if (blocking)
    collect();
  if (error == CL_SUCCESS && (flags & CL_MAP_READ) != 0)
    command.read(blocking, {.begin = static_cast<const std::byte*>(pointer), .row = size});
  return error;
}

// A program may poll until its commands end.
cl_int CL_API_CALL get_event_info(cl_event event, cl_event_info name, std::size_t size, void* value,
                                  std::size_t* size_ret) {
  const cl_int error = implementation().clGetEventInfo(event, name, size, value, size_ret);
  if (shared().reads)
    quietly([] { shared().reads->look(); });
  return error;
}

cl_int CL_API_CALL release_queue(cl_command_queue queue) {
  const cl_int error = implementation().clReleaseCommandQueue(queue);
  collect();
  return error;
}

cl_int CL_API_CALL release_event(cl_event event) {
  const cl_int error = implementation().clReleaseEvent(event);
  collect();
  return error;
}

} // namespace

void watch_results(cl_icd_dispatch& dispatch) {
  dispatch.clFinish = finish;
  dispatch.clWaitForEvents = wait_for_events;
  dispatch.clEnqueueReadBuffer = read_buffer;
  dispatch.clEnqueueReadBufferRect = read_buffer_rect;
  dispatch.clEnqueueReadImage = read_image;
  dispatch.clEnqueueMapBuffer = map_buffer;
  dispatch.clEnqueueMapImage = map_image;
  dispatch.clEnqueueSVMMap = svm_map;
  dispatch.clReleaseCommandQueue = release_queue;
  dispatch.clReleaseEvent = release_event;
  if (shared().reads) {
    dispatch.clGetEventInfo = get_event_info;
    watch_copies(dispatch, shared().services->kernel_memory);
  }
}

} // namespace gputest::layer
