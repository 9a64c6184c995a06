// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hostgen/reference.h"

#include "hostgen/cpp_text.h"
#include "hostgen/harness.h"

#include <fmt/format.h>

namespace gputest::hostgen {
namespace {

using model::Type;

std::string argument_of_call(const UserFunction& function, const model::KernelInterface& kernel,
                             const model::Argument& argument) {
  const Type& type = argument.type;
  const std::string name = string_literal(argument.name);
  switch (type.kind) {
  case Type::Kind::Scalar:
    return fmt::format("call.{}<{}>({})", argument.pointer ? "pointer" : "scalar",
                       host_name_of(type.scalar), name);
  case Type::Kind::Vector:
    if (argument.pointer)
      return fmt::format("call.pointer<{}>({})", host_name_of(type.scalar), name);
    return fmt::format("call.value<{}>({})", type.size, name);
  case Type::Kind::Struct:
  case Type::Kind::Union:
    return fmt::format("call.{}<{}>({})", argument.pointer ? "struct_pointer" : "value", type.size,
                       name);
  case Type::Kind::Image:
    return fmt::format("call.image({})", name);
  case Type::Kind::Sampler:
    return fmt::format("call.sampler({})", name);
  case Type::Kind::Pointer:
    if (argument.pointer) // addresses: 64 bits each on the host
      return fmt::format("call.pointer<cl_ulong>({})", name);
    break;
  case Type::Kind::Opaque:
    break;
  }
  throw HarnessError(
      fmt::format("{}:{}: error: argument '{}' of kernel '{}' has the type '{}', which "
                  "no {} function can take; leave {} out",
                  kernel.file, kernel.line, argument.name, kernel.name, type.name, function.what,
                  function.keyword));
}

} // namespace

std::string caller(const UserFunction& function, const std::string& name, const std::string& file,
                   const std::string& signature) {
  return fmt::format(R"(
namespace {{

// Calls {0}, with the launch as well if that is what it takes.
template <class... Arguments>
void call_{1}(const gputest::Launch& launch, Arguments... arguments) {{
  // {2}: {3} must define {0} for these arguments.
  if constexpr (requires {{ {0}(arguments..., launch); }}) {{
    {0}(arguments..., launch);
  }} else {{
    static_assert(requires {{ {0}(arguments...); }}, {4});
    {0}(arguments...); // {2}_FUNCTION: {3} must define it{5}
  }}
}}

}} // namespace
)",
                     name, function.what, function.keyword, file,
                     string_literal(fmt::format(
                         "{}: {} has no function {} that takes the kernel's arguments{}; name "
                         "another with {}_FUNCTION",
                         function.keyword, file, name,
                         signature.empty() ? "" : ", as in " + signature, function.keyword)),
                     signature.empty() ? " for these arguments" : ": " + signature);
}

std::string calling_lambda(const UserFunction& function, const model::KernelInterface& kernel,
                           std::size_t indent) {
  std::string lambda = fmt::format("[](const {}& call) {{\n{:{}}call_{}(call.launch()",
                                   function.call, "", indent + 4, function.what);
  for (const model::Argument& argument : kernel.arguments)
    lambda += fmt::format(",\n{:{}}{}", "", indent + 10 + function.what.size(),
                          argument_of_call(function, kernel, argument));
  return lambda + fmt::format(");\n{:{}}}}", "", indent);
}

} // namespace gputest::hostgen
