// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/comparison.h"

#include "model/text/plural.h"
#include "runtime/cases/scalar.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

using model::Scalar;

// Maps floating-point numbers to integers so that neighbours are one apart and -0 is +0.
template <typename Bits> std::int64_t ordered(Bits bits) {
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  const auto magnitude = static_cast<std::int64_t>(bits & static_cast<Bits>(~kSign));
  return (bits & kSign) != 0 ? -magnitude : magnitude;
}

std::int64_t ordered(Scalar scalar, const std::byte* at) {
  switch (scalar) {
  case Scalar::Half:
    return ordered(load<std::uint16_t>(at));
  case Scalar::Float:
    return ordered(load<std::uint32_t>(at));
  default:
    return ordered(load<std::uint64_t>(at));
  }
}

// Returns the distance: exact below 2^53, and never rounded to 0.
double integer_distance(Scalar scalar, const std::byte* expected, const std::byte* actual) {
  const std::uint64_t e = read_integer(scalar, expected), a = read_integer(scalar, actual);
  const bool less = model::is_signed(scalar)
                        ? static_cast<std::int64_t>(e) < static_cast<std::int64_t>(a)
                        : e < a;
  return static_cast<double>(less ? a - e : e - a);
}

bool within_ulp(Scalar scalar, const std::byte* expected, const std::byte* actual,
                std::uint64_t ulp) {
  const std::int64_t e = ordered(scalar, expected), a = ordered(scalar, actual);
  // Subtracted as unsigned: the distance may need all 64 bits.
  const std::uint64_t distance =
      e < a ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(e)
            : static_cast<std::uint64_t>(e) - static_cast<std::uint64_t>(a);
  return distance <= ulp;
}

bool close(Scalar scalar, const std::byte* expected, const std::byte* actual,
           const Tolerance& tolerance) {
  const double e = read_scalar(scalar, expected), a = read_scalar(scalar, actual);
  const bool floating = model::is_floating(scalar);
  if (floating && (std::isnan(e) || std::isnan(a)))
    return std::isnan(e) && std::isnan(a);
  if (floating && (std::isinf(e) || std::isinf(a)))
    return e == a;
  const double difference = floating ? std::abs(a - e) : integer_distance(scalar, expected, actual);
  if (difference == 0)
    return true;
  return (tolerance.absolute && difference <= *tolerance.absolute) ||
         (tolerance.relative && difference <= *tolerance.relative * std::abs(e)) ||
         (tolerance.ulp && floating && within_ulp(scalar, expected, actual, *tolerance.ulp));
}

// Whether a <= b; false for NaN.
bool at_most(Scalar scalar, const std::byte* a, const std::byte* b) {
  if (model::is_floating(scalar))
    return read_scalar(scalar, a) <= read_scalar(scalar, b);
  const std::uint64_t x = read_integer(scalar, a), y = read_integer(scalar, b);
  return model::is_signed(scalar) ? static_cast<std::int64_t>(x) <= static_cast<std::int64_t>(y)
                                  : x <= y;
}

// Whether the scalar at `offset` is right by any of `expected`.
bool fits(Scalar scalar, std::size_t offset, std::span<const std::span<const std::byte>> expected,
          const std::byte* actual, const Tolerance& tolerance) {
  bool above = false, below = false;
  for (const std::span<const std::byte> bytes : expected) {
    const std::byte* e = bytes.data() + offset;
    if (close(scalar, e, actual, tolerance))
      return true;
    above = above || at_most(scalar, e, actual);
    below = below || at_most(scalar, actual, e);
  }
  return above && below;
}

// Collects the scalars for which `is_right(scalar, offset)` is false. `expected` is what messages
// show.
template <typename IsRight>
Comparison compare_each(const model::Type& element, std::span<const std::byte> expected,
                        std::span<const std::byte> actual, const IsRight& is_right) {
  Comparison result;
  const std::vector<model::Leaf> leaves = model::leaves_of(element);
  const std::size_t count = element.size == 0 ? 0 : actual.size() / element.size;
  result.compared = count * leaves.size();
  if (std::ranges::equal(expected, actual))
    return result;
  for (std::size_t i = 0; i < count; ++i)
    for (const model::Leaf& leaf : leaves) {
      const std::size_t offset = i * element.size + leaf.offset;
      if (is_right(leaf.scalar, offset))
        continue;
      if (++result.differing <= Comparison::kShown)
        result.first.push_back({i, leaf.path, scalar_text(leaf.scalar, expected.data() + offset),
                                scalar_text(leaf.scalar, actual.data() + offset)});
    }
  return result;
}

Comparison compare_any(const model::Type& element,
                       std::span<const std::span<const std::byte>> expected,
                       std::span<const std::byte> actual, const Tolerance& tolerance) {
  const auto same = std::ranges::find_if(
      expected, [&](const auto& bytes) { return std::ranges::equal(bytes, actual); });
  return compare_each(element, same == expected.end() ? expected[0] : *same, actual,
                      [&](Scalar scalar, std::size_t offset) {
                        return fits(scalar, offset, expected, actual.data() + offset, tolerance);
                      });
}

// The largest finite magnitude.
double largest(const model::Type& type, const std::vector<model::Leaf>& leaves,
               std::span<const std::byte> bytes) {
  double most = 0;
  for (std::size_t at = 0; type.size != 0 && at + type.size <= bytes.size(); at += type.size)
    for (const model::Leaf& leaf : leaves) {
      const double value = std::abs(read_scalar(leaf.scalar, bytes.data() + at + leaf.offset));
      if (std::isfinite(value))
        most = std::max(most, value);
    }
  return most;
}

} // namespace

Comparison compare(const model::Type& element, std::span<const std::byte> expected,
                   std::span<const std::byte> actual, const Tolerance& tolerance) {
  return compare_any(element, {&expected, 1}, actual, tolerance);
}

Comparison compare(const model::Type& element, std::span<const Bytes> expected,
                   std::span<const std::byte> actual, const Tolerance& tolerance) {
  const std::vector<std::span<const std::byte>> spans(expected.begin(), expected.end());
  return compare_any(element, spans, actual, tolerance);
}

Comparison compare_bits(const model::Type& element, std::span<const std::byte> expected,
                        std::span<const std::byte> actual) {
  return compare_each(element, expected, actual, [&](Scalar scalar, std::size_t offset) {
    const std::byte *e = expected.data() + offset, *a = actual.data() + offset;
    return std::equal(e, e + model::size_of(scalar), a) ||
           (model::is_floating(scalar) && std::isnan(read_scalar(scalar, e)) &&
            std::isnan(read_scalar(scalar, a)));
  });
}

bool is_entirely_nan(const model::Type& element, std::span<const std::byte> elements) {
  bool any = false;
  const std::vector<model::Leaf> leaves = model::leaves_of(element);
  const std::size_t count = element.size == 0 ? 0 : elements.size() / element.size;
  for (std::size_t i = 0; i < count; ++i)
    for (const model::Leaf& leaf : leaves) {
      if (!model::is_floating(leaf.scalar))
        continue;
      any = true;
      if (!std::isnan(read_scalar(leaf.scalar, elements.data() + i * element.size + leaf.offset)))
        return false;
    }
  return any;
}

Tolerance for_other_compilers(Tolerance given, const model::Type& element,
                              std::span<const std::byte> expected) {
  constexpr double kOfLargest = 1e-3;
  constexpr std::uint64_t kUlp = 4096;
  const std::vector<model::Leaf> leaves = model::leaves_of(element);
  if (std::ranges::none_of(leaves, model::is_floating, &model::Leaf::scalar))
    return given;
  given.ulp = std::max(given.ulp.value_or(0), kUlp);
  if (std::ranges::all_of(leaves, model::is_floating, &model::Leaf::scalar))
    given.absolute =
        std::max(given.absolute.value_or(0), kOfLargest * largest(element, leaves, expected));
  return given;
}

std::string describe(const Comparison& comparison, const std::string& argument) {
  std::string text = fmt::format("'{}' differs in {} of {}:", argument, comparison.differing,
                                 model::plural(comparison.compared, "value"));
  for (const Mismatch& mismatch : comparison.first)
    text += fmt::format("\n  {}[{}]{}: expected {}, got {}", argument, mismatch.index,
                        mismatch.path, mismatch.expected, mismatch.actual);
  if (comparison.differing > comparison.first.size())
    text += fmt::format("\n  and {} more", comparison.differing - comparison.first.size());
  return text;
}

} // namespace gputest::runtime
