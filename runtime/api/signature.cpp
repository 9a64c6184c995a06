#include "runtime/api/signature.h"

#include "model/type.h"
#include "runtime/cases/image_layout.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace gputest::runtime {
namespace {

using ArgumentKind = detail::KernelArgument::Kind;

std::string clean(std::string text) {
  while (!text.empty() && (text.back() == '\0' || text.back() == ' '))
    text.pop_back();
  return text;
}

// PoCL renames its built-in functions by macros, and with them the arguments that have their names.
std::string as_written(std::string name, const Device& device) {
  constexpr std::string_view kPrefix = "_cl_";
  if (device.platform == "Portable Computing Language" && name.starts_with(kPrefix))
    name.erase(0, kPrefix.size());
  return name;
}

struct Builtin {
  model::Scalar scalar;
  unsigned width;
};

// "float", "unsigned int" and "float4"; nothing for the program's own types.
std::optional<Builtin> builtin(const std::string& type) {
  if (const auto scalar = model::scalar_named(type))
    return Builtin{*scalar, 1};
  const std::size_t digits = type.find_first_of("0123456789");
  if (digits == std::string::npos)
    return std::nullopt;
  unsigned width = 0;
  const auto [end, error] = std::from_chars(type.data() + digits, type.data() + type.size(), width);
  const auto scalar = model::scalar_named(type.substr(0, digits));
  if (error != std::errc() || end != type.data() + type.size() || !scalar)
    return std::nullopt;
  return Builtin{*scalar, width};
}

std::size_t size_of(const Builtin& type) {
  return model::size_of(type.scalar) * (type.width == 3 ? 4 : type.width);
}

bool same_scalar(model::Scalar declared, model::Scalar given) {
  return declared == given ||
         (declared == model::Scalar::Half && given == model::Scalar::UShort); // cl_half
}

// A device tells the names of types that the program defines. "struct View" says what it is; "View"
// may be a typedef of anything.
bool may_be(const std::string& own_type, const detail::KernelArgument& given) {
  if (given.kind != ArgumentKind::Value || given.type.empty())
    return true;
  if (own_type.starts_with("struct ") || own_type.starts_with("union "))
    return false;
  const auto actual = builtin(given.type);
  return !own_type.starts_with("enum ") ||
         (actual && actual->width == 1 && !model::is_floating(actual->scalar));
}

bool types_match(const DeclaredArgument& declared, const detail::KernelArgument& given) {
  if (declared.type.empty())
    return declared.pointer || given.bytes.size() == declared.size;
  const auto expected = builtin(declared.type);
  if (!expected)
    return may_be(declared.type, given);
  if (given.type.empty()) // somebody's own vector class will do
    return expected->width > 1 && given.element_size == size_of(*expected);
  const auto actual = builtin(given.type);
  if (!actual || !same_scalar(expected->scalar, actual->scalar))
    return false;
  const unsigned stored = expected->width == 3 ? 4 : expected->width;
  if (actual->width == stored)
    return true;
  return declared.pointer && actual->width == 1 && given.size % size_of(*expected) == 0;
}

// "image2d_depth_t" and "image2d_array_msaa_t" are images of the same shape as those without.
bool same_images(std::string declared, cl_mem_object_type given) {
  for (const std::string_view kind : {"_msaa", "_depth"})
    if (const std::size_t at = declared.find(kind); at != std::string::npos)
      declared.erase(at, kind.size());
  return declared == name_of_images(given);
}

cl_kernel_arg_address_qualifier address_space(model::AddressSpace space) {
  switch (space) {
  case model::AddressSpace::Global:
    return CL_KERNEL_ARG_ADDRESS_GLOBAL;
  case model::AddressSpace::Constant:
    return CL_KERNEL_ARG_ADDRESS_CONSTANT;
  case model::AddressSpace::Local:
    return CL_KERNEL_ARG_ADDRESS_LOCAL;
  case model::AddressSpace::Private:
    break;
  }
  return CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

ArgumentKind expected_kind(const DeclaredArgument& declared) {
  if (declared.type.starts_with("image"))
    return ArgumentKind::Image;
  if (declared.type == "sampler_t")
    return ArgumentKind::Sampler;
  if (declared.address_space == CL_KERNEL_ARG_ADDRESS_LOCAL)
    return ArgumentKind::Local;
  return declared.pointer ? ArgumentKind::Buffer : ArgumentKind::Value;
}

std::string what_was_given(const detail::KernelArgument& given) {
  const std::string type =
      given.type.empty() ? fmt::format("struct of {} bytes", given.element_size) : given.type;
  switch (given.kind) {
  case ArgumentKind::Value:
    return fmt::format("a '{}' by value", type);
  case ArgumentKind::Buffer:
    return fmt::format("a buffer of '{}'", type);
  case ArgumentKind::Local:
    return fmt::format("gputest::local of '{}'", type);
  case ArgumentKind::Image:
    return fmt::format("an '{}'", name_of_images(given.image.type));
  case ArgumentKind::Sampler:
    return "a sampler";
  }
  return {};
}

std::string what_is_declared(const DeclaredArgument& declared) {
  if (declared.type.empty())
    return declared.pointer ? "a pointer" : fmt::format("a value of {} bytes", declared.size);
  std::string_view space;
  switch (declared.address_space) {
  case CL_KERNEL_ARG_ADDRESS_GLOBAL:
    space = declared.pointer ? "__global " : "";
    break;
  case CL_KERNEL_ARG_ADDRESS_CONSTANT:
    space = "__constant ";
    break;
  case CL_KERNEL_ARG_ADDRESS_LOCAL:
    space = "__local ";
    break;
  default:
    break;
  }
  return fmt::format("'{}{}{}'", space, declared.type, declared.pointer ? "*" : "");
}

} // namespace

std::vector<DeclaredArgument> declared_arguments(const cl::Kernel& kernel, const Device& device,
                                                 std::size_t count) {
  std::vector<DeclaredArgument> arguments;
  try {
    for (cl_uint i = 0; i < count; ++i) {
      DeclaredArgument argument;
      argument.name = as_written(clean(kernel.getArgInfo<CL_KERNEL_ARG_NAME>(i)), device);
      argument.type = clean(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(i));
      argument.address_space = kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(i);
      argument.pointer = argument.type.ends_with('*');
      argument.constant =
          (kernel.getArgInfo<CL_KERNEL_ARG_TYPE_QUALIFIER>(i) & CL_KERNEL_ARG_TYPE_CONST) != 0;
      if (argument.pointer)
        argument.type.pop_back();
      argument.type = clean(argument.type);
      const auto access = kernel.getArgInfo<CL_KERNEL_ARG_ACCESS_QUALIFIER>(i);
      argument.writable =
          access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY || access == CL_KERNEL_ARG_ACCESS_READ_WRITE;
      arguments.push_back(std::move(argument));
    }
  } catch (const cl::Error&) {
    return {};
  }
  return arguments;
}

std::vector<DeclaredArgument> declared_arguments(const model::KernelInterface& kernel) {
  std::vector<DeclaredArgument> declared;
  for (const model::Argument& argument : kernel.arguments) {
    const model::Type& type = argument.type;
    declared.push_back({.name = argument.name,
                        .type = type.kind == model::Type::Kind::Sampler  ? "sampler_t"
                                : type.kind == model::Type::Kind::Struct ? "struct " + type.name
                                : type.kind == model::Type::Kind::Union  ? "union " + type.name
                                                                         : type.name,
                        .address_space = address_space(argument.address_space),
                        .pointer = argument.pointer,
                        .constant = argument.pointer && argument.access == model::Access::Read,
                        .writable = argument.access != model::Access::Read});
  }
  return declared;
}

std::vector<DeclaredArgument>
declared_arguments(const std::vector<BuiltKernel::Parameter>& parameters) {
  std::vector<DeclaredArgument> declared;
  for (const BuiltKernel::Parameter& parameter : parameters)
    declared.push_back(
        {.name = parameter.name,
         .type = {},
         .address_space = address_space(parameter.pointer ? model::AddressSpace::Global
                                                          : model::AddressSpace::Private),
         .pointer = parameter.pointer,
         .size = parameter.size});
  return declared;
}

void check_argument(const DeclaredArgument& declared, const detail::KernelArgument& given,
                    std::size_t position, const std::string& kernel) {
  const ArgumentKind expected = expected_kind(declared);
  const bool matches = given.kind == expected &&
                       (expected == ArgumentKind::Image
                            ? same_images(declared.type, given.image.type)
                            : expected == ArgumentKind::Sampler || types_match(declared, given));
  if (matches)
    return;
  throw UsageError(fmt::format("kernel '{}': argument {} '{}' is {}, but {} was given", kernel,
                               position, declared.name, what_is_declared(declared),
                               what_was_given(given)));
}

} // namespace gputest::runtime
