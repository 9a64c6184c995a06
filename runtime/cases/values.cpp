// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/values.h"

#include "gputest/error.h"
#include "model/stable_hash.h"
#include "runtime/cases/scalar.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <random>

namespace gputest::runtime {
namespace {

using model::Field;
using model::Type;

constexpr std::string_view kComponents = "0123456789abcdef";

// "x", "s0" and "sA" name components of a vector.
std::optional<std::size_t> component_named(std::string_view name) {
  constexpr std::string_view kLetters = "xyzw";
  if (name.size() == 1 && kLetters.find(name[0]) != std::string_view::npos)
    return kLetters.find(name[0]);
  if (name.size() == 2 && (name[0] == 's' || name[0] == 'S')) {
    const std::size_t at = kComponents.find(static_cast<char>(std::tolower(name[1])));
    if (at != std::string_view::npos)
      return at;
  }
  return std::nullopt;
}

void expect_count(const Json& values, std::size_t count, const std::string& what,
                  std::string_view type) {
  if (values.size() != count)
    throw UsageError(
        fmt::format("{}: {} values are given, '{}' has {}", what, values.size(), type, count));
}

void write_vector(const Type& type, const Json& value, std::byte* to, const std::string& what) {
  const std::size_t size = model::size_of(type.scalar);
  if (value.is_array()) {
    expect_count(value, type.width, what, type.name);
    for (std::size_t i = 0; i < type.width; ++i)
      write_scalar(type.scalar, value[i], to + i * size,
                   fmt::format("{}.s{}", what, kComponents[i]));
    return;
  }
  if (!value.is_object())
    throw UsageError(fmt::format("{}: {} is not of type '{}'; give an array of {} numbers", what,
                                 value.dump(), type.name, type.width));
  expect_count(value, type.width, what, type.name);
  std::vector<bool> seen(type.width);
  for (const auto& [name, component] : value.items()) {
    const auto at = component_named(name);
    if (!at || *at >= type.width || seen[*at])
      throw UsageError(fmt::format("{}: '{}' has no component '{}'{}", what, type.name, name,
                                   at && *at < type.width ? " twice" : ""));
    seen[*at] = true;
    write_scalar(type.scalar, component, to + *at * size, fmt::format("{}.{}", what, name));
  }
}

void write_array(const Field& field, std::size_t dimension, const Json& value, std::byte* to,
                 const std::string& what) {
  if (dimension == field.dimensions.size()) {
    write_value(field.type, value, to, what);
    return;
  }
  if (!value.is_array())
    throw UsageError(fmt::format("{}: {} is not an array of {}", what, value.dump(),
                                 field.dimensions[dimension]));
  expect_count(value, field.dimensions[dimension], what, "the array");
  std::size_t stride = field.type.size;
  for (std::size_t i = dimension + 1; i < field.dimensions.size(); ++i)
    stride *= field.dimensions[i];
  for (std::size_t i = 0; i < value.size(); ++i)
    write_array(field, dimension + 1, value[i], to + i * stride, fmt::format("{}[{}]", what, i));
}

void write_field(const Field& field, const Json& value, std::byte* to, const std::string& what) {
  write_array(field, 0, value, to + field.offset, what + "." + field.name);
}

void write_members(const Type& type, const Json& value, std::byte* to, const std::string& what) {
  const bool is_union = type.kind == Type::Kind::Union;
  const std::size_t count = is_union ? 1 : type.fields.size();
  if (value.is_array()) {
    expect_count(value, count, what, type.name);
    for (std::size_t i = 0; i < count; ++i)
      write_field(type.fields[i], value[i], to, what);
    return;
  }
  if (is_union && !value.is_object())
    return write_field(type.fields.at(0), value, to, what);
  if (!value.is_object())
    throw UsageError(
        fmt::format("{}: {} is not of type '{}'; give an array or an object with its members", what,
                    value.dump(), type.name));
  for (const auto& [name, member] : value.items()) {
    const auto field = std::ranges::find(type.fields, name, &Field::name);
    if (field == type.fields.end())
      throw UsageError(fmt::format("{}: '{}' has no member '{}'", what, type.name, name));
    write_field(*field, member, to, what);
  }
  if (is_union)
    return expect_count(value, 1, what, type.name);
  for (const Field& field : type.fields)
    if (!value.contains(field.name))
      throw UsageError(
          fmt::format("{}: member '{}' of '{}' is missing", what, field.name, type.name));
}

// A number in [0, 1) with 53 random bits; the standard distributions differ between libraries.
double unit(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() >> 11), -53);
}

// Draws the numbers of one leaf. What does not fit its type is refused before the first.
class Draw {
public:
  Draw(model::Scalar scalar, const Fill& fill, const std::string& what) : scalar_(scalar) {
    if (model::is_floating(scalar)) {
      low_number_ = fill.low.is_null() ? 0.0 : fill.low.get<double>();
      width_number_ = (fill.high.is_null() ? 1.0 : fill.high.get<double>()) - low_number_;
      for (const Json& bound : {fill.low, fill.high})
        if (!bound.is_null())
          check(bound, what);
    } else if (scalar != model::Scalar::Bool) {
      low_ = bound(fill.low, 0, what);
      width_ = bound(fill.high, 100, what) - low_ + 1; // modulo 2^64: any range fits
    }
  }

  void operator()(std::mt19937_64& random, std::byte* to) const {
    if (model::is_floating(scalar_))
      return store_number(scalar_, low_number_ + unit(random) * width_number_, to);
    if (scalar_ == model::Scalar::Bool)
      return store_integer(scalar_, random() % 2, to);
    const std::uint64_t drawn = random();
    store_integer(scalar_, low_ + (width_ == 0 ? drawn : drawn % width_), to);
  }

private:
  void check(const Json& value, const std::string& what) const {
    std::byte checked[8];
    write_scalar(scalar_, value, checked, what);
  }

  std::uint64_t bound(const Json& given, std::int64_t otherwise, const std::string& what) const {
    if (given.is_null())
      return static_cast<std::uint64_t>(otherwise);
    check(given, what); // integral and within the type
    return given.is_number_unsigned() ? given.get<std::uint64_t>()
                                      : static_cast<std::uint64_t>(given.get<std::int64_t>());
  }

  model::Scalar scalar_;
  double low_number_ = 0, width_number_ = 1; // for floating-point types
  std::uint64_t low_ = 0, width_ = 101;      // for integers
};

// Fills the memory with copies of the first element.
void repeat_first(std::size_t size, Bytes& bytes) {
  for (std::size_t done = size; done < bytes.size();) {
    const std::size_t more = std::min(done, bytes.size() - done);
    std::memcpy(bytes.data() + done, bytes.data(), more);
    done += more;
  }
}

void fill_random(const std::vector<model::Leaf>& leaves, std::size_t size, const Fill& fill,
                 std::uint64_t seed, const std::string& what, Bytes& bytes) {
  std::vector<Draw> draws;
  for (const model::Leaf& leaf : leaves)
    draws.emplace_back(leaf.scalar, fill, what);
  std::mt19937_64 random(seed);
  for (std::size_t at = 0; at < bytes.size(); at += size)
    for (std::size_t i = 0; i < leaves.size(); ++i)
      draws[i](random, bytes.data() + at + leaves[i].offset);
}

} // namespace

void write_value(const Type& type, const Json& value, std::byte* to, const std::string& what) {
  switch (type.kind) {
  case Type::Kind::Scalar:
    return write_scalar(type.scalar, value, to, what);
  case Type::Kind::Vector:
    return write_vector(type, value, to, what);
  case Type::Kind::Struct:
  case Type::Kind::Union:
    return write_members(type, value, to, what);
  case Type::Kind::Pointer: // an address
    return write_scalar(model::Scalar::ULong, value, to, what);
  default:
    throw UsageError(fmt::format("{}: a value of type '{}' cannot be given", what, type.name));
  }
}

Bytes elements_from(const Type& element, const Json& values, const std::string& what) {
  Bytes bytes(values.size() * element.size);
  for (std::size_t i = 0; i < values.size(); ++i)
    write_value(element, values[i], bytes.data() + i * element.size,
                fmt::format("{}[{}]", what, i));
  return bytes;
}

Fill parse_fill(const Json& fill, const std::string& what) {
  if (fill.is_number() || fill.is_boolean())
    return {.kind = Fill::Kind::Value, .low = {}, .high = {}, .value = fill};
  if (!fill.is_string())
    throw UsageError(fmt::format("{}: {} is neither a rule nor a number", what, fill.dump()));
  const std::string text = fill.get<std::string>();
  if (text == "zero")
    return {};
  if (text == "iota")
    return {.kind = Fill::Kind::Iota, .low = {}, .high = {}, .value = {}};
  if (text == "random")
    return {.kind = Fill::Kind::Random, .low = {}, .high = {}, .value = {}};
  if (text == "nan" || text == "inf" || text == "-inf")
    return {.kind = Fill::Kind::Value, .low = {}, .high = {}, .value = text};
  if (text.starts_with("random(") && text.ends_with(')')) {
    const Json bounds = Json::parse("[" + text.substr(7, text.size() - 8) + "]", nullptr, false);
    if (bounds.is_array() && bounds.size() == 2 && bounds[0].is_number() && bounds[1].is_number() &&
        bounds[0] <= bounds[1])
      return {.kind = Fill::Kind::Random, .low = bounds[0], .high = bounds[1], .value = {}};
    throw UsageError(
        fmt::format("{}: '{}' needs two numbers, random(low,high) with low <= high", what, text));
  }
  const Json number = Json::parse(text, nullptr, false);
  if (number.is_number())
    return {.kind = Fill::Kind::Value, .low = {}, .high = {}, .value = number};
  throw UsageError(fmt::format(
      "{}: '{}' is unknown; it is zero, iota, random, random(low,high) or a number", what, text));
}

void check_fill(const Type& element, std::size_t count, const Fill& fill, const std::string& what) {
  if (count == 0 || fill.kind == Fill::Kind::Zero)
    return;
  for (const model::Leaf& leaf : model::leaves_of(element)) {
    std::byte checked[8];
    if (fill.kind == Fill::Kind::Random)
      Draw(leaf.scalar, fill, what);
    else
      write_scalar(leaf.scalar, fill.kind == Fill::Kind::Iota ? Json(count - 1) : fill.value,
                   checked, what);
  }
}

Bytes filled(const Type& element, std::size_t count, const Fill& fill, std::uint64_t seed,
             const std::string& what) {
  check_fill(element, count, fill, what);
  Bytes bytes(count * element.size);
  if (fill.kind == Fill::Kind::Zero || bytes.empty())
    return bytes;
  const std::vector<model::Leaf> leaves = model::leaves_of(element);
  if (fill.kind == Fill::Kind::Random) {
    fill_random(leaves, element.size, fill, seed, what, bytes);
  } else if (fill.kind == Fill::Kind::Iota) {
    for (std::size_t i = 0; i < count; ++i)
      for (const model::Leaf& leaf : leaves)
        store_integer(leaf.scalar, i, bytes.data() + i * element.size + leaf.offset);
  } else {
    for (const model::Leaf& leaf : leaves)
      write_scalar(leaf.scalar, fill.value, bytes.data() + leaf.offset, what);
    repeat_first(element.size, bytes);
  }
  return bytes;
}

std::string fingerprint(std::string_view text) {
  return fmt::format("{:016x}", model::seed_for(0, text, ""));
}

} // namespace gputest::runtime
