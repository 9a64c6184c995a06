#include "layer/driver_calls.h"
#include "layer/objects.h"

#include "runtime/opencl.h"

#include <fmt/format.h>
#include <utility>

namespace gputest::layer {
namespace {

cl_device_id device_of(cl_command_queue queue) {
  cl_device_id device = nullptr;
  driver().clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, static_cast<void*>(&device),
                                 nullptr);
  return device;
}

std::string name_of(cl_kernel kernel) {
  std::size_t size = 0;
  driver().clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size);
  std::string name(size, '\0');
  driver().clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name.data(), nullptr);
  return name.c_str();
}

std::vector<std::byte> copy(const void* value, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(value);
  return {bytes, bytes + size};
}

void tell(cl_kernel twin, cl_uint index, const KernelSettings::Argument& argument) {
  switch (argument.kind) {
  case KernelSettings::Argument::Kind::Unset:
    break;
  case KernelSettings::Argument::Kind::Value:
    driver().clSetKernelArg(twin, index, argument.size, argument.bytes.data());
    break;
  case KernelSettings::Argument::Kind::Null:
    driver().clSetKernelArg(twin, index, argument.size, nullptr);
    break;
  case KernelSettings::Argument::Kind::SvmPointer:
    driver().clSetKernelArgSVMPointer(twin, index, argument.pointer);
    break;
  }
}

} // namespace

Kernel::Kernel(cl_kernel handle, std::shared_ptr<Build> build)
    : handle_(handle), build_(std::move(build)), name_(name_of(handle)) {
  driver().clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof argument_count_, &argument_count_,
                           nullptr);
  settings_.arguments.resize(argument_count_);
}

Kernel::Kernel(cl_kernel handle, Kernel& original)
    : handle_(handle), build_(original.build_), name_(original.name_),
      argument_count_(original.argument_count_) {
  const std::lock_guard lock(original.mutex_);
  settings_ = original.settings_;
}

Kernel::~Kernel() {
  for (const auto& [device, twin] : twins_)
    if (twin.kernel)
      driver().clReleaseKernel(twin.kernel);
}

void Kernel::set_argument(cl_uint index, std::size_t size, const void* value) {
  const std::lock_guard lock(mutex_);
  if (index >= argument_count_)
    return;
  KernelSettings::Argument& argument = settings_.arguments[index];
  argument.kind =
      value ? KernelSettings::Argument::Kind::Value : KernelSettings::Argument::Kind::Null;
  argument.size = size;
  if (value)
    argument.bytes.assign(static_cast<const std::byte*>(value),
                          static_cast<const std::byte*>(value) + size);
  for (const auto& [device, twin] : twins_)
    if (twin.kernel)
      tell(twin.kernel, index, argument);
}

void Kernel::set_svm_pointer(cl_uint index, const void* value) {
  const std::lock_guard lock(mutex_);
  if (index >= argument_count_)
    return;
  KernelSettings::Argument& argument = settings_.arguments[index];
  argument.kind = KernelSettings::Argument::Kind::SvmPointer;
  argument.pointer = value;
  for (const auto& [device, twin] : twins_)
    if (twin.kernel)
      tell(twin.kernel, index, argument);
}

void Kernel::set_exec_info(cl_kernel_exec_info name, std::size_t size, const void* value) {
  const std::lock_guard lock(mutex_);
  settings_.exec_infos.push_back({name, copy(value, size)});
  for (const auto& [device, twin] : twins_)
    if (twin.kernel)
      driver().clSetKernelExecInfo(twin.kernel, name, size, value);
}

Kernel::Twin Kernel::make_twin(cl_device_id device) {
  Twin twin;
  Variant* variant = build_->variant(device);
  if (!variant)
    return twin;
  try {
    twin.state = &variant->state(name_);
  } catch (const std::exception& error) {
    build_->not_measured(name_, error.what());
    return twin;
  }
  cl_int error = CL_SUCCESS;
  twin.kernel = driver().clCreateKernel(variant->program(), name_.c_str(), &error);
  if (!twin.kernel) {
    build_->not_measured(name_, fmt::format("the device does not make the instrumented kernel ({})",
                                            runtime::error_name(error)));
    return twin;
  }
  for (cl_uint i = 0; i < argument_count_; ++i)
    tell(twin.kernel, i, settings_.arguments[i]);
  for (const KernelSettings::ExecInfo& info : settings_.exec_infos)
    driver().clSetKernelExecInfo(twin.kernel, info.name, info.bytes.size(), info.bytes.data());
  const cl_mem state = twin.state->buffer();
  driver().clSetKernelArg(twin.kernel, argument_count_, sizeof state,
                          static_cast<const void*>(&state));
  return twin;
}

Kernel::Twin& Kernel::twin(cl_device_id device) {
  const auto known = twins_.find(device);
  if (known != twins_.end())
    return known->second;
  return twins_[device] = make_twin(device);
}

cl_int Kernel::launch(cl_command_queue queue, const std::function<cl_int(cl_kernel)>& enqueue) {
  const std::lock_guard lock(mutex_);
  const cl_device_id device = device_of(queue);
  if (!device)
    return enqueue(handle_);
  const Twin& twin = this->twin(device);
  if (!twin.kernel)
    return enqueue(handle_);
  const cl_int error = enqueue(twin.kernel);
  if (error == CL_SUCCESS) {
    twin.state->count_launch();
    return error;
  }
  const cl_int result = enqueue(handle_);
  if (result == CL_SUCCESS)
    build_->not_measured(name_, fmt::format("the device refuses to launch the instrumented kernel "
                                            "({}), so the original ran",
                                            runtime::error_name(error)));
  return result;
}

} // namespace gputest::layer
