// Functions and conversions of half numbers in the simulator, beside plain C++.
#include "tests/catch.h"
#include "tests/simulator/functions/half.h"
#include "tests/simulator/simulated.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <random>

using namespace gputest::simulator;
using namespace gputest::simulator::tests;

namespace {

using Halves = std::vector<std::uint16_t>;

const std::string kPragma = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
const double kPi = std::acos(-1.0);

Ran run_halves(const std::string& text, std::size_t items, std::vector<Given> arguments,
               const std::string& cl_std = "") {
  return run({.text = kPragma + text,
              .global_size = items,
              .local_size = 1,
              .arguments = std::move(arguments),
              .cl_std = cl_std});
}

struct OfOne {
  const char* name;
  std::function<double(double)> expected;
};
struct OfTwo {
  const char* name;
  std::function<double(double, double)> expected;
};

double sign(double x) {
  return std::isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x;
}

const std::vector<OfOne>& functions_of_one() {
  using Of = double (*)(double);
  static const std::vector<OfOne> kAll{
      {"acos", Of(std::acos)},
      {"acosh", Of(std::acosh)},
      {"acospi", [](double x) { return std::acos(x) / kPi; }},
      {"asin", Of(std::asin)},
      {"asinh", Of(std::asinh)},
      {"asinpi", [](double x) { return std::asin(x) / kPi; }},
      {"atan", Of(std::atan)},
      {"atanh", Of(std::atanh)},
      {"atanpi", [](double x) { return std::atan(x) / kPi; }},
      {"cbrt", Of(std::cbrt)},
      {"ceil", Of(std::ceil)},
      {"cos", Of(std::cos)},
      {"cosh", Of(std::cosh)},
      {"cospi", [](double x) { return std::cos(kPi * std::fmod(x, 2)); }},
      {"erf", Of(std::erf)},
      {"erfc", Of(std::erfc)},
      {"exp", Of(std::exp)},
      {"exp2", Of(std::exp2)},
      {"exp10", [](double x) { return std::pow(10, x); }},
      {"expm1", Of(std::expm1)},
      {"fabs", Of(std::fabs)},
      {"floor", Of(std::floor)},
      {"log", Of(std::log)},
      {"log2", Of(std::log2)},
      {"log10", Of(std::log10)},
      {"log1p", Of(std::log1p)},
      {"logb", Of(std::logb)},
      {"rint", Of(std::rint)},
      {"round", Of(std::round)},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"sin", Of(std::sin)},
      {"sinh", Of(std::sinh)},
      {"sinpi", [](double x) { return std::sin(kPi * std::fmod(x, 2)); }},
      {"sqrt", Of(std::sqrt)},
      {"tan", Of(std::tan)},
      {"tanh", Of(std::tanh)},
      {"trunc", Of(std::trunc)},
      {"degrees", [](double x) { return x * 180 / kPi; }},
      {"radians", [](double x) { return x * kPi / 180; }},
      {"sign", sign}};
  return kAll;
}

const std::vector<OfTwo>& functions_of_two() {
  using Of = double (*)(double, double);
  static const std::vector<OfTwo> kAll{
      {"atan2", Of(std::atan2)},
      {"atan2pi", [](double x, double y) { return std::atan2(x, y) / kPi; }},
      {"copysign", Of(std::copysign)},
      {"fdim", Of(std::fdim)},
      {"fmax", Of(std::fmax)},
      {"fmin", Of(std::fmin)},
      {"fmod", Of(std::fmod)},
      {"hypot", Of(std::hypot)},
      {"pow", Of(std::pow)},
      {"remainder", Of(std::remainder)},
      {"isless", [](double x, double y) { return x < y ? 1 : 0; }},
      {"islessgreater", [](double x, double y) { return x < y || x > y ? 1 : 0; }},
      {"isnotequal", [](double x, double y) { return x != y ? 1 : 0; }},
      {"isunordered", [](double x, double y) { return std::isnan(x) || std::isnan(y) ? 1 : 0; }}};
  return kAll;
}

// Results may be a step away, as the float result may lie beside the middle of two halves.
template <typename Function>
void compare(const std::vector<Function>& functions, const Halves& x, const Halves& y,
             const std::vector<std::uint16_t>& results, std::size_t items) {
  std::string wrong;
  for (std::size_t i = 0; i < items; ++i)
    for (std::size_t k = 0; k < functions.size(); ++k) {
      double expected = 0;
      if constexpr (std::is_same_v<Function, OfOne>)
        expected = functions[k].expected(value_of_half(x[i]));
      else
        expected = functions[k].expected(value_of_half(x[i]), value_of_half(y[i]));
      const std::uint16_t bits = results[i * functions.size() + k];
      if (steps_between(bits, half_of(expected)) > 1 && wrong.size() < 1000)
        wrong += fmt::format("{}({:#x}, {:#x}) is {:#x} instead of {:#x}\n", functions[k].name,
                             x[i], y[i], bits, half_of(expected));
    }
  CHECK(wrong == "");
}

template <typename Function>
std::string calls(const std::vector<Function>& functions, const std::string& arguments) {
  std::string text;
  for (std::size_t k = 0; k < functions.size(); ++k)
    text += fmt::format("out[{} * i + {}] = {}({});\n", functions.size(), k, functions[k].name,
                        arguments);
  return text;
}

} // namespace

TEST_CASE("Functions of half numbers are those of numbers, rounded") {
  const Halves x = some_halves(std::getenv("GPUTEST_RANDOM") ? 1 : 211);
  const auto& one = functions_of_one();
  const Ran ones = run_halves("kernel void k(global const half* x, global half* out) {\n"
                              "const int i = get_global_id(0);\n" +
                                  calls(one, "x[i]") + "}\n",
                              x.size(), {buffer(x), buffer(Halves(x.size() * one.size()))});
  compare(one, x, x, ones.values<std::uint16_t>(1), x.size());

  Halves left, right;
  const Halves few = some_halves(6001);
  for (std::size_t i = 0; i < few.size(); ++i)
    for (std::size_t k = i % 3; k < few.size(); k += 3) {
      left.push_back(few[i]);
      right.push_back(few[k]);
    }
  const auto& two = functions_of_two();
  const Ran twos =
      run_halves("kernel void k(global const half* x, global const half* y, global half* out) {\n"
                 "const int i = get_global_id(0);\n" +
                     calls(two, "x[i], y[i]") + "}\n",
                 left.size(),
                 {buffer(left), buffer(right), buffer(Halves(left.size() * two.size()))}, "CL2.0");
  compare(two, left, right, twos.values<std::uint16_t>(2), left.size());
}

TEST_CASE("Vectors of half numbers have the functions of their components") {
  struct Pair {
    std::string of_vector, of_number;
  };
  std::vector<Pair> functions{
      {"clamp(v, (half)0, (half)1)", "clamp(a, (half)0, (half)1)"},
      {"mix(v, v + (half)1, (half)0.5f)", "mix(a, a + (half)1, (half)0.5f)"},
      {"fma(v, v, v)", "fma(a, a, a)"},
      {"ldexp(v, 3)", "ldexp(a, 3)"},
      {"fract(v, &p)", "fract(a, &p2)"},
      {"frexp(v, &n)", "frexp(a, &m)"}};
  for (const OfOne& function : functions_of_one())
    functions.push_back({fmt::format("{}(v)", function.name), fmt::format("{}(a)", function.name)});
  for (const char* name : {"fmax", "fmin", "max", "min", "pow", "hypot", "remainder", "nextafter"})
    for (const char* other : {"0.75f", "0", "-0.0f"})
      functions.push_back({fmt::format("{}(v, (H)({}))", name, other),
                           fmt::format("{}(a, (half)({}))", name, other)});
  const Halves x{0x8000, 0x3c00, 0x0001, 0x7bff, 0x3555, 0xb800, 0x4248, 0x0400,
                 0x5640, 0xd640, 0x2e66, 0x3bff, 0x3c01, 0x7e00, 0x0000, 0x4900};
  const std::vector<std::size_t> widths{2, 3, 4, 8, 16};
  const std::vector<std::string> standards{"CL1.2", "CL2.0", "CL3.0"};
  for (std::size_t run = 0; run < standards.size(); ++run) {
    std::string text;
    std::vector<std::pair<std::size_t, std::size_t>> tried; // function, width
    for (std::size_t i = 0; i < functions.size(); ++i)
      for (std::size_t w = 0; w < widths.size(); ++w)
        if (std::getenv("GPUTEST_RANDOM") || (i + run) % widths.size() == w) {
          const std::size_t width = widths[w], at = tried.size() * x.size();
          text +=
              fmt::format("{{ typedef half{0} H; H v = vload{0}(0, x), p; int{0} n; half p2; "
                          "int m;\nvstore{0}({1}, 0, out + {2});\n"
                          "for (int i = 0; i < {0}; ++i) {{ half a = x[i]; alone[{2} + i] = {3}; "
                          "}} }}\n",
                          width, functions[i].of_vector, at, functions[i].of_number);
          tried.emplace_back(i, width);
        }
    const Halves space(tried.size() * x.size());
    const Ran ran =
        run_halves("kernel void k(global const half* x, global half* out, global half* alone) {\n" +
                       text + "}\n",
                   1, {buffer(x), buffer(space), buffer(space)}, standards[run]);
    const auto vectors = ran.values<std::uint16_t>(1), numbers = ran.values<std::uint16_t>(2);
    std::string wrong;
    for (std::size_t i = 0; i < vectors.size(); ++i)
      if (vectors[i] != numbers[i] && !(is_nan(vectors[i]) && is_nan(numbers[i])))
        wrong += fmt::format("component {} of {} of half{}: {:#x} instead of {:#x}\n", i % x.size(),
                             functions[tried[i / x.size()].first].of_vector,
                             tried[i / x.size()].second, vectors[i], numbers[i]);
    CHECK(wrong == "");
  }
}

TEST_CASE("fma of half numbers is rounded once") {
  std::mt19937 random(7);
  const std::size_t count = 20000;
  Halves a, b, c;
  std::vector<std::uint16_t> expected;
  while (a.size() < count) {
    const auto next = [&] { return static_cast<std::uint16_t>(random()); };
    const std::uint16_t x = next(), y = next();
    auto z = next();
    if (a.size() % 2) { // near the middle of two halves
      const std::uint16_t product = half_of(value_of_half(x) * value_of_half(y));
      z = static_cast<std::uint16_t>((product & 0xfc00) - ((random() % 14) << 10));
    }
    const double values[] = {value_of_half(x), value_of_half(y), value_of_half(z)};
    if (!std::isfinite(values[0]) || !std::isfinite(values[1]) || !std::isfinite(values[2]))
      continue;
    // In units of 2^-48 all is whole.
    const auto whole = [](double value) { return static_cast<__int128>(std::ldexp(value, 24)); };
    const __int128 sum = whole(values[0]) * whole(values[1]) + (whole(values[2]) << 24);
    if (sum == 0)
      continue;
    a.push_back(x), b.push_back(y), c.push_back(z);
    expected.push_back(half_of<__int128>(sum < 0 ? -sum : sum, __int128{1} << 24, sum < 0));
  }
  const Ran ran =
      run_halves("kernel void k(global const half* a, global const half* b, global const "
                 "half* c, global half* out) {\nint i = get_global_id(0);\n"
                 "out[i] = fma(a[i], b[i], c[i]); }\n",
                 count, {buffer(a), buffer(b), buffer(c), buffer(Halves(count))});
  CHECK(ran.values<std::uint16_t>(3) == expected);
}

TEST_CASE("Conversions to and from half round as they are asked to") {
  const std::vector<std::string> roundings{"", "_rte", "_rtz", "_rtp", "_rtn"};
  std::vector<double> values{0.0,
                             -0.0,
                             1e-9,
                             -1e-9,
                             65504,
                             65519.99,
                             65520,
                             -65520,
                             1e300,
                             -1e300,
                             1e-300,
                             2049,
                             2051,
                             -2049,
                             0.1,
                             -0.1,
                             INFINITY,
                             -INFINITY,
                             65535,
                             65536,
                             5.9604644775390625e-8,
                             2.98023223876953125e-8};
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i)
    values.push_back(std::ldexp(static_cast<double>(random()) - 2147483648.0,
                                static_cast<int>(random() % 50) - 60));
  // Just beside the middle of two halves: rounding to float first would be wrong.
  values.push_back(1 + std::ldexp(1, -11) + std::ldexp(1, -40));
  values.push_back(1 + std::ldexp(3, -11) - std::ldexp(1, -40));
  std::string text = "kernel void k(global const double* x, global half* out) {\n"
                     "const int i = get_global_id(0);\n";
  for (std::size_t k = 0; k < roundings.size(); ++k)
    text += fmt::format("out[10 * i + {0}] = convert_half{1}(x[i]);\n"
                        "out[10 * i + {2}] = convert_half2{1}((double2)(1, x[i])).y;\n",
                        k, roundings[k], k + 5);
  const Ran ran =
      run_halves(text + "}\n", values.size(), {buffer(values), buffer(Halves(values.size() * 10))});
  const auto results = ran.values<std::uint16_t>(1);
  std::string wrong;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t k = 0; k < 10; ++k)
      if (results[10 * i + k] != half_of(values[i], roundings[k % 5]))
        wrong += fmt::format("convert_half{}({}) is {:#x}\n", roundings[k % 5], values[i],
                             results[10 * i + k]);
  CHECK(wrong == "");
}

TEST_CASE("Integers and half numbers become each other with every rounding") {
  struct Integer {
    const char* name;
    double low, high;
  };
  const Integer types[] = {{"char", -128, 127},
                           {"uchar", 0, 255},
                           {"short", -32768, 32767},
                           {"ushort", 0, 65535},
                           {"int", -2147483648.0, 2147483647.0},
                           {"uint", 0, 4294967295.0},
                           {"long", -9223372036854775808.0, 9223372036854774784.0},
                           {"ulong", 0, 18446744073709549568.0}};
  const std::vector<std::string> roundings{"", "_rte", "_rtz", "_rtp", "_rtn"};
  // In short runs two roundings of each type, so that each rounding has three types.
  const auto is_tried = [&](const Integer& type, std::size_t k) {
    return std::getenv("GPUTEST_RANDOM") ||
           (static_cast<std::size_t>(&type - types) + k) % roundings.size() < 2;
  };
  const Halves x = some_halves(997);
  for (const Integer& type : types) {
    std::string text =
        "kernel void k(global const half* x, global long* whole, global const long* n, "
        "global half* out) {\nconst int i = get_global_id(0);\n";
    for (std::size_t k = 0; k < roundings.size(); ++k)
      if (is_tried(type, k))
        text += fmt::format("whole[5 * i + {0}] = (long)convert_{1}4_sat{2}((half4)(x[i])).z;\n"
                            "out[5 * i + {0}] = convert_half{2}(({1})n[i]);\n",
                            k, type.name, roundings[k]);
    std::vector<std::int64_t> numbers;
    std::mt19937_64 random(3);
    for (std::size_t i = 0; i < x.size(); ++i)
      numbers.push_back(static_cast<std::int64_t>(random() >> (random() % 64)));
    const Ran ran = run_halves(text + "}\n", x.size(),
                               {buffer(x), buffer(std::vector<std::int64_t>(x.size() * 5)),
                                buffer(numbers), buffer(Halves(x.size() * 5))});
    const auto whole = ran.values<std::int64_t>(1);
    const auto halves = ran.values<std::uint16_t>(3);
    std::string wrong;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t k = 0; k < 5; ++k) {
        if (!is_tried(type, k))
          continue;
        const double value = value_of_half(x[i]);
        const double rounded = k == 1   ? std::nearbyint(value)
                               : k == 3 ? std::ceil(value)
                               : k == 4 ? std::floor(value)
                                        : std::trunc(value);
        if (!std::isnan(value) && !std::isinf(value)) { // saturated infinity: below
          const double kept = std::clamp(rounded, type.low, type.high);
          if (whole[5 * i + k] != static_cast<std::int64_t>(kept))
            wrong += fmt::format("convert_{}_sat{}({}) is {}\n", type.name, roundings[k], value,
                                 whole[5 * i + k]);
        }
        // The number as the type has it.
        double number = static_cast<double>(numbers[i]);
        const std::string name = type.name;
        const auto bits = static_cast<std::uint64_t>(numbers[i]);
        if (name == "char")
          number = static_cast<signed char>(bits);
        else if (name == "uchar")
          number = static_cast<unsigned char>(bits);
        else if (name == "short")
          number = static_cast<std::int16_t>(bits);
        else if (name == "ushort")
          number = static_cast<std::uint16_t>(bits);
        else if (name == "int")
          number = static_cast<std::int32_t>(bits);
        else if (name == "uint")
          number = static_cast<std::uint32_t>(bits);
        else if (name == "ulong")
          number = static_cast<double>(bits);
        if (halves[5 * i + k] != half_of(number, roundings[k]))
          wrong += fmt::format("convert_half{}({} {}) is {:#x}\n", roundings[k], name, numbers[i],
                               halves[5 * i + k]);
      }
    CHECK(wrong == "");
  }
}
