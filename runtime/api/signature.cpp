// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/signature.h"

#include "gputest/error.h"
#include "model/text/plural.h"
#include "model/type.h"
#include "runtime/cases/image_layout.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace gputest::runtime {
namespace {

using ArgumentKind = detail::KernelArgument::Kind;

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

// Devices report the names of types that the program defines. "struct View" is a struct, and "View"
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

// Whether a value has another size than the kernel's type for it.
bool has_other_size(const DeclaredArgument& declared, const detail::KernelArgument& given) {
  return !declared.pointer && declared.size != 0 && given.kind == ArgumentKind::Value &&
         given.bytes.size() != declared.size;
}

bool types_match(const DeclaredArgument& declared, const detail::KernelArgument& given) {
  if (given.is_null)
    return declared.pointer;
  if (declared.type.empty())
    return declared.pointer || given.bytes.size() == declared.size;
  const auto expected = builtin(declared.type);
  if (!expected)
    return may_be(declared.type, given) && !has_other_size(declared, given);
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

ArgumentKind expected_kind(const DeclaredArgument& declared) {
  if (declared.type.starts_with("image"))
    return ArgumentKind::Image;
  if (declared.type == "sampler_t")
    return ArgumentKind::Sampler;
  if (declared.address_space == model::AddressSpace::Local)
    return ArgumentKind::Local;
  return declared.pointer ? ArgumentKind::Buffer : ArgumentKind::Value;
}

std::string what_was_given(const detail::KernelArgument& given) {
  const std::string type =
      given.type.empty() ? fmt::format("struct of {}", model::plural(given.element_size, "byte"))
                         : given.type;
  if (given.is_null)
    return "a null pointer";
  switch (given.kind) {
  case ArgumentKind::Value:
    return fmt::format("'{}' by value", type);
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
    return declared.pointer ? "a pointer"
                            : fmt::format("a value of {}", model::plural(declared.size, "byte"));
  std::string_view space;
  switch (declared.address_space) {
  case model::AddressSpace::Global:
    space = declared.pointer ? "__global " : "";
    break;
  case model::AddressSpace::Constant:
    space = "__constant ";
    break;
  case model::AddressSpace::Local:
    space = "__local ";
    break;
  case model::AddressSpace::Private:
    break;
  }
  return fmt::format("'{}{}{}'", space, declared.type, declared.pointer ? "*" : "");
}

// The words for a value whose type may be right, and whose size is wrong.
std::string declared_size(const DeclaredArgument& declared, const detail::KernelArgument& given) {
  return !declared.type.empty() && may_be(declared.type, given) && has_other_size(declared, given)
             ? fmt::format(" of {}", model::plural(declared.size, "byte"))
             : "";
}

} // namespace

bool is_own_value(const DeclaredArgument& declared) {
  return !declared.pointer && !declared.type.empty() && !builtin(declared.type) &&
         expected_kind(declared) == ArgumentKind::Value;
}

Signature signature_of(const model::KernelInterface& kernel) {
  Signature signature{.arguments = kernel.arguments.size()};
  for (const model::Argument& argument : kernel.arguments) {
    const model::Type& type = argument.type;
    signature.declared.push_back(
        {.name = argument.name,
         .type = type.kind == model::Type::Kind::Sampler  ? "sampler_t"
                 : type.kind == model::Type::Kind::Struct ? "struct " + type.name
                 : type.kind == model::Type::Kind::Union  ? "union " + type.name
                                                          : type.name,
         .address_space = argument.address_space,
         .pointer = argument.pointer,
         .constant = argument.pointer && argument.access == model::Access::Read,
         .writable = argument.access != model::Access::Read});
    if (DeclaredArgument& declared = signature.declared.back(); is_own_value(declared))
      declared.size = type.size;
  }
  return signature;
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
  const std::string number = std::to_string(position);
  throw UsageError(fmt::format(
      "kernel '{}': argument {} is {}{}, but {} was given", kernel,
      declared.name == number ? number : fmt::format("{} '{}'", number, declared.name),
      what_is_declared(declared), declared_size(declared, given), what_was_given(given)));
}

} // namespace gputest::runtime
