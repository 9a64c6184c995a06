// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/opencl/signature.h"

#include <string_view>

namespace gputest::runtime {
namespace {

// PoCL renames its built-in functions by macros, and with them the arguments that have their names.
std::string as_written(std::string name, const Device& device) {
  constexpr std::string_view kPrefix = "_cl_";
  if (device.platform == "Portable Computing Language" && name.starts_with(kPrefix))
    name.erase(0, kPrefix.size());
  return name;
}

model::AddressSpace address_space(cl_kernel_arg_address_qualifier qualifier) {
  switch (qualifier) {
  case CL_KERNEL_ARG_ADDRESS_GLOBAL:
    return model::AddressSpace::Global;
  case CL_KERNEL_ARG_ADDRESS_CONSTANT:
    return model::AddressSpace::Constant;
  case CL_KERNEL_ARG_ADDRESS_LOCAL:
    return model::AddressSpace::Local;
  default:
    return model::AddressSpace::Private;
  }
}

DeclaredArgument declared_argument(const cl::Kernel& kernel, const Device& device, cl_uint i) {
  DeclaredArgument argument;
  argument.name = as_written(clean(kernel.getArgInfo<CL_KERNEL_ARG_NAME>(i)), device);
  argument.type = clean(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(i));
  argument.address_space = address_space(kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(i));
  argument.pointer = argument.type.ends_with('*');
  argument.constant =
      (kernel.getArgInfo<CL_KERNEL_ARG_TYPE_QUALIFIER>(i) & CL_KERNEL_ARG_TYPE_CONST) != 0;
  if (argument.pointer)
    argument.type.pop_back();
  argument.type = clean(argument.type);
  const auto access = kernel.getArgInfo<CL_KERNEL_ARG_ACCESS_QUALIFIER>(i);
  argument.writable =
      access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY || access == CL_KERNEL_ARG_ACCESS_READ_WRITE;
  return argument;
}

} // namespace

Signature signature_of(const cl::Kernel& kernel, const Device& device) {
  Signature signature{.arguments = kernel.getInfo<CL_KERNEL_NUM_ARGS>()};
  try {
    for (cl_uint i = 0; i < signature.arguments; ++i)
      signature.declared.push_back(declared_argument(kernel, device, i));
  } catch (const cl::Error&) { // it does not tell
    signature.declared.clear();
  }
  return signature;
}

} // namespace gputest::runtime
