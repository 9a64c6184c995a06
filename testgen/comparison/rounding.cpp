// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/rounding.h"

#include "runtime/cases/scalar.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace gputest::testgen {
namespace {

constexpr unsigned kRuns = 6;
constexpr double kFactor = 16; // a few runs do not show the largest movement

double last_digit(model::Scalar scalar) {
  return scalar == model::Scalar::Half    ? 0x1p-10
         : scalar == model::Scalar::Float ? 0x1p-23
                                          : 0x1p-52;
}

// Numbers from which on products overflow, or squares of them vanish.
bool is_extreme(model::Scalar scalar, double value) {
  const double large = scalar == model::Scalar::Half    ? 0x1p7
                       : scalar == model::Scalar::Float ? 0x1p40
                                                        : 0x1p340;
  return !std::isnan(value) &&
         (std::abs(value) >= large || (value != 0 && std::abs(value) <= 1 / large));
}

// Calls `visit` for each floating-point scalar of the input.
void for_each_number(const Target& target, Input& input,
                     const std::function<void(model::Scalar, std::byte*)>& visit) {
  for (std::size_t i = 0; i < target.arguments.size(); ++i) {
    const KernelArgument& argument = target.arguments[i];
    runtime::Bytes& bytes = input.arguments[i].bytes;
    const std::size_t element = argument.element_size();
    for (std::size_t at = 0; at + element <= bytes.size(); at += element)
      for (const model::Leaf& leaf : argument.leaves)
        if (model::is_floating(leaf.scalar))
          visit(leaf.scalar, bytes.data() + at + leaf.offset);
  }
}

struct Range {
  double low = 0, high = 0;
};

bool explains(const Range& range, const OutputDifference& difference) {
  const double spread = range.high - range.low;
  if (std::isnan(spread) || std::isinf(spread)) // it overflows with one of the inputs
    return true;
  return spread > 0 && std::abs(difference.first - difference.second) <= kFactor * spread;
}

} // namespace

bool is_rounding(const Target& second, Worker& worker, const Input& input,
                 std::span<const OutputDifference> differences, Random& random) {
  bool any = false, extreme = false;
  Input copy = input;
  for_each_number(second, copy, [&](model::Scalar scalar, std::byte* at) {
    any = true;
    extreme = extreme || is_extreme(scalar, runtime::read_scalar(scalar, at));
  });
  if (!any)
    return false;
  if (std::ranges::any_of(
          differences, [&](const OutputDifference& one) { return !one.error.finite && !extreme; }))
    return false;
  std::vector<Range> ranges;
  for (const OutputDifference& one : differences)
    ranges.push_back({one.second, one.second});
  for (unsigned run = 0; run < kRuns; ++run) {
    Input changed = input;
    for_each_number(second, changed, [&](model::Scalar scalar, std::byte* at) {
      const double value = runtime::read_scalar(scalar, at);
      if (!std::isfinite(value))
        return;
      // The first two runs move all of them the same way, which sums show most.
      const int way = run == 0 ? 1 : run == 1 ? -1 : static_cast<int>(random.below(3)) - 1;
      const double moved = value + way * std::abs(value) * last_digit(scalar);
      runtime::store_number(scalar, moved, at);
    });
    const Checked checked = worker.check(changed);
    if (checked.fault != Fault::None)
      continue;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      const OutputDifference& one = differences[i];
      const double value =
          runtime::read_scalar(one.scalar, checked.after[one.argument].data() + one.offset);
      if (std::isnan(value)) {
        ranges[i].high = std::numeric_limits<double>::infinity();
        continue;
      }
      ranges[i].low = std::min(ranges[i].low, value);
      ranges[i].high = std::max(ranges[i].high, value);
    }
  }
  for (std::size_t i = 0; i < differences.size(); ++i)
    if (differences[i].error.finite && !explains(ranges[i], differences[i]))
      return false;
  return true;
}

} // namespace gputest::testgen
