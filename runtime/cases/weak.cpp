// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/weak.h"

#include "runtime/cases/scalar.h"

#include <algorithm>
#include <cmath>

namespace gputest::runtime {
namespace {

constexpr unsigned kVariations = 4;

// Returns the element that lends its integers to element `i` of `count`.
std::size_t lender(unsigned variation, std::size_t i, std::size_t count) {
  switch (variation) {
  case 0:
    return i / 2;
  case 1:
    return count - 1 - i / 2;
  case 2:
    return 0;
  default:
    return count - 1;
  }
}

// Returns the argument with other values. Every floating-point number changes.
Bytes varied(const ObservedArgument& argument, std::size_t position, unsigned variation,
             OtherIntegers integers) {
  Bytes bytes(argument.before.begin(), argument.before.end());
  const std::size_t count = bytes.size() / argument.element;
  for (std::size_t i = 0; i < count; ++i)
    for (const model::Leaf& leaf : argument.leaves) {
      std::byte* const to = bytes.data() + i * argument.element + leaf.offset;
      const std::size_t number = (i * 7 + std::size_t{variation} * 3 + position) % 5 + 1;
      if (model::is_floating(leaf.scalar)) {
        const double was = read_scalar(leaf.scalar, to), more = static_cast<double>(number);
        // A number so large that an addition does not change it is halved.
        store_number(leaf.scalar, was + more, to);
        if (read_scalar(leaf.scalar, to) == was)
          store_number(leaf.scalar, was / 2, to);
        if (const double is = read_scalar(leaf.scalar, to); is == was || std::isnan(is))
          store_number(leaf.scalar, more, to); // it was infinite, or no number
      } else if (integers == OtherIntegers::Occurring) {
        const std::byte* const from =
            argument.before.data() + lender(variation, i, count) * argument.element + leaf.offset;
        store_integer(leaf.scalar, read_integer(leaf.scalar, from), to);
      } else { // sometimes near the old value, which may be an index
        store_integer(leaf.scalar, variation % 2 == 0 ? number : read_integer(leaf.scalar, to) + 1,
                      to);
      }
    }
  return bytes;
}

// Returns whether the outputs differ. Elements that neither launch has written do not count: they
// only show what was there before.
bool differ(const ObservedArgument& argument, std::span<const std::byte> other_before,
            std::span<const std::byte> other_after) {
  for (std::size_t at = 0; at + argument.element <= argument.after.size(); at += argument.element) {
    const auto same = [&](std::span<const std::byte> a, std::span<const std::byte> b) {
      return std::ranges::equal(a.subspan(at, argument.element), b.subspan(at, argument.element));
    };
    const bool untouched = same(argument.before, argument.after) && same(other_before, other_after);
    if (!untouched && !same(argument.after, other_after))
      return true;
  }
  return false;
}

} // namespace

bool says_nothing(std::span<const ObservedArgument> arguments) {
  for (const ObservedArgument& argument : arguments) {
    if (!argument.output || argument.element == 0 ||
        std::ranges::equal(argument.before, argument.after))
      continue;
    const auto first = argument.after.subspan(0, std::min(argument.element, argument.after.size()));
    bool differs = argument.after.size() == argument.element;
    for (std::size_t at = argument.element;
         at + argument.element <= argument.after.size() && !differs; at += argument.element)
      differs = !std::ranges::equal(first, argument.after.subspan(at, argument.element));
    if (differs)
      return false;
  }
  return true;
}

bool may_vary(const model::Argument& argument) {
  const bool size = !argument.pointer && argument.type.kind == model::Type::Kind::Scalar &&
                    !model::is_floating(argument.type.scalar);
  return argument.access != model::Access::Write && !size;
}

std::string why_weak(std::span<const ObservedArgument> arguments, OtherIntegers integers,
                     const Relaunch& relaunch) {
  if (says_nothing(arguments))
    return "each output is one value, or is what it was before";
  bool compared = false;
  std::vector<bool> changed(arguments.size()); // by a variation that was launched
  for (unsigned variation = 0; variation < kVariations; ++variation) {
    std::vector<Bytes> before;
    bool any = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const ObservedArgument& one = arguments[i];
      before.push_back(one.varies && one.element > 0 ? varied(one, i, variation, integers)
                                                     : Bytes(one.before.begin(), one.before.end()));
      any = any || !std::ranges::equal(before.back(), one.before);
    }
    if (!any)
      continue;
    const auto after = relaunch(before);
    if (!after)
      continue;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].output && arguments[i].element > 0 &&
          differ(arguments[i], before[i], (*after)[i]))
        return {};
    compared = true;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      changed[i] = changed[i] || !std::ranges::equal(before[i], arguments[i].before);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].varies && !arguments[i].before.empty() && !changed[i])
      return ""; // outputs may depend on it
  return compared ? "no value that the kernel reads changes its outputs" : "";
}

} // namespace gputest::runtime
