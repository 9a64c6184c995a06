#include "runtime/cases/scalar.h"

#include "gputest/error.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

using namespace gputest;
using namespace gputest::runtime;
using model::Scalar;
using tests::message_of;

namespace {

template <class T> T written(Scalar scalar, const nlohmann::ordered_json& value) {
  std::byte bytes[8]{};
  write_scalar(scalar, value, bytes, "argument 'n'");
  return load<T>(bytes);
}

std::string refusal(Scalar scalar, const nlohmann::ordered_json& value) {
  return message_of<UsageError>([&] { written<std::uint64_t>(scalar, value); });
}

} // namespace

TEST_CASE("every half survives the way to float and back") {
  for (unsigned bits = 0; bits <= 0xffff; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = half_to_float(half);
    if (std::isnan(value)) {
      REQUIRE(std::isnan(half_to_float(half_from_double(value))));
      continue;
    }
    REQUIRE(half_from_double(value) == half);
  }
}

TEST_CASE("halves are rounded to the nearest, ties to even") {
  CHECK(half_to_float(half_from_double(1.0 + std::ldexp(1.0, -11))) == 1.0f);
  CHECK(half_to_float(half_from_double(1.0 + 3 * std::ldexp(1.0, -11))) ==
        1.0f + 2 * std::ldexp(1.0f, -10));
  // Through float, this would be rounded twice, and up.
  CHECK(half_to_float(half_from_double(1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40))) ==
        1.0f + std::ldexp(1.0f, -10));
  CHECK(half_to_float(half_from_double(1e-8)) == 0.0f);
}

TEST_CASE("integers keep every bit at the ends of their ranges") {
  CHECK(written<std::int8_t>(Scalar::Char, -128) == -128);
  CHECK(written<std::uint16_t>(Scalar::UShort, 65535) == 65535);
  CHECK(written<std::int64_t>(Scalar::Long, std::numeric_limits<std::int64_t>::min()) ==
        std::numeric_limits<std::int64_t>::min());
  CHECK(written<std::uint64_t>(Scalar::ULong, std::numeric_limits<std::uint64_t>::max()) ==
        std::numeric_limits<std::uint64_t>::max());
  CHECK(written<std::int32_t>(Scalar::Int, 1e3) == 1000);
  CHECK(written<std::uint8_t>(Scalar::Bool, true) == 1);
}

TEST_CASE("numbers that do not fit are refused with argument and type") {
  CHECK(refusal(Scalar::UChar, 300) == "argument 'n': 300 does not fit 'uchar' (0 to 255)");
  CHECK(refusal(Scalar::UInt, -1) == "argument 'n': -1 does not fit 'uint' (0 to 4294967295)");
  CHECK(refusal(Scalar::Int, 2147483648u) ==
        "argument 'n': 2147483648 does not fit 'int' (-2147483648 to 2147483647)");
  CHECK(refusal(Scalar::Long, std::numeric_limits<std::uint64_t>::max()) != "");
  CHECK(refusal(Scalar::ULong, 1e30) != "");
  CHECK(refusal(Scalar::Int, 3.5) ==
        "argument 'n': 3.5 is not an integer, and 'int' is an integer type");
  CHECK(refusal(Scalar::Int, "nan") != "");
  CHECK(refusal(Scalar::Float, 1e39) == "argument 'n': 1e+39 does not fit 'float'");
  CHECK(refusal(Scalar::Half, 65520) == "argument 'n': 65520 does not fit 'half'");
  CHECK(refusal(Scalar::Half, 65504) == "");
  CHECK(refusal(Scalar::Bool, 2) != "");
  CHECK(refusal(Scalar::Float, nullptr) != "");
}

TEST_CASE("the numbers that JSON lacks are words") {
  CHECK(std::isnan(written<float>(Scalar::Float, "nan")));
  CHECK(written<double>(Scalar::Double, "-inf") == -std::numeric_limits<double>::infinity());
  CHECK(half_to_float(written<std::uint16_t>(Scalar::Half, "inf")) ==
        std::numeric_limits<float>::infinity());
  CHECK(refusal(Scalar::Float, "infinite") != "");
}

TEST_CASE("text of a scalar is the shortest that reads back") {
  std::byte bytes[8];
  store(bytes, 0.1f);
  CHECK(scalar_text(Scalar::Float, bytes) == "0.1");
  store<std::int8_t>(bytes, -1);
  CHECK(scalar_text(Scalar::Char, bytes) == "-1");
  CHECK(scalar_text(Scalar::UChar, bytes) == "255");
  CHECK(read_integer(Scalar::Char, bytes) == std::numeric_limits<std::uint64_t>::max());
}
