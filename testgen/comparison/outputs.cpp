// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/outputs.h"

#include "runtime/cases/scalar.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace gputest::testgen {
namespace {

using model::Scalar;

// Maps floating-point numbers to integers so that neighbours are one apart and -0 is +0.
double place_on_the_line(Scalar scalar, const std::byte* at) {
  const std::size_t size = model::size_of(scalar);
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, size);
  const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
  const auto magnitude = static_cast<double>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

double smallest_normal(Scalar scalar) {
  return scalar == Scalar::Half ? 0x1p-14 : scalar == Scalar::Float ? FLT_MIN : DBL_MIN;
}

// How far apart two integers are; 64 bits are rounded, and never to 0.
double distance(Scalar scalar, const std::byte* a, const std::byte* b) {
  const std::uint64_t x = runtime::read_integer(scalar, a), y = runtime::read_integer(scalar, b);
  const bool less = model::is_signed(scalar)
                        ? static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y)
                        : x < y;
  return static_cast<double>(less ? y - x : x - y);
}

OutputError error_of(Scalar scalar, const std::byte* first, const std::byte* second) {
  OutputError error;
  const double a = runtime::read_scalar(scalar, first), b = runtime::read_scalar(scalar, second);
  if (!model::is_floating(scalar)) {
    error.ulp = distance(scalar, first, second);
    error.relative = b != 0 ? error.ulp / std::abs(b) : error.ulp != 0 ? INFINITY : 0;
    return error;
  }
  error.finite = std::isfinite(a) && std::isfinite(b);
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return error;
  error.ulp = std::abs(place_on_the_line(scalar, first) - place_on_the_line(scalar, second));
  error.relative = !error.finite ? INFINITY : b != 0 ? std::abs(a - b) / std::abs(b) : INFINITY;
  return error;
}

bool is_close(Scalar scalar, double a, double b, const OutputError& error,
              const Tolerance& tolerance) {
  if (!error.finite)
    return error.ulp == 0;
  const double difference = model::is_floating(scalar) ? std::abs(a - b) : error.ulp;
  return difference == 0 || (tolerance.absolute && difference <= *tolerance.absolute) ||
         (tolerance.relative && error.relative <= *tolerance.relative) ||
         (tolerance.ulp && model::is_floating(scalar) &&
          error.ulp <= static_cast<double>(*tolerance.ulp));
}

} // namespace

Tolerance usual_tolerance(Scalar scalar) {
  if (!model::is_floating(scalar))
    return {};
  return {.absolute = smallest_normal(scalar),
          .relative = scalar == Scalar::Half    ? 1e-2
                      : scalar == Scalar::Float ? 1e-4
                                                : 1e-9};
}

std::vector<OutputDifference> OutputComparison::compare(std::size_t argument,
                                                        const runtime::Bytes& first,
                                                        const runtime::Bytes& second,
                                                        std::size_t most) {
  std::vector<OutputDifference> found;
  if (std::ranges::equal(first, second))
    return found;
  const KernelArgument& described = second_.arguments[argument];
  const std::size_t element = described.element_size();
  const bool is_given = tolerance_.absolute || tolerance_.relative || tolerance_.ulp;
  for (std::size_t at = 0; at + element <= std::min(first.size(), second.size()); at += element)
    for (const model::Leaf& leaf : described.leaves) {
      const std::byte *a = first.data() + at + leaf.offset, *b = second.data() + at + leaf.offset;
      if (std::memcmp(a, b, model::size_of(leaf.scalar)) == 0)
        continue;
      OutputError error = error_of(leaf.scalar, a, b);
      if (error.ulp == 0)
        continue;
      error.place = fmt::format("{}[{}]{}", described.name, at / element, leaf.path);
      error.first = runtime::scalar_text(leaf.scalar, a);
      error.second = runtime::scalar_text(leaf.scalar, b);
      const double x = runtime::read_scalar(leaf.scalar, a),
                   y = runtime::read_scalar(leaf.scalar, b);
      if (is_close(leaf.scalar, x, y, error,
                   is_given ? tolerance_ : usual_tolerance(leaf.scalar))) {
        if (!ulp_ || error.ulp > ulp_->ulp)
          ulp_ = error;
        // Next to zero, a relative error says nothing.
        if (std::abs(y) > smallest_normal(leaf.scalar) &&
            (!relative_ || error.relative > relative_->relative))
          relative_ = error;
        continue;
      }
      found.push_back({argument, at + leaf.offset, leaf.scalar, x, y, std::move(error)});
      if (found.size() >= most)
        return found;
    }
  return found;
}

} // namespace gputest::testgen
