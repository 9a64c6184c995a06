// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/calls/modules.h"

#include "layer/opencl/builds/known_binaries.h"
#include "layer/opencl/builds/variant_source.h"
#include "layer/opencl/calls/answer.h"
#include "layer/opencl/calls/pipes.h"
#include "layer/opencl/calls/shared.h"
#include "layer/opencl/given_argument.h"
#include "model/interface.h"
#include "model/spirv/module.h"
#include "runtime/machine/opencl/device_features.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace gputest::layer {
namespace {

// What llvm-spirv-15 reads.
constexpr std::string_view kVersions = "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4";

constexpr std::string_view kExtension = "cl_khr_il_program";

constexpr cl_device_info kPipeSupport = 0x1071; // CL_DEVICE_PIPE_SUPPORT, of OpenCL 3.0

bool can_stand_in() {
  const Services& services = *shared().services;
  return services.simulator && services.settings.measure_row->instrument_module;
}

// A type of the argument's size, for which the device needs no extension.
std::string declared(const model::Argument& argument, const std::string& kernel,
                     std::string& types) {
  const model::Type& type = argument.type;
  if (type.name == kQueueType)
    return "ulong";
  if (argument.pointer)
    return fmt::format("__{} uchar*", model::name_of(argument.address_space));
  switch (type.kind) {
  case model::Type::Kind::Image:
    return fmt::format("{} {}",
                       argument.access == model::Access::Read ? "__read_only" : "__write_only",
                       type.name);
  case model::Type::Kind::Sampler:
    return "sampler_t";
  case model::Type::Kind::Pointer:
  case model::Type::Kind::Opaque:
    throw std::runtime_error(fmt::format("argument '{}' of {} is of a type that cannot be passed",
                                         argument.name, kernel));
  default:
    break;
  }
  for (const auto& [size, name] : {std::pair{1, "uchar"}, {2, "ushort"}, {4, "uint"}, {8, "ulong"}})
    if (type.size == static_cast<std::size_t>(size))
      return name;
  const std::string name = fmt::format("gputest_{}_{}", kernel, argument.position);
  types += fmt::format("typedef struct {{ uchar bytes[{}]; }} {};\n", type.size, name);
  return name;
}

std::string stand_in(const std::vector<Unit>& units) {
  Services& services = *shared().services;
  const auto folder = runtime::instrument(variant_source(services, units).request,
                                          runtime::find_driver(services.settings.driver),
                                          services.settings.cache / "variants");
  std::string types = "// Stands in for what the device does not take.\n", kernels;
  for (const model::KernelInterface& kernel :
       model::read_interface(folder / "interface.json").kernels) {
    if (const auto& required = kernel.required_work_group_size)
      kernels += fmt::format("__attribute__((reqd_work_group_size({}, {}, {})))\n", (*required)[0],
                             (*required)[1], (*required)[2]);
    std::string arguments;
    for (const model::Argument& argument : kernel.arguments)
      arguments += fmt::format("{}{} argument{}", arguments.empty() ? "" : ", ",
                               declared(argument, kernel.name, types), argument.position);
    kernels += fmt::format("__kernel void {}({}) {{}}\n", kernel.name, arguments);
  }
  return types + kernels;
}

cl_program create_with_text(cl_context context, const std::string& text, cl_int* error) {
  const char* pointer = text.c_str();
  const std::size_t bytes = text.size();
  return implementation().clCreateProgramWithSource(context, 1, &pointer, &bytes, error);
}

cl_program CL_API_CALL create_with_il(cl_context context, const void* text, std::size_t length,
                                      cl_int* error) {
  cl_program program = implementation().clCreateProgramWithIL(context, text, length, error);
  const std::string_view module(static_cast<const char*>(text), text ? length : 0);
  if (program) {
    quietly([&] { shared().objects.created_from(program, module); });
    return program;
  }
  if (!can_stand_in() || !model::is_spirv(module))
    return nullptr;
  quietly([&] {
    const std::string source = stand_in({{model::text_of_spirv(module), "", {}}});
    program = create_with_text(context, source, error);
    if (program)
      shared().objects.created_from(program, module, true);
  });
  return program;
}

bool has_own_queues(cl_device_id device) {
  return runtime::has_feature(device, runtime::DeviceFeature::Enqueue);
}

bool has_own_pipes(cl_device_id device) {
  return runtime::has_feature(device, runtime::DeviceFeature::Pipes);
}

// What devices of their own queues or pipes say of them, where launches run in the simulator
// (OpenCL 3.0, table 4.3).
struct DeviceAnswer {
  cl_device_info question;
  std::uint64_t value;
  std::size_t size; // bytes
  bool (*has_own)(cl_device_id);
};
constexpr DeviceAnswer kDeviceAnswers[] = {
    {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
     sizeof(cl_command_queue_properties), has_own_queues},
    {CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 1 << 18, sizeof(cl_uint), has_own_queues},
    {CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 1 << 26, sizeof(cl_uint), has_own_queues},
    {CL_DEVICE_MAX_ON_DEVICE_QUEUES, 1, sizeof(cl_uint), has_own_queues},
    {CL_DEVICE_MAX_ON_DEVICE_EVENTS, 65'536, sizeof(cl_uint), has_own_queues},
    // CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES: supported, default
    {0x1070, 3, sizeof(cl_bitfield), has_own_queues},
    {kPipeSupport, CL_TRUE, sizeof(cl_bool), has_own_pipes},
    {CL_DEVICE_MAX_PIPE_ARGS, 16, sizeof(cl_uint), has_own_pipes},
    {CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 65'536, sizeof(cl_uint), has_own_pipes},
    {CL_DEVICE_PIPE_MAX_PACKET_SIZE, 1 << 16, sizeof(cl_uint), has_own_pipes}};

const DeviceAnswer* device_answer(cl_device_info name) {
  const auto* const found = std::ranges::find(kDeviceAnswers, name, &DeviceAnswer::question);
  return found == std::end(kDeviceAnswers) ? nullptr : found;
}

cl_command_queue CL_API_CALL create_queue_with(cl_context context, cl_device_id device,
                                               const cl_queue_properties* properties,
                                               cl_int* error) {
  // Kernels find the device's queue without it, so any queue can stand in. The implementation is
  // not asked first: PoCL ends the process.
  std::vector<cl_queue_properties> ordinary;
  bool is_on_device = false;
  const bool stands_in = can_stand_in() && !has_own_queues(device);
  for (const cl_queue_properties* at = properties; stands_in && at && *at != 0; at += 2) {
    cl_queue_properties value = at[1];
    if (at[0] == CL_QUEUE_PROPERTIES) {
      is_on_device = (value & CL_QUEUE_ON_DEVICE) != 0;
      value &= ~static_cast<cl_queue_properties>(CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT);
    }
    if (at[0] != CL_QUEUE_SIZE)
      ordinary.insert(ordinary.end(), {at[0], value});
  }
  ordinary.push_back(0);
  return implementation().clCreateCommandQueueWithProperties(
      context, device, is_on_device ? ordinary.data() : properties, error);
}

// "": the device does not say.
std::string text_of_device(cl_device_id device, cl_device_info name) {
  std::size_t size = 0;
  if (implementation().clGetDeviceInfo(device, name, 0, nullptr, &size) != CL_SUCCESS)
    return "";
  std::string text(size, '\0');
  implementation().clGetDeviceInfo(device, name, size, text.data(), nullptr);
  return text.c_str();
}

cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, std::size_t size,
                                   void* value, std::size_t* size_ret) {
  const bool is_version = name == CL_DEVICE_IL_VERSION;
  std::string text;
  if ((is_version || name == CL_DEVICE_EXTENSIONS) && can_stand_in()) {
    const std::string own = text_of_device(device, name);
    if (is_version && own.empty())
      text = kVersions;
    else if (!is_version && !own.empty() && own.find(kExtension) == own.npos)
      text = fmt::format("{} {}", own, kExtension);
  }
  if (const DeviceAnswer* const known = device_answer(name);
      known && can_stand_in() && !known->has_own(device)) // little-endian
    return answer(&known->value, known->size, size, value, size_ret);
  if (text.empty())
    return implementation().clGetDeviceInfo(device, name, size, value, size_ret);
  return answer(text.c_str(), text.size() + 1, size, value, size_ret);
}

} // namespace

void* stand_in_for_il() {
  return can_stand_in() ? reinterpret_cast<void*>(create_with_il) : nullptr;
}

cl_program stand_in_for_source(cl_program program, const Unit& unit, Made made) {
  cl_context context = nullptr;
  std::size_t size = 0;
  if (!can_stand_in() ||
      implementation().clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &context,
                                        nullptr) != CL_SUCCESS ||
      implementation().clGetProgramInfo(program, CL_PROGRAM_DEVICES, 0, nullptr, &size) !=
          CL_SUCCESS)
    return nullptr;
  std::vector<cl_device_id> devices(size / sizeof(cl_device_id));
  implementation().clGetProgramInfo(program, CL_PROGRAM_DEVICES, size, devices.data(), nullptr);
  std::string source = unit.source;
  for (const auto& [name, text] : unit.headers)
    source += "\n" + text;
  const auto lacks = [&](cl_device_id device) {
    return runtime::missing_feature(device, source).has_value();
  };
  if (std::ranges::none_of(devices, lacks)) // it fails for another reason
    return nullptr;
  cl_program instead = nullptr;
  quietly([&] {
    cl_int error = CL_SUCCESS;
    instead = create_with_text(context, stand_in({unit}), &error);
    if (!instead)
      return;
    error = made == Made::Built
                ? implementation().clBuildProgram(instead, 0, nullptr, "", nullptr, nullptr)
                : implementation().clCompileProgram(instead, 0, nullptr, "", 0, nullptr, nullptr,
                                                    nullptr, nullptr);
    if (error != CL_SUCCESS) {
      implementation().clReleaseProgram(instead);
      instead = nullptr;
    }
  });
  return instead;
}

cl_program link_stand_ins(const LinkCall& call, cl_int* error) {
  cl_program program = nullptr;
  quietly([&] {
    std::vector<Unit> units = shared().objects.units_of_inputs(call.inputs);
    if (!can_stand_in() || std::ranges::none_of(units, &Unit::stands_in))
      return;
    for (Unit& unit : units)
      unit.stands_in = true;
    cl_int result = CL_SUCCESS;
    cl_program compiled = create_with_text(call.context, stand_in(units), &result);
    if (!compiled)
      return;
    cl_program linked = nullptr;
    if (implementation().clCompileProgram(compiled, 0, nullptr, "", 0, nullptr, nullptr, nullptr,
                                          nullptr) == CL_SUCCESS)
      linked = implementation().clLinkProgram(call.context, call.count, call.devices, call.options,
                                              1, &compiled, nullptr, nullptr, &result);
    implementation().clReleaseProgram(compiled);
    if (linked && result != CL_SUCCESS) {
      implementation().clReleaseProgram(linked);
      return;
    }
    if (!linked)
      return;
    if (error)
      *error = CL_SUCCESS;
    shared().objects.created(linked);
    shared().objects.linked(linked, units);
    program = linked;
  });
  return program;
}

cl_program stand_in_for_binaries(cl_context context,
                                 const std::vector<std::span<const std::byte>>& binaries,
                                 cl_int* statuses, cl_int* error) {
  cl_program program = nullptr;
  quietly([&] {
    if (!can_stand_in() || binaries.empty())
      return;
    std::vector<Unit> units;
    for (const auto binary : binaries) {
      units = units_of_stand_in(binary);
      if (units.empty())
        return;
    }
    program = create_with_text(context, stand_in(units), error);
    if (!program)
      return;
    shared().objects.created_from(program, units);
    if (statuses)
      std::fill_n(statuses, binaries.size(), CL_SUCCESS);
  });
  return program;
}

std::optional<cl_int> info_of_stand_in(cl_program program, cl_program_info name, std::size_t size,
                                       void* value, std::size_t* size_ret) {
  std::vector<Unit> units;
  quietly([&] { units = shared().objects.units_standing_in(program); });
  if (units.empty())
    return std::nullopt;
  if (name == CL_PROGRAM_IL && units.size() == 1)
    if (const std::optional<std::string> module = model::spirv_of_text(units.front().source))
      return answer(module->data(), module->size(), size, value, size_ret);
  if (name == CL_PROGRAM_SOURCE && shared().objects.maker_of(program) == program)
    return answer("", 1, size, value, size_ret); // its text is the layer's
  if (name != CL_PROGRAM_BINARIES && name != CL_PROGRAM_BINARY_SIZES)
    return std::nullopt;
  cl_uint count = 0;
  implementation().clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, nullptr);
  const std::string binary = stand_in_binary(units);
  const std::vector<std::size_t> sizes(count, binary.size());
  if (name == CL_PROGRAM_BINARY_SIZES)
    return answer(sizes.data(), sizes.size() * sizeof sizes[0], size, value, size_ret);
  const std::size_t needed = count * sizeof(unsigned char*);
  if (size_ret)
    *size_ret = needed;
  if (value && size < needed)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; value && i < count; ++i)
    if (auto* const to = static_cast<unsigned char**>(value)[i])
      std::memcpy(to, binary.data(), binary.size());
  return CL_SUCCESS;
}

void take_modules(cl_icd_dispatch& dispatch) {
  if (can_stand_in())
    take_pipes(dispatch);
  dispatch.clCreateCommandQueueWithProperties = create_queue_with;
  dispatch.clCreateProgramWithIL = create_with_il;
  dispatch.clGetDeviceInfo = get_device_info;
}

} // namespace gputest::layer
