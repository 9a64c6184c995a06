// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/calls/modules.h"

#include "layer/opencl/builds/variant_source.h"
#include "layer/opencl/calls/shared.h"
#include "model/interface.h"
#include "model/spirv/module.h"

#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gputest::layer {
namespace {

// What llvm-spirv-15 reads.
constexpr std::string_view kVersions = "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4";

constexpr std::string_view kExtension = "cl_khr_il_program";

bool can_stand_in() {
  const Services& services = *shared().services;
  return services.simulator && services.settings.measure_row->instrument_module;
}

// A type of the argument's size, for which the device needs no extension.
std::string declared(const model::Argument& argument, const std::string& kernel,
                     std::string& types) {
  const model::Type& type = argument.type;
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

std::string stand_in(std::string_view module) {
  Services& services = *shared().services;
  const auto folder = runtime::instrument(
      variant_source(services, {{model::text_of_spirv(module), "", {}}}).request,
      runtime::find_driver(services.settings.driver), services.settings.cache / "variants");
  std::string types, kernels;
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
    const std::string source = stand_in(module);
    const char* pointer = source.c_str();
    const std::size_t bytes = source.size();
    program = implementation().clCreateProgramWithSource(context, 1, &pointer, &bytes, error);
    if (program)
      shared().objects.created_from(program, module, true);
  });
  return program;
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
  if (text.empty())
    return implementation().clGetDeviceInfo(device, name, size, value, size_ret);
  if (size_ret)
    *size_ret = text.size() + 1;
  if (!value)
    return CL_SUCCESS;
  if (size < text.size() + 1)
    return CL_INVALID_VALUE;
  std::memcpy(value, text.c_str(), text.size() + 1);
  return CL_SUCCESS;
}

} // namespace

void* stand_in_for_il() {
  return can_stand_in() ? reinterpret_cast<void*>(create_with_il) : nullptr;
}

void take_modules(cl_icd_dispatch& dispatch) {
  dispatch.clCreateProgramWithIL = create_with_il;
  dispatch.clGetDeviceInfo = get_device_info;
}

} // namespace gputest::layer
