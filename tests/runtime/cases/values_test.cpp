#include "runtime/cases/values.h"

#include "model/stable_hash.h"

#include "gputest/error.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <cmath>

using namespace gputest;
using namespace gputest::runtime;
using model::Scalar;
using model::Type;
using tests::contains;
using tests::message_of;

namespace {

Type struct_type(std::string name, std::size_t size, std::vector<model::Field> fields) {
  Type type;
  type.kind = Type::Kind::Struct;
  type.name = std::move(name);
  type.size = size;
  type.alignment = 4;
  type.fields = std::move(fields);
  return type;
}

// struct Particle { struct { float3 at; } position; char kind; short grid[2][3]; }
Type particle() {
  const Type position =
      struct_type("Position", 16, {{"at", 0, model::vector_type(Scalar::Float, 3), {}}});
  return struct_type("Particle", 32,
                     {{"position", 0, position, {}},
                      {"kind", 16, model::scalar_type(Scalar::Char), {}},
                      {"grid", 18, model::scalar_type(Scalar::Short), {2, 3}}});
}

std::string refusal(const Type& type, const char* json) {
  return message_of<UsageError>([&] {
    Bytes bytes(type.size);
    write_value(type, Json::parse(json), bytes.data(), "argument 'p'");
  });
}

} // namespace

TEST_CASE("nested structs with arrays and padding, by position and by name") {
  Bytes by_position(32), by_name(32);
  write_value(particle(), Json::parse("[[[1, 2, 3]], 7, [[1, 2, 3], [4, 5, 6]]]"),
              by_position.data(), "p");
  write_value(particle(), Json::parse(R"({"grid": [[1, 2, 3], [4, 5, 6]], "kind": 7,
                              "position": {"at": {"x": 1, "y": 2, "z": 3}}})"),
              by_name.data(), "p");
  CHECK(by_position == by_name);
  CHECK(load<float>(by_name.data() + 8) == 3.0f);
  CHECK(load<std::int8_t>(by_name.data() + 16) == 7);
  CHECK(load<std::int16_t>(by_name.data() + 18 + 4 * 2) == 5);
}

TEST_CASE("values that do not fit a struct or vector name the member") {
  CHECK(refusal(particle(), "[[[1, 2, 3]], 700, [[1, 2, 3], [4, 5, 6]]]") ==
        "argument 'p'.kind: 700 does not fit 'char' (-128 to 127)");
  CHECK(refusal(particle(), "[[[1, 2]], 7, [[1, 2, 3], [4, 5, 6]]]") ==
        "argument 'p'.position.at: 2 values are given, 'float3' has 3");
  CHECK(contains(refusal(particle(), "[[[1, 2, 3]], 7, [[1, 2, 3]]]"), "p'.grid: 1 values"));
  CHECK(contains(refusal(particle(), R"({"kind": 7, "position": [[1, 2, 3]]})"), "'grid'"));
  CHECK(contains(refusal(particle(), R"({"colour": 7})"), "has no member 'colour'"));
  CHECK(contains(refusal(particle(), "3"), "give an array"));
  CHECK(contains(refusal(model::vector_type(Scalar::Float, 2), R"({"x": 1, "s0": 2})"), "twice"));
  CHECK(contains(refusal(model::vector_type(Scalar::Float, 2), R"({"x": 1, "z": 2})"), "'z'"));
}

TEST_CASE("unions take one of their members") {
  Type type = struct_type("Either", 4,
                          {{"i", 0, model::scalar_type(Scalar::Int), {}},
                           {"f", 0, model::scalar_type(Scalar::Float), {}}});
  type.kind = Type::Kind::Union;
  Bytes bytes(4);
  write_value(type, Json::parse("[5]"), bytes.data(), "u");
  CHECK(load<int>(bytes.data()) == 5);
  write_value(type, Json::parse(R"({"f": 0.5})"), bytes.data(), "u");
  CHECK(load<float>(bytes.data()) == 0.5f);
  CHECK(refusal(type, R"({"f": 0.5, "i": 1})") != "");
  write_value(type, Json::parse("7"), bytes.data(), "u");
  CHECK(load<int>(bytes.data()) == 7);
  CHECK(refusal(type, "0.5") != "");

  // A pointer is an address.
  Type pointer;
  pointer.kind = Type::Kind::Pointer;
  pointer.size = pointer.alignment = 8;
  Bytes address(8);
  write_value(pointer, Json::parse("18446744073709551615"), address.data(), "p");
  CHECK(load<std::uint64_t>(address.data()) == ~std::uint64_t{0});
}

TEST_CASE("A fill gives every element of a buffer its value") {
  const Type type = model::scalar_type(Scalar::Int);
  const Bytes iota = filled(type, 4, parse_fill("iota", "a"), 0, "a");
  CHECK(load<int>(iota.data() + 12) == 3);
  CHECK(filled(type, 4, parse_fill("zero", "a"), 0, "a") == Bytes(16));
  const Bytes sevens = filled(type, 2, parse_fill(7, "a"), 0, "a");
  CHECK(load<int>(sevens.data() + 4) == 7);
  CHECK(message_of<UsageError>([&] { filled(type, 1, parse_fill(0.5, "a"), 0, "argument 'a'"); }) !=
        "");
  CHECK(message_of<UsageError>([&] {
          filled(model::scalar_type(Scalar::UChar), 300, parse_fill("iota", "a"), 0,
                 "argument 'a'");
        }) == "argument 'a': 299 does not fit 'uchar' (0 to 255)");
  for (const char* wrong : {"random(1)", "random(2,1)", "random(a,b)", "ramp", "random(1,2"})
    CHECK_THROWS_AS(parse_fill(wrong, "a"), UsageError);
}

TEST_CASE("random fills stay in range, reach its ends, and repeat") {
  const auto draw = [](Scalar scalar, const char* fill, std::uint64_t seed) {
    return filled(model::scalar_type(scalar), 2000, parse_fill(fill, "a"), seed, "a");
  };
  const Bytes ints = draw(Scalar::Int, "random(-2,3)", 1);
  std::array<int, 6> seen{};
  for (std::size_t i = 0; i < 2000; ++i) {
    const int value = load<int>(ints.data() + i * 4);
    REQUIRE((value >= -2 && value <= 3));
    ++seen[static_cast<std::size_t>(value + 2)];
  }
  for (const int count : seen)
    CHECK(count > 200);
  const Bytes floats = draw(Scalar::Float, "random(-1,1)", 1);
  for (std::size_t i = 0; i < 2000; ++i)
    REQUIRE(std::abs(load<float>(floats.data() + i * 4)) <= 1.0f);
  CHECK(draw(Scalar::Int, "random", 1) == draw(Scalar::Int, "random", 1));
  CHECK(draw(Scalar::Int, "random", 1) != draw(Scalar::Int, "random", 2));
  CHECK(draw(Scalar::ULong, "random(0,18446744073709551615)", 1) != Bytes(16000));
  CHECK_THROWS_AS(draw(Scalar::UChar, "random(0,300)", 1), UsageError);
}

TEST_CASE("seeds depend on case and argument, and not on where one ends and the other begins") {
  CHECK(model::seed_for(0, "a", "bc") != model::seed_for(0, "ab", "c"));
  CHECK(model::seed_for(0, "a", "b") != model::seed_for(1, "a", "b"));
  CHECK(model::seed_for(7, "case", "x") == model::seed_for(7, "case", "x"));
}
