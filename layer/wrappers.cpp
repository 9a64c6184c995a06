#include "layer/wrappers.h"

#include "layer/driver_calls.h"
#include "layer/extensions.h"
#include "layer/objects.h"
#include "layer/reads.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gputest::layer {
namespace {

struct Shared {
  explicit Shared(std::unique_ptr<Services> given)
      : services(std::move(given)), objects(*services) {
    const Measure measure = services->settings.measure;
    if (measure == Measure::Mutants || measure == Measure::Schedules)
      reads.emplace(*services);
  }

  std::unique_ptr<Services> services;
  Objects objects;
  std::optional<Reads> reads;
  pid_t process = ::getpid();
};
// The one global there must be: OpenCL's functions have no other way to their data.
Shared* shared = nullptr;

Objects& objects() {
  return shared->objects;
}

// The program must not notice what goes wrong here; its report must.
template <typename Work> void quietly(Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (const std::exception& error) {
    try {
      shared->services->log.write({{"event", "not_measured"}, {"reason", error.what()}});
    } catch (const std::exception&) { // no memory: nothing can be said
    }
  }
}

// Kernels have come to an end as far as the program knows.
void collect() {
  quietly([] {
    objects().collect(false);
    if (shared->reads)
      shared->reads->look();
    if (shared->services->capture)
      shared->services->capture->look();
  });
}

// The event of a command, for who wants to know when it is complete, whether or not the program
// asked for it.
class CommandEvent {
public:
  explicit CommandEvent(cl_event* wanted) : wanted_(wanted) {}
  CommandEvent(const CommandEvent&) = delete;
  CommandEvent& operator=(const CommandEvent&) = delete;
  ~CommandEvent() {
    if (!wanted_ && own_)
      driver().clReleaseEvent(own_);
  }

  cl_event* get() { return wanted_ || !shared->reads ? wanted_ : &own_; }

  // The command has been enqueued.
  void read(bool is_complete, const Region& region) {
    if (shared->reads)
      quietly([&] {
        if (is_complete)
          shared->reads->complete(region);
        else
          shared->reads->enqueued(region, *get());
      });
  }

private:
  cl_event* wanted_;
  cl_event own_ = nullptr;
};

// Programs keep arguments where they like.
cl_mem load_handle(const void* value) {
  cl_mem memory = nullptr;
  std::memcpy(static_cast<void*>(&memory), value, sizeof memory);
  return memory;
}

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
  driver().clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof bytes, &bytes, nullptr);
  return bytes;
}

void collect_at_exit() {
  if (::getpid() != shared->process) // a child: the device is its parent's
    return;
  quietly([] { objects().collect(true); });
  collect();
}

// As late as can be: exit handlers run in reverse, and ours needs the driver's to run after it.
void at_first_launch() {
  static const int registered = std::atexit(collect_at_exit);
  static_cast<void>(registered);
}

cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count, const char** strings,
                                          const std::size_t* lengths, cl_int* error) {
  cl_program program = driver().clCreateProgramWithSource(context, count, strings, lengths, error);
  if (program)
    quietly([&] { objects().created(program); });
  return program;
}

cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count,
                                          const cl_device_id* devices, const std::size_t* lengths,
                                          const unsigned char** binaries, cl_int* statuses,
                                          cl_int* error) {
  cl_program program = driver().clCreateProgramWithBinary(context, count, devices, lengths,
                                                          binaries, statuses, error);
  if (program)
    quietly([&] { objects().created(program); });
  return program;
}

cl_program CL_API_CALL create_with_il(cl_context context, const void* text, std::size_t length,
                                      cl_int* error) {
  cl_program program = driver().clCreateProgramWithIL(context, text, length, error);
  if (program)
    quietly([&] { objects().created(program); });
  return program;
}

cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id* devices,
                                 const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                                 void* data) {
  const cl_int error = driver().clBuildProgram(program, count, devices, options, notify, data);
  if (error == CL_SUCCESS)
    quietly([&] { objects().built(program, options ? options : ""); });
  return error;
}

cl_int CL_API_CALL compile_program(cl_program program, cl_uint count, const cl_device_id* devices,
                                   const char* options, cl_uint header_count,
                                   const cl_program* headers, const char** names,
                                   void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
  const cl_int error = driver().clCompileProgram(program, count, devices, options, header_count,
                                                 headers, names, notify, data);
  if (error == CL_SUCCESS)
    quietly([&] {
      std::vector<std::pair<std::string, std::string>> texts;
      for (cl_uint i = 0; i < header_count; ++i)
        texts.emplace_back(names[i], source_of(headers[i]));
      objects().compiled(program, options ? options : "", std::move(texts));
    });
  return error;
}

cl_program CL_API_CALL link_program(cl_context context, cl_uint count, const cl_device_id* devices,
                                    const char* options, cl_uint input_count,
                                    const cl_program* inputs,
                                    void(CL_CALLBACK* notify)(cl_program, void*), void* data,
                                    cl_int* error) {
  cl_program program = driver().clLinkProgram(context, count, devices, options, input_count, inputs,
                                              notify, data, error);
  if (program)
    quietly([&] {
      objects().created(program);
      objects().linked(program, {inputs, inputs + input_count});
    });
  return program;
}

cl_int CL_API_CALL retain_program(cl_program program) {
  const cl_int error = driver().clRetainProgram(program);
  if (error == CL_SUCCESS)
    quietly([&] { objects().retained(program); });
  return error;
}

cl_int CL_API_CALL release_program(cl_program program) {
  quietly([&] { objects().released(program); });
  return driver().clReleaseProgram(program);
}

cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* error) {
  cl_kernel kernel = driver().clCreateKernel(program, name, error);
  if (kernel)
    quietly([&] { objects().created(program, kernel); });
  return kernel;
}

cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel* kernels,
                                  cl_uint* made) {
  cl_uint created = 0;
  const cl_int error = driver().clCreateKernelsInProgram(program, count, kernels, &created);
  if (made)
    *made = created;
  if (error == CL_SUCCESS && kernels)
    quietly([&] {
      for (cl_uint i = 0; i < created; ++i)
        objects().created(program, kernels[i]);
    });
  return error;
}

cl_kernel CL_API_CALL clone_kernel(cl_kernel from, cl_int* error) {
  cl_kernel kernel = driver().clCloneKernel(from, error);
  if (kernel)
    quietly([&] { objects().cloned(from, kernel); });
  return kernel;
}

cl_int CL_API_CALL retain_kernel(cl_kernel kernel) {
  const cl_int error = driver().clRetainKernel(kernel);
  if (error == CL_SUCCESS)
    quietly([&] { objects().retained(kernel); });
  return error;
}

cl_int CL_API_CALL release_kernel(cl_kernel kernel) {
  quietly([&] { objects().released(kernel); });
  return driver().clReleaseKernel(kernel);
}

cl_int CL_API_CALL set_kernel_arg(cl_kernel kernel, cl_uint index, std::size_t size,
                                  const void* value) {
  const cl_int error = driver().clSetKernelArg(kernel, index, size, value);
  if (error == CL_SUCCESS)
    quietly([&] {
      if (value && size == sizeof(cl_mem)) // or a number, which is no memory's handle
        shared->services->kernel_memory.mark(load_handle(value));
      if (const auto known = objects().find(kernel))
        known->set_argument(index, size, value);
    });
  return error;
}

cl_int CL_API_CALL set_kernel_arg_svm(cl_kernel kernel, cl_uint index, const void* value) {
  const cl_int error = driver().clSetKernelArgSVMPointer(kernel, index, value);
  if (error == CL_SUCCESS)
    quietly([&] {
      if (const auto known = objects().find(kernel))
        known->set_svm_pointer(index, value);
    });
  return error;
}

cl_int CL_API_CALL set_kernel_exec_info(cl_kernel kernel, cl_kernel_exec_info name,
                                        std::size_t size, const void* value) {
  const cl_int error = driver().clSetKernelExecInfo(kernel, name, size, value);
  if (error == CL_SUCCESS)
    quietly([&] {
      if (const auto known = objects().find(kernel))
        known->set_exec_info(name, size, value);
    });
  return error;
}

cl_int launch(cl_kernel kernel, const LaunchCall& call) {
  std::shared_ptr<Kernel> known;
  quietly([&] {
    known = objects().find(kernel);
    at_first_launch();
  });
  if (known)
    return known->launch(call);
  const cl_int error = call.enqueue(kernel);
  if (error == CL_SUCCESS)
    quietly([&] { objects().not_replaced(kernel, "it is built into the device"); });
  return error;
}

cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const std::size_t* offset, const std::size_t* global,
                                  const std::size_t* local, cl_uint count, const cl_event* events,
                                  cl_event* event) {
  return launch(kernel, {queue, false, dimensions, offset, global, local, count, events, event});
}

cl_int CL_API_CALL enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint count,
                                const cl_event* events, cl_event* event) {
  return launch(kernel, {queue, true, 1, nullptr, nullptr, nullptr, count, events, event});
}

cl_int CL_API_CALL get_context_info(cl_context context, cl_context_info name, std::size_t size,
                                    void* value, std::size_t* size_ret) {
  const cl_int error = driver().clGetContextInfo(context, name, size, value, size_ret);
  if (error == CL_SUCCESS && name == CL_CONTEXT_REFERENCE_COUNT && value)
    quietly([&] { *static_cast<cl_uint*>(value) -= objects().references(context); });
  return error;
}

// Points where results become visible.

cl_int CL_API_CALL finish(cl_command_queue queue) {
  const cl_int error = driver().clFinish(queue);
  collect();
  return error;
}

cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event* events) {
  const cl_int error = driver().clWaitForEvents(count, events);
  collect();
  return error;
}

cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                               std::size_t offset, std::size_t size, void* to, cl_uint count,
                               const cl_event* events, cl_event* event) {
  CommandEvent command(event);
  const cl_int error = driver().clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to,
                                                    count, events, command.get());
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
  const cl_int error = driver().clEnqueueReadBufferRect(
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
  const cl_int error = driver().clEnqueueReadImage(queue, image, blocking, origin, region, row,
                                                   slice, to, count, events, command.get());
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
  void* mapped = driver().clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count,
                                             events, command.get(), error);
  if (blocking)
    collect();
  if (mapped && (flags & CL_MAP_READ) != 0 && shared->services->kernel_memory.is_marked(buffer))
    command.read(blocking,
                 {.begin = static_cast<const std::byte*>(mapped), .row = size, .source = buffer});
  return mapped;
}

void* CL_API_CALL map_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                            cl_map_flags flags, const std::size_t* origin,
                            const std::size_t* region, std::size_t* row, std::size_t* slice,
                            cl_uint count, const cl_event* events, cl_event* event, cl_int* error) {
  CommandEvent command(event);
  void* mapped = driver().clEnqueueMapImage(queue, image, blocking, flags, origin, region, row,
                                            slice, count, events, command.get(), error);
  if (blocking)
    collect();
  if (mapped && (flags & CL_MAP_READ) != 0 && shared->services->kernel_memory.is_marked(image))
    command.read(blocking, rectangle(mapped, region, pixel_bytes(image), *row, slice ? *slice : 0));
  return mapped;
}

cl_int CL_API_CALL svm_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
                           void* pointer, std::size_t size, cl_uint count, const cl_event* events,
                           cl_event* event) {
  CommandEvent command(event);
  const cl_int error =
      driver().clEnqueueSVMMap(queue, blocking, flags, pointer, size, count, events, command.get());
  if (blocking)
    collect();
  if (error == CL_SUCCESS && (flags & CL_MAP_READ) != 0)
    command.read(blocking, {.begin = static_cast<const std::byte*>(pointer), .row = size});
  return error;
}

// A program may poll for its commands to end.
cl_int CL_API_CALL get_event_info(cl_event event, cl_event_info name, std::size_t size, void* value,
                                  std::size_t* size_ret) {
  const cl_int error = driver().clGetEventInfo(event, name, size, value, size_ret);
  if (shared->reads)
    quietly([] { shared->reads->look(); });
  return error;
}

cl_int CL_API_CALL release_queue(cl_command_queue queue) {
  const cl_int error = driver().clReleaseCommandQueue(queue);
  collect();
  return error;
}

cl_int CL_API_CALL release_event(cl_event event) {
  const cl_int error = driver().clReleaseEvent(event);
  collect();
  return error;
}

} // namespace

void install_wrappers(cl_icd_dispatch& dispatch, std::unique_ptr<Services> services) {
  shared = new Shared(std::move(services));
  shared->services->log.write({{"event", "process"}});

  dispatch.clCreateProgramWithSource = create_with_source;
  dispatch.clCreateProgramWithBinary = create_with_binary;
  dispatch.clCreateProgramWithIL = create_with_il;
  dispatch.clBuildProgram = build_program;
  dispatch.clCompileProgram = compile_program;
  dispatch.clLinkProgram = link_program;
  dispatch.clRetainProgram = retain_program;
  dispatch.clReleaseProgram = release_program;
  dispatch.clCreateKernel = create_kernel;
  dispatch.clCreateKernelsInProgram = create_kernels;
  dispatch.clCloneKernel = clone_kernel;
  dispatch.clRetainKernel = retain_kernel;
  dispatch.clReleaseKernel = release_kernel;
  dispatch.clSetKernelArg = set_kernel_arg;
  dispatch.clSetKernelArgSVMPointer = set_kernel_arg_svm;
  dispatch.clSetKernelExecInfo = set_kernel_exec_info;
  dispatch.clEnqueueNDRangeKernel = enqueue_kernel;
  dispatch.clEnqueueTask = enqueue_task;
  dispatch.clGetContextInfo = get_context_info;

  install_extensions(dispatch, [](cl_kernel kernel) {
    quietly([&] {
      objects().not_replaced(kernel,
                             "it is launched from a command buffer (cl_khr_command_buffer), "
                             "where the program's own kernels run");
    });
  });

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
  if (shared->reads) {
    dispatch.clGetEventInfo = get_event_info;
    watch_copies(dispatch, shared->services->kernel_memory);
  }
}

} // namespace gputest::layer
