// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/calls/objects.h"
#include "layer/opencl/calls/shared.h"
#include "layer/opencl/given_argument.h"
#include "layer/opencl/implementation.h"
#include "layer/opencl/later_launch.h"

#include "runtime/machine/opencl/opencl.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace gputest::layer {
namespace {

using namespace std::chrono_literals;

// A launch whose turn comes later is made on a thread of its own.
constexpr auto kSoon = 200ms;

cl_device_id device_of(cl_command_queue queue) {
  cl_device_id device = nullptr;
  implementation().clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device,
                                         static_cast<void*>(&device), nullptr);
  return device;
}

std::vector<std::byte> copy(const void* value, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(value);
  return {bytes, bytes + size};
}

// Whether this argument points to global, constant or local memory.
bool points(cl_kernel kernel, cl_uint index) {
  cl_kernel_arg_address_qualifier qualifier = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  implementation().clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                                      sizeof qualifier, &qualifier, nullptr);
  return qualifier != CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

// The number of bytes from `pointer` on.
std::uint64_t svm_size(const void* pointer, SvmMemory& svm) {
  const auto block = svm.find(pointer);
  if (!block) // accesses are not checked
    return static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return block->size - static_cast<std::size_t>(static_cast<const std::byte*>(pointer) -
                                                static_cast<std::byte*>(block->begin));
}

void tell(cl_kernel twin, cl_uint index, const KernelSettings::Argument& argument) {
  switch (argument.kind) {
  case KernelSettings::Argument::Kind::Unset:
    break;
  case KernelSettings::Argument::Kind::Value:
    implementation().clSetKernelArg(twin, index, argument.size, argument.bytes.data());
    break;
  case KernelSettings::Argument::Kind::Null:
    implementation().clSetKernelArg(twin, index, argument.size, nullptr);
    break;
  case KernelSettings::Argument::Kind::SvmPointer:
    implementation().clSetKernelArgSVMPointer(twin, index, argument.pointer);
    break;
  }
}

std::uint64_t work_items_of(const LaunchCall& call) {
  std::uint64_t items = 1;
  for (cl_uint i = 0; !call.is_task && call.global && i < call.dimensions; ++i)
    items *= call.global[i];
  return items;
}

} // namespace

std::string name_of(cl_kernel kernel) {
  std::size_t size = 0;
  implementation().clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size);
  std::string name(size, '\0');
  implementation().clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, size, name.data(), nullptr);
  return name.substr(0, name.find('\0'));
}

Kernel::Kernel(cl_kernel handle, std::shared_ptr<Build> build)
    : handle_(handle), build_(std::move(build)), name_(name_of(handle)),
      label_(build_->label(name_)), launches_(build_->launches(name_)) {
  implementation().clGetKernelInfo(handle, CL_KERNEL_NUM_ARGS, sizeof argument_count_,
                                   &argument_count_, nullptr);
  settings_.arguments.resize(argument_count_);
}

Kernel::Kernel(cl_kernel handle, Kernel& original)
    : handle_(handle), build_(original.build_), name_(original.name_), label_(original.label_),
      launches_(original.launches_), argument_count_(original.argument_count_) {
  const std::lock_guard lock(original.mutex_);
  settings_ = original.settings_;
}

Kernel::~Kernel() {
  for (const auto& [device, twin] : twins_)
    if (twin.kernel)
      implementation().clReleaseKernel(twin.kernel);
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
      implementation().clSetKernelExecInfo(twin.kernel, name, size, value);
}

Kernel::Twin Kernel::make_twin(cl_device_id device) {
  Twin twin;
  TwinProgram* variant = build_->replaces(name_) ? build_->variant(device) : nullptr;
  if (!variant)
    return twin;
  if (const std::string reason = variant->instrumentation().refusal(name_); !reason.empty()) {
    build_->not_measured(name_, reason);
    return twin;
  }
  if (!variant->program()) {
    make_simulated_twin(twin, *variant, device);
    return twin;
  }
  cl_int error = CL_SUCCESS;
  twin.kernel = implementation().clCreateKernel(variant->program(), name_.c_str(), &error);
  if (!twin.kernel) {
    build_->not_measured(name_, fmt::format("the device does not make the instrumented kernel ({})",
                                            runtime::error_name(error)));
    return twin;
  }
  for (cl_uint i = 0; i < argument_count_; ++i)
    tell(twin.kernel, i, settings_.arguments[i]);
  for (const KernelSettings::ExecInfo& info : settings_.exec_infos)
    implementation().clSetKernelExecInfo(twin.kernel, info.name, info.bytes.size(),
                                         info.bytes.data());
  twin.variant = variant;
  for (cl_uint i = 0; variant->instrumentation().has_sizes() && i < argument_count_; ++i)
    twin.is_sized.push_back(points(twin.kernel, i));
  implementation().clGetKernelWorkGroupInfo(twin.kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
                                            sizeof twin.most_items, &twin.most_items, nullptr);
  return twin;
}

void Kernel::make_simulated_twin(Twin& twin, TwinProgram& variant, cl_device_id device) {
  const model::KernelInterface* described = build_->described(name_);
  Simulator* const simulator = build_->simulator();
  if (!simulator || !described || described->arguments.size() != argument_count_)
    return;
  try {
    twin.simulated = variant.simulated(*simulator, name_);
  } catch (const std::exception& error) {
    build_->not_measured(name_, fmt::format("not simulated: {}", error.what()));
    return;
  }
  twin.variant = &variant;
  for (const model::Argument& argument : described->arguments)
    twin.is_sized.push_back(argument.pointer);
  implementation().clGetKernelWorkGroupInfo(handle_, device, CL_KERNEL_WORK_GROUP_SIZE,
                                            sizeof twin.most_items, &twin.most_items, nullptr);
}

std::vector<std::uint64_t> Kernel::sizes(const Twin& twin) const {
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i < twin.is_sized.size(); ++i) {
    const KernelSettings::Argument& argument = settings_.arguments[i];
    const bool is_memory = argument.kind == KernelSettings::Argument::Kind::Value;
    sizes.push_back(!twin.is_sized[i] ? 0
                    : is_memory       ? buffer_size(memory_in(argument))
                    : argument.kind == KernelSettings::Argument::Kind::SvmPointer
                        ? svm_size(argument.pointer, build_->svm())
                        : argument.size);
  }
  return sizes;
}

void Kernel::set_state(Twin& twin, const Launch& launch) {
  const RequestedLaunch request{.kernel = name_,
                                .label = label_,
                                .number = ++launches_,
                                .launch = launch,
                                .most_items = twin.most_items,
                                .sizes = sizes(twin)};
  std::vector<std::uint64_t> key = twin.variant->instrumentation().key(request);
  if (twin.state && twin.key == key)
    return;
  LaunchState& state = twin.variant->state(key, request);
  twin.key = std::move(key);
  twin.state = &state;
  const cl_mem buffer = state.buffer.buffer();
  if (!twin.kernel)
    return;
  implementation().clSetKernelArg(twin.kernel, argument_count_, sizeof buffer,
                                  static_cast<const void*>(&buffer));
}

Kernel::Twin& Kernel::twin(cl_device_id device) {
  const auto known = twins_.find(device);
  if (known != twins_.end())
    return known->second;
  return twins_[device] = make_twin(device);
}

cl_int Kernel::launch_captured(const LaunchCall& call, Capture& capture) {
  const model::KernelInterface* described = build_->described(name_);
  const std::string kernel = build_->identity(name_);
  const std::uint64_t items = work_items_of(call);
  if (!described || described->arguments.size() != argument_count_ || !capture.wants(kernel, items))
    return enqueue_own(call);
  std::string reason;
  std::vector<GivenArgument> arguments;
  try {
    arguments = given_arguments(*described, settings_, build_->known_memory());
    std::size_t bytes = 0;
    for (const GivenArgument& argument : arguments) {
      if (argument.keeps_packets)
        throw std::runtime_error("argument '" + argument.name + "' is a pipe");
      bytes += argument.has_memory() ? argument.size : 0;
    }
    if (bytes > build_->max_bytes())
      throw std::runtime_error(fmt::format(
          "its buffers and images have more bytes than --max-bytes {}", build_->max_bytes()));
  } catch (const std::exception& error) {
    build_->not_measured(name_, std::string("not captured: ") + error.what());
    capture.give_back(kernel, items);
    return enqueue_own(call);
  }
  const cl_int error =
      capture.launch(call, handle_, build_->number(), kernel, name_, items, arguments, reason);
  if (!reason.empty())
    build_->not_measured(name_, "not captured: " + reason);
  return error;
}

cl_int Kernel::enqueue_own(const LaunchCall& call) {
  if (!build_->stands_in())
    return call.enqueue(handle_);
  build_->not_measured(name_, "the device does not take its program, so the launch failed");
  return CL_INVALID_PROGRAM_EXECUTABLE;
}

cl_int Kernel::launch(const LaunchCall& call) {
  const std::lock_guard lock(mutex_);
  if (Capture* capture = build_->capture())
    return launch_captured(call, *capture);
  const cl_device_id device = device_of(call.queue);
  if (!device)
    return enqueue_own(call);
  Twin& twin = this->twin(device);
  if (!twin.variant)
    return enqueue_own(call);
  if (Trials* trials = build_->trials())
    try_mutants(call, twin, *trials);
  if (twin.simulated)
    return launch_simulated(call, twin);
  try {
    set_state(twin, call.sizes());
  } catch (const std::exception& error) {
    build_->not_measured(name_, error.what());
    return enqueue_own(call);
  }
  return launch_twin(call, twin);
}

cl_int Kernel::launch_simulated(const LaunchCall& call, Twin& twin) {
  if (build_->keeps_reads())
    name_memory();
  try {
    return simulate(call, twin);
  } catch (const std::exception& error) {
    const cl_int result = enqueue_own(call);
    if (result == CL_SUCCESS) // otherwise the program is told
      build_->not_measured(name_,
                           fmt::format("not simulated, so it ran on the device: {}", error.what()));
    return result;
  }
}

// A launch in the simulator, which does not need its kernel any more.
struct Kernel::SimulatedLaunch {
  std::shared_ptr<Build> build;
  std::string kernel;
  std::uint64_t number = 0;
  Launch asked;
  std::shared_ptr<runtime::BuiltKernel> simulated;
  std::vector<GivenArgument> given;
  LaunchState* recorded = nullptr; // null: no orders
  bool has_state = false;          // the hidden argument

  cl_int make(const LaunchCall& call) {
    Simulator& simulator = *build->simulator();
    runtime::Bytes state;
    const Simulator::Name name{build->number(), kernel, number};
    if (!recorded)
      return simulator.launch(call, {&asked, 1}, *simulated, given, state, name);
    static std::mutex one; // states are read, and written when the launch has ended
    const std::lock_guard lock(one);
    const std::span<std::byte> bytes = recorded->buffer.bytes();
    if (has_state)
      state.assign(bytes.begin(), bytes.end());
    const std::span<const Launch> launches = recorded->launches.empty()
                                                 ? std::span<const Launch>(&asked, 1)
                                                 : std::span<const Launch>(recorded->launches);
    const cl_int error =
        simulator.launch(call, launches, *simulated, given, state, name, recorded->order);
    std::ranges::copy(state, bytes.begin());
    recorded->buffer.count_launch();
    return error;
  }
};

cl_int Kernel::simulate(const LaunchCall& call, Twin& twin) {
  const model::KernelInterface& described = *build_->described(name_);
  auto launch = std::make_shared<SimulatedLaunch>(
      SimulatedLaunch{.build = build_,
                      .kernel = name_,
                      .asked = launch_for_simulator(call.sizes(), described, twin.most_items),
                      .simulated = twin.simulated,
                      .given = given_arguments(described, settings_, build_->known_memory())});
  if (shared().host)
    shared().host->find_unwritten(launch->given);
  // Commands of a queue that is out of order do not wait for each other.
  const bool may_be_later = is_in_order(call.queue) || call.count != 0;
  if (!may_be_later)
    wait_for_turn(call);
  auto turn = may_be_later ? std::make_unique<Turn>(call) : nullptr;
  const bool now = !turn || (!waits_for_program(call) && turn->comes_within(kSoon));
  const Instrumentation& instrumentation = twin.variant->instrumentation();
  launch->has_state = !instrumentation.is_original();
  if (launch->has_state || instrumentation.orders_original()) {
    set_state(twin, launch->asked);
    launch->recorded = twin.state;
  } else {
    ++launches_;
  }
  launch->number = launches_;
  if (now)
    return launch->make(call);
  make_later(call, std::move(turn),
             {.make = [launch](const LaunchCall& own) { return launch->make(own); },
              .failed =
                  [launch](const std::string& reason) {
                    launch->build->not_measured(launch->kernel,
                                                "not simulated, and it failed: " + reason);
                  },
              .given = launch->given});
  return CL_SUCCESS;
}

void Kernel::name_memory() {
  const model::KernelInterface* described = build_->described(name_);
  if (!described || described->arguments.size() != argument_count_)
    return;
  for (cl_uint i = 0; i < argument_count_; ++i) {
    const model::Argument& argument = described->arguments[i];
    const cl_mem memory = argument.pointer ? memory_in(settings_.arguments[i]) : nullptr;
    if (!memory)
      continue;
    for (const cl_mem named : {memory, whole_of(memory)})
      build_->name_memory(named, {label_ + ": " + argument.name, argument.type});
  }
}

cl_int Kernel::launch_twin(const LaunchCall& call, Twin& twin) {
  const LaunchState& state = *twin.state;
  if (build_->keeps_reads())
    name_memory();
  const cl_int error = state.launches.empty() ? call.enqueue(twin.kernel)
                                              : call.enqueue(twin.kernel, state.launches);
  if (error == CL_SUCCESS)
    twin.state->buffer.count_launch();
  if (error == CL_SUCCESS || state.is_final)
    return error;
  const cl_int result = enqueue_own(call);
  if (result == CL_SUCCESS)
    build_->not_measured(name_, fmt::format("the device refuses to launch the instrumented kernel "
                                            "({}), so the original ran",
                                            runtime::error_name(error)));
  return result;
}

} // namespace gputest::layer
