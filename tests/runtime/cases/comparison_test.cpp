#include "runtime/cases/comparison.h"

#include "runtime/cases/scalar.h"
#include "tests/catch.h"
#include "tests/temporary_folder.h"

#include <cmath>
#include <limits>

using namespace gputest;
using namespace gputest::runtime;
using model::Scalar;
using tests::contains;

namespace {

template <class T> bool same(Scalar scalar, T expected, T actual, const Tolerance& tolerance = {}) {
  return compare(model::scalar_type(scalar), std::as_bytes(std::span(&expected, 1)),
                 std::as_bytes(std::span(&actual, 1)), tolerance)
      .equal();
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

} // namespace

TEST_CASE("without tolerance values are equal or not") {
  CHECK(same(Scalar::Float, 1.0f, 1.0f));
  CHECK_FALSE(same(Scalar::Float, 1.0f, std::nextafter(1.0f, 2.0f)));
  CHECK(same(Scalar::Float, 0.0f, -0.0f));
  CHECK_FALSE(same(Scalar::Long, std::int64_t{1} << 53, (std::int64_t{1} << 53) + 1));
}

TEST_CASE("NaN equals NaN, infinities only themselves, whatever the tolerance") {
  const Tolerance wide{.absolute = 1e30, .relative = 1e30, .ulp = ~std::uint64_t{0}};
  CHECK(same(Scalar::Float, kNan, kNan));
  CHECK(same(Scalar::Float, kNan, -kNan));
  CHECK_FALSE(same(Scalar::Float, 1.0f, kNan, wide));
  CHECK_FALSE(same(Scalar::Float, kNan, 1.0f, wide));
  CHECK(same(Scalar::Float, kInf, kInf));
  CHECK_FALSE(same(Scalar::Float, kInf, -kInf, wide));
  CHECK_FALSE(same(Scalar::Float, kInf, std::numeric_limits<float>::max(), wide));
}

TEST_CASE("any one tolerance is enough") {
  CHECK(same(Scalar::Float, 100.0f, 100.5f, {.absolute = 0.5}));
  CHECK_FALSE(same(Scalar::Float, 100.0f, 100.5f, {.absolute = 0.4}));
  CHECK(same(Scalar::Float, 100.0f, 100.5f, {.absolute = 0.4, .relative = 0.01}));
  CHECK_FALSE(same(Scalar::Float, 0.0f, 1e-9f, {.relative = 1}));
  CHECK(same(Scalar::Int, 100, 101, {.absolute = 1}));
  CHECK_FALSE(same(Scalar::Int, 100, 101, {.ulp = 5}));
  CHECK_FALSE(
      same(Scalar::ULong, std::uint64_t{1} << 60, (std::uint64_t{1} << 60) + 1, {.absolute = 0.5}));
}

TEST_CASE("ULP counts the representable numbers between two") {
  CHECK(same(Scalar::Float, 1.0f, std::nextafter(1.0f, 2.0f), {.ulp = 1}));
  CHECK_FALSE(
      same(Scalar::Float, 1.0f, std::nextafter(std::nextafter(1.0f, 2.0f), 2.0f), {.ulp = 1}));
  const float tiny = std::numeric_limits<float>::denorm_min();
  CHECK(same(Scalar::Float, -tiny, tiny, {.ulp = 2}));
  CHECK_FALSE(same(Scalar::Float, -tiny, tiny, {.ulp = 1}));
  CHECK(same(Scalar::Double, 1.0, std::nextafter(1.0, 0.0), {.ulp = 1}));
  CHECK(same<std::uint16_t>(Scalar::Half, 0x3c00, 0x3c02, {.ulp = 2}));
  CHECK_FALSE(same<std::uint16_t>(Scalar::Half, 0x3c00, 0x3c03, {.ulp = 2}));
  const double largest = std::numeric_limits<double>::max();
  CHECK_FALSE(same(Scalar::Double, -largest, largest, {.ulp = 1000}));
}

TEST_CASE("padding does not count, and differences say where they are") {
  model::Type type;
  type.kind = model::Type::Kind::Struct;
  type.name = "Pair";
  type.size = 8;
  type.fields = {{"kind", 0, model::scalar_type(Scalar::Char), {}},
                 {"value", 4, model::scalar_type(Scalar::Float), {}}};
  Bytes expected(80), actual(80);
  actual[1] = std::byte{77};
  CHECK(compare(type, expected, actual, {}).equal());
  for (std::size_t i = 2; i < 9; ++i)
    store(actual.data() + i * 8 + 4, 1.5f);
  const Comparison comparison = compare(type, expected, actual, {});
  CHECK(comparison.differing == 7);
  CHECK(comparison.compared == 20);
  REQUIRE(comparison.first.size() == 5);
  const std::string text = describe(comparison, "out");
  CHECK(contains(text, "'out' differs in 7 of 20 values:\n  out[2].value: expected 0, got 1.5\n"));
  CHECK(contains(text, "and 2 more"));
}

TEST_CASE("an output of nothing but NaN is recognised") {
  const std::vector<float> all{kNan, -kNan}, some{kNan, 0};
  const model::Type type = model::scalar_type(Scalar::Float);
  CHECK(is_entirely_nan(type, std::as_bytes(std::span(all))));
  CHECK_FALSE(is_entirely_nan(type, std::as_bytes(std::span(some))));
  const std::vector<int> ints{-1, -1};
  CHECK_FALSE(is_entirely_nan(model::scalar_type(Scalar::Int), std::as_bytes(std::span(ints))));
}

TEST_CASE("what another compiler computes may differ by what operations are fused") {
  const std::vector<float> expected{1000.0f, -3.0f, kInf, kNan};
  const auto tolerance = [&](const model::Type& type, const Tolerance& given) {
    return for_other_compilers(given, type, std::as_bytes(std::span(expected)));
  };
  const Tolerance wider = tolerance(model::scalar_type(Scalar::Float), {});
  CHECK(wider.ulp == 4096u);
  REQUIRE(wider.absolute);
  CHECK(*wider.absolute == tests::Approx(1.0)); // of the largest finite magnitude
  CHECK_FALSE(wider.relative);
  const Tolerance given{.absolute = 7, .relative = 0.5, .ulp = 10000};
  const Tolerance kept = tolerance(model::scalar_type(Scalar::Float), given);
  CHECK((kept.absolute == 7.0 && kept.relative == 0.5 && kept.ulp == 10000u));
  const Tolerance whole = tolerance(model::scalar_type(Scalar::Int), {});
  CHECK_FALSE((whole.absolute || whole.relative || whole.ulp));
}
