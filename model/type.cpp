// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/type.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace gputest::model {
namespace {

struct ScalarTraits {
  Scalar scalar;
  std::string_view name;
  std::string_view host_name;
  std::size_t size;
  bool is_floating;
  bool is_signed;
};

constexpr std::array<ScalarTraits, 12> kScalars{{
    {Scalar::Bool, "bool", "cl_uchar", 1, false, false},
    {Scalar::Char, "char", "cl_char", 1, false, true},
    {Scalar::UChar, "uchar", "cl_uchar", 1, false, false},
    {Scalar::Short, "short", "cl_short", 2, false, true},
    {Scalar::UShort, "ushort", "cl_ushort", 2, false, false},
    {Scalar::Int, "int", "cl_int", 4, false, true},
    {Scalar::UInt, "uint", "cl_uint", 4, false, false},
    {Scalar::Long, "long", "cl_long", 8, false, true},
    {Scalar::ULong, "ulong", "cl_ulong", 8, false, false},
    {Scalar::Half, "half", "cl_half", 2, true, true},
    {Scalar::Float, "float", "cl_float", 4, true, true},
    {Scalar::Double, "double", "cl_double", 8, true, true},
}};

constexpr std::array<std::pair<std::string_view, Scalar>, 10> kAliases{{
    {"unsigned char", Scalar::UChar},
    {"unsigned short", Scalar::UShort},
    {"unsigned int", Scalar::UInt},
    {"unsigned", Scalar::UInt},
    {"unsigned long", Scalar::ULong},
    {"size_t", Scalar::ULong},
    {"uintptr_t", Scalar::ULong},
    {"ptrdiff_t", Scalar::Long},
    {"intptr_t", Scalar::Long},
    {"signed char", Scalar::Char},
}};

const ScalarTraits& traits(Scalar scalar) {
  return kScalars[static_cast<std::size_t>(scalar)];
}

void collect_leaves(const Type& type, std::size_t offset, const std::string& path,
                    std::vector<Leaf>& leaves) {
  switch (type.kind) {
  case Type::Kind::Scalar:
    leaves.push_back({offset, type.scalar, path});
    return;
  case Type::Kind::Vector:
    for (unsigned i = 0; i < type.width; ++i)
      leaves.push_back(
          {offset + i * size_of(type.scalar), type.scalar, path + ".s" + "0123456789abcdef"[i]});
    return;
  case Type::Kind::Pointer:
    leaves.push_back({offset, Scalar::ULong, path});
    return;
  case Type::Kind::Struct:
  case Type::Kind::Union:
    for (const Field& field : type.fields) {
      for (std::size_t i = 0; i < field.count(); ++i) {
        std::string element = path + "." + field.name;
        if (!field.dimensions.empty())
          element += "[" + std::to_string(i) + "]";
        collect_leaves(field.type, offset + field.offset + i * field.type.size, element, leaves);
      }
      if (type.kind == Type::Kind::Union)
        return;
    }
    return;
  case Type::Kind::Image:
  case Type::Kind::Sampler:
  case Type::Kind::Opaque:
    return;
  }
}

} // namespace

std::string_view name_of(Scalar scalar) {
  return traits(scalar).name;
}
std::string_view host_name_of(Scalar scalar) {
  return traits(scalar).host_name;
}
std::size_t size_of(Scalar scalar) {
  return traits(scalar).size;
}
bool is_floating(Scalar scalar) {
  return traits(scalar).is_floating;
}
bool is_signed(Scalar scalar) {
  return traits(scalar).is_signed;
}

std::optional<Scalar> scalar_named(std::string_view name) {
  for (const ScalarTraits& candidate : kScalars)
    if (candidate.name == name)
      return candidate.scalar;
  for (const auto& [alias, scalar] : kAliases)
    if (alias == name)
      return scalar;
  return std::nullopt;
}

std::size_t Field::count() const {
  return std::accumulate(dimensions.begin(), dimensions.end(), std::size_t{1}, std::multiplies<>());
}

std::vector<Leaf> leaves_of(const Type& type) {
  std::vector<Leaf> leaves;
  collect_leaves(type, 0, "", leaves);
  std::ranges::stable_sort(leaves, {}, &Leaf::offset);
  return leaves;
}

bool have_same_elements(const Type& a, const Type& b) {
  const auto is_plain = [](const Type& type) {
    return type.kind == Type::Kind::Scalar || type.kind == Type::Kind::Vector;
  };
  if (a == b || a.name == "void" || b.name == "void")
    return true;
  if (!is_plain(a) || !is_plain(b))
    return a.kind == b.kind && a.size == b.size; // names of structs are each file's own
  return size_of(a.scalar) == size_of(b.scalar) && is_floating(a.scalar) == is_floating(b.scalar);
}

Type scalar_type(Scalar scalar) {
  return {.kind = Type::Kind::Scalar,
          .name = std::string(name_of(scalar)),
          .scalar = scalar,
          .width = 1,
          .size = size_of(scalar),
          .alignment = size_of(scalar),
          .fields = {}};
}

Type void_type() {
  Type type = scalar_type(Scalar::UChar);
  type.name = "void";
  return type;
}

Type vector_type(Scalar scalar, unsigned width) {
  const std::size_t size = size_of(scalar) * (width == 3 ? 4 : width);
  return {.kind = Type::Kind::Vector,
          .name = std::string(name_of(scalar)) + std::to_string(width),
          .scalar = scalar,
          .width = width,
          .size = size,
          .alignment = size,
          .fields = {}};
}

} // namespace gputest::model
