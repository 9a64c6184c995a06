// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/calls/wrappers.h"

#include "layer/opencl/calls/host_calls.h"
#include "layer/opencl/calls/modules.h"
#include "layer/opencl/calls/shared.h"
#include "layer/opencl/calls/visible_results.h"
#include "layer/opencl/extensions.h"

#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputest::layer {
namespace {

Objects& objects() {
  return shared().objects;
}

// Programs may keep arguments at any address.
cl_mem load_handle(const void* value) {
  cl_mem memory = nullptr;
  std::memcpy(static_cast<void*>(&memory), value, sizeof memory);
  return memory;
}

void collect_at_exit() {
  if (::getpid() != shared().process) // in a child, the device is its parent's
    return;
  quietly([] { objects().collect(true); });
  collect();
}

// Registers as late as possible. Exit handlers run in reverse order, and the layer's must run
// before the OpenCL implementation's.
void at_first_launch() {
  static const int registered = std::atexit(collect_at_exit);
  static_cast<void>(registered);
}

cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count, const char** strings,
                                          const std::size_t* lengths, cl_int* error) {
  cl_program program =
      implementation().clCreateProgramWithSource(context, count, strings, lengths, error);
  if (program)
    quietly([&] { objects().created(program); });
  return program;
}

cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count,
                                          const cl_device_id* devices, const std::size_t* lengths,
                                          const unsigned char** binaries, cl_int* statuses,
                                          cl_int* error) {
  std::vector<std::span<const std::byte>> all;
  for (cl_uint i = 0; binaries && lengths && i < count; ++i)
    if (binaries[i])
      all.push_back(std::as_bytes(std::span(binaries[i], lengths[i])));
  if (cl_program program = stand_in_for_binaries(context, all, statuses, error))
    return program;
  cl_program program = implementation().clCreateProgramWithBinary(context, count, devices, lengths,
                                                                  binaries, statuses, error);
  if (program)
    quietly([&] { objects().created(program, all); });
  return program;
}

void created_from_il(cl_program program, std::string_view text) {
  quietly([&] { objects().created_from(program, text); });
}

cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id* devices,
                                 const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                                 void* data) {
  const cl_int error =
      implementation().clBuildProgram(program, count, devices, options, notify, data);
  const std::string given = options ? options : "";
  if (error == CL_SUCCESS) {
    quietly([&] { objects().built(program, given); });
    return error;
  }
  const Unit unit{source_of(program), given, {}, true};
  if (cl_program instead = stand_in_for_source(program, unit, Made::Built)) {
    quietly([&] { objects().replaced(program, unit, instead); });
    return CL_SUCCESS;
  }
  quietly([&] { objects().forget_replacement(program); });
  return error;
}

cl_int CL_API_CALL compile_program(cl_program program, cl_uint count, const cl_device_id* devices,
                                   const char* options, cl_uint header_count,
                                   const cl_program* headers, const char** names,
                                   void(CL_CALLBACK* notify)(cl_program, void*), void* data) {
  const cl_int error = implementation().clCompileProgram(
      program, count, devices, options, header_count, headers, names, notify, data);
  Unit unit{source_of(program), options ? options : "", {}, true};
  for (cl_uint i = 0; headers && names && i < header_count; ++i)
    unit.headers.emplace_back(names[i], source_of(headers[i]));
  if (error == CL_SUCCESS) {
    quietly([&] { objects().compiled(program, unit.options, unit.headers); });
    return error;
  }
  if (cl_program instead = stand_in_for_source(program, unit, Made::Compiled)) {
    quietly([&] { objects().compiled_instead(program, unit, instead); });
    return CL_SUCCESS;
  }
  quietly([&] { objects().forget_replacement(program); });
  return error;
}

cl_program CL_API_CALL link_program(cl_context context, cl_uint count, const cl_device_id* devices,
                                    const char* options, cl_uint input_count,
                                    const cl_program* inputs,
                                    void(CL_CALLBACK* notify)(cl_program, void*), void* data,
                                    cl_int* error) {
  const std::vector<cl_program> all(inputs, inputs + (inputs ? input_count : 0));
  if (cl_program program = link_stand_ins({context, count, devices, options, all}, error)) {
    if (notify)
      notify(program, data);
    return program;
  }
  cl_program program = implementation().clLinkProgram(context, count, devices, options, input_count,
                                                      inputs, notify, data, error);
  if (program)
    quietly([&] {
      objects().created(program);
      objects().linked(program, objects().units_of_inputs(all));
    });
  return program;
}

cl_int CL_API_CALL get_program_info(cl_program program, cl_program_info name, std::size_t size,
                                    void* value, std::size_t* size_ret) {
  if (const std::optional<cl_int> known = info_of_stand_in(program, name, size, value, size_ret))
    return *known;
  const bool of_kernels = name == CL_PROGRAM_NUM_KERNELS || name == CL_PROGRAM_KERNEL_NAMES;
  const cl_int error = implementation().clGetProgramInfo(
      of_kernels ? objects().maker_of(program) : program, name, size, value, size_ret);
  if (error == CL_SUCCESS && name == CL_PROGRAM_BINARIES && value)
    quietly([&] { objects().took_binaries(program, static_cast<unsigned char* const*>(value)); });
  return error;
}

cl_int CL_API_CALL get_build_info(cl_program program, cl_device_id device,
                                  cl_program_build_info name, std::size_t size, void* value,
                                  std::size_t* size_ret) {
  cl_program built = name == CL_PROGRAM_BUILD_OPTIONS ? program : objects().maker_of(program);
  return implementation().clGetProgramBuildInfo(built, device, name, size, value, size_ret);
}

cl_int CL_API_CALL retain_program(cl_program program) {
  const cl_int error = implementation().clRetainProgram(program);
  if (error == CL_SUCCESS)
    quietly([&] { objects().retained(program); });
  return error;
}

cl_int CL_API_CALL release_program(cl_program program) {
  quietly([&] { objects().released(program); });
  return implementation().clReleaseProgram(program);
}

cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* error) {
  cl_kernel kernel = implementation().clCreateKernel(objects().maker_of(program), name, error);
  if (kernel)
    quietly([&] { objects().created(program, kernel); });
  return kernel;
}

cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel* kernels,
                                  cl_uint* made) {
  cl_uint created = 0;
  const cl_int error = implementation().clCreateKernelsInProgram(objects().maker_of(program), count,
                                                                 kernels, &created);
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
  cl_kernel kernel = implementation().clCloneKernel(from, error);
  if (kernel)
    quietly([&] { objects().cloned(from, kernel); });
  return kernel;
}

cl_int CL_API_CALL retain_kernel(cl_kernel kernel) {
  const cl_int error = implementation().clRetainKernel(kernel);
  if (error == CL_SUCCESS)
    quietly([&] { objects().retained(kernel); });
  return error;
}

cl_int CL_API_CALL release_kernel(cl_kernel kernel) {
  quietly([&] { objects().released(kernel); });
  return implementation().clReleaseKernel(kernel);
}

cl_int CL_API_CALL set_kernel_arg(cl_kernel kernel, cl_uint index, std::size_t size,
                                  const void* value) {
  const cl_int error = implementation().clSetKernelArg(kernel, index, size, value);
  if (error == CL_SUCCESS)
    quietly([&] {
      if (value && size == sizeof(cl_mem)) // or a number that is no handle of memory
        shared().services->kernel_memory.mark(load_handle(value));
      if (const auto known = objects().find(kernel))
        known->set_argument(index, size, value);
    });
  return error;
}

cl_int CL_API_CALL set_kernel_arg_svm(cl_kernel kernel, cl_uint index, const void* value) {
  const cl_int error = implementation().clSetKernelArgSVMPointer(kernel, index, value);
  if (error == CL_SUCCESS)
    quietly([&] {
      if (const auto known = objects().find(kernel))
        known->set_svm_pointer(index, value);
    });
  return error;
}

void* CL_API_CALL svm_alloc(cl_context context, cl_svm_mem_flags flags, std::size_t size,
                            cl_uint alignment) {
  void* memory = implementation().clSVMAlloc(context, flags, size, alignment);
  if (memory)
    quietly([&] { shared().services->svm.allocated(memory, size); });
  return memory;
}

void CL_API_CALL svm_free(cl_context context, void* memory) {
  quietly([&] { shared().services->svm.freed(memory); });
  implementation().clSVMFree(context, memory);
}

// Forgets the memory before the call, because nobody may use it from here on.
cl_int CL_API_CALL enqueue_svm_free(cl_command_queue queue, cl_uint count, void** pointers,
                                    void(CL_CALLBACK* release)(cl_command_queue, cl_uint, void**,
                                                               void*),
                                    void* data, cl_uint event_count, const cl_event* events,
                                    cl_event* event) {
  quietly([&] {
    for (cl_uint i = 0; pointers && i < count; ++i)
      shared().services->svm.freed(pointers[i]);
  });
  return implementation().clEnqueueSVMFree(queue, count, pointers, release, data, event_count,
                                           events, event);
}

cl_int CL_API_CALL set_kernel_exec_info(cl_kernel kernel, cl_kernel_exec_info name,
                                        std::size_t size, const void* value) {
  const cl_int error = implementation().clSetKernelExecInfo(kernel, name, size, value);
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
  if (shared().services->settings.measure_row->leaves_kernels)
    return call.enqueue(kernel);
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
  const cl_int error = implementation().clGetContextInfo(context, name, size, value, size_ret);
  if (error == CL_SUCCESS && name == CL_CONTEXT_REFERENCE_COUNT && value)
    quietly([&] { *static_cast<cl_uint*>(value) -= objects().references(context); });
  return error;
}

void replace_kernels(cl_icd_dispatch& dispatch) {
  dispatch.clCreateProgramWithSource = create_with_source;
  dispatch.clCreateProgramWithBinary = create_with_binary;
  take_modules(dispatch);
  dispatch.clBuildProgram = build_program;
  dispatch.clCompileProgram = compile_program;
  dispatch.clLinkProgram = link_program;
  dispatch.clGetProgramInfo = get_program_info;
  dispatch.clGetProgramBuildInfo = get_build_info;
  dispatch.clRetainProgram = retain_program;
  dispatch.clReleaseProgram = release_program;
  dispatch.clCreateKernel = create_kernel;
  dispatch.clCreateKernelsInProgram = create_kernels;
  dispatch.clCloneKernel = clone_kernel;
  dispatch.clRetainKernel = retain_kernel;
  dispatch.clReleaseKernel = release_kernel;
  dispatch.clSetKernelArgSVMPointer = set_kernel_arg_svm;
  dispatch.clSetKernelExecInfo = set_kernel_exec_info;
  dispatch.clSVMAlloc = svm_alloc;
  dispatch.clSVMFree = svm_free;
  dispatch.clEnqueueSVMFree = enqueue_svm_free;
  dispatch.clGetContextInfo = get_context_info;

  const auto recorded = [](cl_kernel kernel) {
    quietly([&] {
      objects().not_replaced(kernel,
                             "it is launched from a command buffer (cl_khr_command_buffer), "
                             "where the program's own kernels run");
    });
  };
  install_extensions(
      dispatch, {.recorded = recorded, .created = created_from_il, .stand_in = stand_in_for_il});
}

} // namespace

void install_wrappers(cl_icd_dispatch& dispatch, std::unique_ptr<Services> services) {
  make_shared(std::move(services));
  shared().services->log.begin();

  dispatch.clSetKernelArg = set_kernel_arg;
  dispatch.clEnqueueNDRangeKernel = enqueue_kernel;
  dispatch.clEnqueueTask = enqueue_task;
  if (!shared().services->settings.measure_row->leaves_kernels)
    replace_kernels(dispatch);
  watch_results(dispatch);
  if (shared().host)
    watch_host(dispatch);
}

} // namespace gputest::layer
