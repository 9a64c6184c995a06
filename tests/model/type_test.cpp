#include "model/type.h"

#include "tests/catch.h"

using namespace gputest::model;

namespace {

Type struct_type(std::vector<Field> fields, std::size_t size) {
  return {.kind = Type::Kind::Struct,
          .name = "S",
          .scalar = Scalar::Int,
          .width = 1,
          .size = size,
          .alignment = 16,
          .fields = std::move(fields)};
}

std::string text_of(const Type& type) {
  std::string text;
  for (const Leaf& leaf : leaves_of(type))
    text +=
        std::to_string(leaf.offset) + " " + std::string(name_of(leaf.scalar)) + leaf.path + "\n";
  return text;
}

const Type kChar = scalar_type(Scalar::Char), kInt = scalar_type(Scalar::Int),
           kFloat3 = vector_type(Scalar::Float, 3);

} // namespace

TEST_CASE("scalars have OpenCL C's sizes and spellings") {
  for (const Scalar scalar :
       {Scalar::Bool, Scalar::Char, Scalar::UChar, Scalar::Short, Scalar::UShort, Scalar::Int,
        Scalar::UInt, Scalar::Long, Scalar::ULong, Scalar::Half, Scalar::Float, Scalar::Double})
    CHECK(scalar_named(name_of(scalar)) == scalar);
  CHECK(scalar_named("unsigned int") == Scalar::UInt);
  CHECK(scalar_named("size_t") == Scalar::ULong);
  CHECK_FALSE(scalar_named("float4"));
  CHECK_FALSE(scalar_named(""));
  CHECK(size_of(Scalar::Half) == 2);
  CHECK(size_of(Scalar::Double) == 8);
  CHECK(host_name_of(Scalar::UShort) == "cl_ushort");
  CHECK(is_floating(Scalar::Half));
  CHECK_FALSE(is_signed(Scalar::UInt));
}

TEST_CASE("a scalar is its own leaf, a vector has one for each component") {
  CHECK(text_of(kInt) == "0 int\n");
  CHECK(text_of(vector_type(Scalar::Short, 2)) == "0 short.s0\n2 short.s1\n");
  CHECK(leaves_of(vector_type(Scalar::UChar, 16)).back().path == ".sf");
}

TEST_CASE("the fourth component of a 3-vector is padding") {
  CHECK(kFloat3.size == 16);
  CHECK(kFloat3.alignment == 16);
  CHECK(text_of(kFloat3) == "0 float.s0\n4 float.s1\n8 float.s2\n");
}

TEST_CASE("padding between members and after them belongs to no leaf") {
  const Type type = struct_type({{.name = "tag", .offset = 0, .type = kChar, .dimensions = {}},
                                 {.name = "at", .offset = 16, .type = kFloat3, .dimensions = {}},
                                 {.name = "n", .offset = 32, .type = kInt, .dimensions = {}}},
                                48);
  CHECK(text_of(type) == "0 char.tag\n16 float.at.s0\n20 float.at.s1\n24 float.at.s2\n32 int.n\n");
}

TEST_CASE("arrays of arrays and structs in structs") {
  const Type inner = struct_type({{.name = "c", .offset = 0, .type = kChar, .dimensions = {2}},
                                  {.name = "i", .offset = 4, .type = kInt, .dimensions = {}}},
                                 8);
  const Type type = struct_type({{.name = "m", .offset = 0, .type = kInt, .dimensions = {2, 3}},
                                 {.name = "s", .offset = 24, .type = inner, .dimensions = {2}}},
                                40);
  CHECK(type.fields[0].count() == 6);
  CHECK(type.fields[1].count() == 2);
  CHECK(inner.fields[1].count() == 1);
  CHECK(text_of(type) == "0 int.m[0]\n4 int.m[1]\n8 int.m[2]\n12 int.m[3]\n16 int.m[4]\n"
                         "20 int.m[5]\n"
                         "24 char.s[0].c[0]\n25 char.s[0].c[1]\n28 int.s[0].i\n"
                         "32 char.s[1].c[0]\n33 char.s[1].c[1]\n36 int.s[1].i\n");
}

TEST_CASE("of a union only the first member is seen") {
  Type type = struct_type({{.name = "f", .offset = 0, .type = kFloat3, .dimensions = {}},
                           {.name = "i", .offset = 0, .type = kInt, .dimensions = {4}}},
                          16);
  type.kind = Type::Kind::Union;
  CHECK(text_of(type) == "0 float.f.s0\n4 float.f.s1\n8 float.f.s2\n");
  type.fields.clear();
  CHECK(leaves_of(type).empty());
}

TEST_CASE("a pointer is a number, images and samplers are nothing to look at") {
  Type type;
  type.kind = Type::Kind::Pointer;
  CHECK(text_of(type) == "0 ulong\n");
  for (const Type::Kind kind : {Type::Kind::Image, Type::Kind::Sampler, Type::Kind::Opaque}) {
    type.kind = kind;
    CHECK(leaves_of(type).empty());
  }
}
