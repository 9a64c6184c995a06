// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C types as the host needs them: sizes, layout, leaves.
//
// Sizes, alignments and offsets are bytes, as laid out on a device with 64-bit addresses (OpenCL C
// 3.0 specification, 6.3.5 "Alignment of types").
#pragma once

#include "model/names.h"

#include <cstddef>
#include <vector>

namespace gputest::model {

enum class Scalar { Bool, Char, UChar, Short, UShort, Int, UInt, Long, ULong, Half, Float, Double };

// Returns OpenCL C's spelling: "char", "uchar", …, "half", "float", "double".
std::string_view name_of(Scalar scalar);
// Returns the scalar of that name; nullopt: it is none. Also accepts the long spellings ("unsigned
// int"). size_t and the like are ULong or Long.
std::optional<Scalar> scalar_named(std::string_view name);
std::size_t size_of(Scalar scalar);
bool is_floating(Scalar scalar);
bool is_signed(Scalar scalar);
// Returns the type of the same size and kind in <CL/cl.h>, such as "cl_float". For Bool there is
// none: it cannot be a kernel argument, and as a struct member it is one byte, "cl_uchar".
std::string_view host_name_of(Scalar scalar);

// What an argument is to those who launch a kernel.
enum class ArgumentKind { Value, Buffer, Local, Image, Sampler };
constexpr auto names_of(ArgumentKind) {
  return std::to_array<std::string_view>({"value", "buffer", "local", "image", "sampler"});
}

struct Field;

struct Type {
  enum class Kind { Scalar, Vector, Struct, Union, Image, Sampler, Pointer, Opaque };

  Kind kind = Kind::Scalar;
  std::string name; // typedefs resolved: "float4", "Body", "image2d_t"
  // Scalar and Vector: a component's type; enums are their integer type.
  Scalar scalar = Scalar::Int;
  unsigned width = 1;   // Vector: 2, 3, 4, 8, 16. A 3-vector has the size of a 4-vector
  std::size_t size = 0; // Image, Sampler, Opaque: 0
  std::size_t alignment = 0;
  std::vector<Field> fields; // Struct and Union, in order of declaration

  bool operator==(const Type&) const = default;
};
constexpr auto names_of(Type::Kind) {
  return std::to_array<std::string_view>(
      {"scalar", "vector", "struct", "union", "image", "sampler", "pointer", "opaque"});
}

struct Field {
  std::string name;
  std::size_t offset = 0;
  Type type;
  std::vector<std::size_t> dimensions; // for an array member, outermost first; empty: no array

  std::size_t count() const; // product of the dimensions
  bool operator==(const Field&) const = default;
};

// One scalar inside a value of some type. Padding belongs to no leaf, so a comparison leaf by leaf
// never looks at it. A union has only the leaves of its first member.
struct Leaf {
  std::size_t offset = 0;
  Scalar scalar = Scalar::Int;
  std::string path; // "", ".s2", ".position.s0", ".weights[3]"
};

// Returns the leaves in order of offset. Images, samplers and opaque types have none. A pointer
// member is a ULong leaf.
std::vector<Leaf> leaves_of(const Type& type);

// Returns whether memory of elements of one type can be taken for memory of the other. Signs may
// differ, and vectors are taken apart.
bool have_same_elements(const Type& a, const Type& b);

Type scalar_type(Scalar scalar);
Type vector_type(Scalar scalar, unsigned width);
// What `void*` points to: bytes, a UChar with the name "void". Elements of any type may be given.
Type void_type();

} // namespace gputest::model
