// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/scalar.h"

#include "gputest/error.h"

#include <CL/cl_half.h>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace gputest::runtime {
namespace {

using model::Scalar;
using Json = nlohmann::ordered_json;

// Calls `visit` with a value-initialised object of the host type that holds `scalar`. Half is
// std::uint16_t and must be handled before.
template <typename Visit> auto with_host_type(Scalar scalar, Visit visit) {
  switch (scalar) {
  case Scalar::Bool:
  case Scalar::UChar:
    return visit(std::uint8_t{});
  case Scalar::Char:
    return visit(std::int8_t{});
  case Scalar::Short:
    return visit(std::int16_t{});
  case Scalar::UShort:
  case Scalar::Half:
    return visit(std::uint16_t{});
  case Scalar::Int:
    return visit(std::int32_t{});
  case Scalar::UInt:
    return visit(std::uint32_t{});
  case Scalar::Long:
    return visit(std::int64_t{});
  case Scalar::ULong:
    return visit(std::uint64_t{});
  case Scalar::Float:
    return visit(float{});
  case Scalar::Double:
    return visit(double{});
  }
  throw std::logic_error("with_host_type: not a scalar");
}

[[noreturn]] void does_not_fit(Scalar scalar, const Json& value, const std::string& what) {
  std::string range;
  if (!model::is_floating(scalar))
    with_host_type(scalar, [&](auto zero) {
      using T = decltype(zero);
      range =
          fmt::format(" ({} to {})", std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    });
  throw UsageError(
      fmt::format("{}: {} does not fit '{}'{}", what, value.dump(), model::name_of(scalar), range));
}

double floating_value(Scalar scalar, const Json& value, const std::string& what) {
  if (value.is_number())
    return value.get<double>();
  if (value.is_boolean())
    return value.get<bool>() ? 1 : 0;
  if (value == "nan")
    return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf")
    return std::numeric_limits<double>::infinity();
  if (value == "-inf")
    return -std::numeric_limits<double>::infinity();
  throw UsageError(
      fmt::format("{}: {} is not a number; '{}' takes one, or \"nan\", \"inf\", \"-inf\"", what,
                  value.dump(), model::name_of(scalar)));
}

template <typename T> T integer_value(Scalar scalar, const Json& value, const std::string& what) {
  if (value.is_boolean())
    return value.get<bool>() ? 1 : 0;
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (!std::in_range<T>(number))
      does_not_fit(scalar, value, what);
    return static_cast<T>(number);
  }
  if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (!std::in_range<T>(number))
      does_not_fit(scalar, value, what);
    return static_cast<T>(number);
  }
  if (value.is_number_float()) { // 1e3 is a fine way to write 1000
    const double number = value.get<double>();
    if (number != std::trunc(number))
      throw UsageError(fmt::format("{}: {} is not an integer, and '{}' is an integer type", what,
                                   value.dump(), model::name_of(scalar)));
    // Both limits are powers of two or 0, and so are exact as double.
    const double limit = std::ldexp(1.0, std::numeric_limits<T>::digits);
    if (!(number < limit) || number < static_cast<double>(std::numeric_limits<T>::min()))
      does_not_fit(scalar, value, what);
    return static_cast<T>(number);
  }
  throw UsageError(fmt::format("{}: {} is not an integer, and '{}' is an integer type", what,
                               value.dump(), model::name_of(scalar)));
}

} // namespace

float half_to_float(std::uint16_t half) {
  return cl_half_to_float(half);
}

std::uint16_t half_from_double(double value) {
  return cl_half_from_double(value, CL_HALF_RTE);
}

void write_scalar(Scalar scalar, const Json& value, std::byte* to, const std::string& what) {
  if (scalar == Scalar::Half) {
    const double number = floating_value(scalar, value, what);
    const std::uint16_t half = half_from_double(number);
    if (std::isfinite(number) && !std::isfinite(half_to_float(half)))
      does_not_fit(scalar, value, what);
    store(to, half);
    return;
  }
  if (scalar == Scalar::Bool) {
    const auto number = integer_value<std::uint8_t>(scalar, value, what);
    if (number > 1)
      throw UsageError(fmt::format("{}: {} is neither true nor false", what, value.dump()));
    store(to, number);
    return;
  }
  with_host_type(scalar, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) {
      const double number = floating_value(scalar, value, what);
      const T rounded = static_cast<T>(number);
      if (std::isfinite(number) && !std::isfinite(rounded))
        does_not_fit(scalar, value, what);
      store(to, rounded);
    } else {
      store(to, integer_value<T>(scalar, value, what));
    }
  });
}

void store_number(Scalar scalar, double value, std::byte* to) {
  if (scalar == Scalar::Half)
    return store(to, half_from_double(value));
  with_host_type(scalar, [&](auto zero) { store(to, static_cast<decltype(zero)>(value)); });
}

void store_integer(Scalar scalar, std::uint64_t value, std::byte* to) {
  if (model::is_floating(scalar))
    return store_number(scalar, static_cast<double>(value), to);
  with_host_type(scalar, [&](auto zero) { store(to, static_cast<decltype(zero)>(value)); });
}

double read_scalar(Scalar scalar, const std::byte* from) {
  if (scalar == Scalar::Half)
    return half_to_float(load<std::uint16_t>(from));
  return with_host_type(scalar,
                        [&](auto zero) { return static_cast<double>(load<decltype(zero)>(from)); });
}

std::uint64_t read_integer(Scalar scalar, const std::byte* from) {
  return with_host_type(
      scalar, [&](auto zero) { return static_cast<std::uint64_t>(load<decltype(zero)>(from)); });
}

nlohmann::ordered_json scalar_json(model::Scalar scalar, const std::byte* from) {
  if (!model::is_floating(scalar)) {
    const std::uint64_t bits = read_integer(scalar, from);
    if (model::is_signed(scalar))
      return static_cast<std::int64_t>(bits);
    return bits;
  }
  const double value = read_scalar(scalar, from);
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value > 0 ? "inf" : "-inf";
  return value;
}

std::string scalar_text(Scalar scalar, const std::byte* from) {
  if (scalar == Scalar::Half)
    return fmt::format("{}", half_to_float(load<std::uint16_t>(from)));
  return with_host_type(scalar,
                        [&](auto zero) { return fmt::format("{}", load<decltype(zero)>(from)); });
}

} // namespace gputest::runtime
