// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/requirements.h"

#include "runtime/cases/scalar.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace gputest::runtime {
namespace {

using model::Expression;
using ConditionPart = Expression::Node;
using PartKind = ConditionPart::Kind;

// The elements of a buffer, each one number.
class Numbers {
public:
  explicit Numbers(const ConditionArgument& argument)
      : argument_(argument), scalar_(argument.leaves.front().scalar) {}

  std::size_t size() const { return argument_.elements; }
  double number(std::size_t i) const { return read_scalar(scalar_, at(i)); }
  std::string text(std::size_t i) const { return scalar_text(scalar_, at(i)); }

  bool is_less(std::size_t a, std::size_t b) const {
    if (model::is_floating(scalar_))
      return number(a) < number(b);
    const std::uint64_t x = read_integer(scalar_, at(a)), y = read_integer(scalar_, at(b));
    return model::is_signed(scalar_) ? static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y)
                                     : x < y;
  }
  bool is_equal(std::size_t a, std::size_t b) const {
    if (model::is_floating(scalar_))
      return number(a) == number(b);
    return read_integer(scalar_, at(a)) == read_integer(scalar_, at(b));
  }
  bool is_nan(std::size_t i) const { return model::is_floating(scalar_) && std::isnan(number(i)); }

  double sum() const {
    if (model::is_floating(scalar_)) {
      double sum = 0;
      for (std::size_t i = 0; i < size(); ++i)
        sum += number(i);
      return sum;
    }
    double high = 0; // of the halves: no sum of so few overflows
    std::uint64_t low = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      const std::uint64_t value = read_integer(scalar_, at(i));
      low += value & 0xffffffffu;
      high += model::is_signed(scalar_)
                  ? static_cast<double>(static_cast<std::int64_t>(value) >> 32)
                  : static_cast<double>(value >> 32);
    }
    return high * 0x1p32 + static_cast<double>(low);
  }

  double tolerance() const {
    const double share = scalar_ == model::Scalar::Half     ? model::kSumOfFloats.of_half
                         : scalar_ == model::Scalar::Float  ? model::kSumOfFloats.of_float
                         : scalar_ == model::Scalar::Double ? model::kSumOfFloats.of_double
                                                            : 0;
    double sum = 0;
    for (std::size_t i = 0; share != 0 && i < size(); ++i)
      sum += std::abs(number(i));
    return share * sum;
  }

  // Each returns the index of an element that breaks the order, or nullopt.
  std::optional<std::size_t> out_of_order(bool strictly) const {
    for (std::size_t i = 0; i < size(); ++i)
      if (is_nan(i) || (i > 0 && (strictly ? !is_less(i - 1, i) : is_less(i, i - 1))))
        return i;
    return std::nullopt;
  }
  std::optional<std::size_t> repeated() const {
    std::vector<std::size_t> order(size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t i) { return is_nan(i); });
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return is_less(a, b); });
    std::optional<std::size_t> first;
    for (std::size_t i = 1; i < order.size(); ++i)
      if (is_equal(order[i - 1], order[i]))
        first = std::min(first.value_or(order[i]), order[i]);
    return first;
  }
  std::optional<std::size_t> no_permutation() const {
    std::vector<bool> seen(size());
    for (std::size_t i = 0; i < size(); ++i) {
      const std::uint64_t value = read_integer(scalar_, at(i)); // below 0: too large
      if (value >= size() || seen[value])
        return i;
      seen[value] = true;
    }
    return std::nullopt;
  }

private:
  const std::byte* at(std::size_t i) const {
    return argument_.bytes.data() + i * argument_.element_size + argument_.leaves.front().offset;
  }

  const ConditionArgument& argument_;
  model::Scalar scalar_;
};

bool has_numbers(const ConditionArgument& argument) {
  return argument.is_buffer && argument.leaves.size() == 1 && argument.element_size != 0 &&
         argument.elements * argument.element_size <= argument.bytes.size();
}

// nullopt: no element breaks it.
std::optional<std::size_t> breaking_element(const Numbers& numbers, const std::string& function) {
  if (function == "distinct")
    return numbers.repeated();
  if (function == "permutation")
    return numbers.no_permutation();
  return numbers.out_of_order(function == "strictly_ascending");
}

class Check {
public:
  Check(const Expression& condition, const std::string& kernel, const FindArgument& find)
      : condition_(condition), kernel_(kernel), find_(find) {}

  void part(const ConditionPart& part, std::vector<std::string> bound) {
    if (part.kind == PartKind::Whole || part.kind == PartKind::All) {
      const ConditionArgument argument = found(part.argument, part.at);
      if (part.name != "size" || part.kind == PartKind::All)
        expect_numbers(argument, part.argument, part.at);
      if (part.kind == PartKind::Whole && part.name == "permutation" &&
          model::is_floating(argument.leaves.front().scalar))
        throw condition_.error_at(
            part.at, fmt::format("'{}' has no whole numbers, as a permutation has", part.argument));
    } else if (part.kind == PartKind::Element) {
      expect_numbers(found(part.name, part.at), part.name, part.at);
    } else if (part.kind == PartKind::Name && std::ranges::find(bound, part.name) == bound.end()) {
      found(part.name, part.at);
    }
    if (part.kind == PartKind::All)
      bound.push_back(part.name);
    for (const auto& operand : part.operands)
      this->part(*operand, bound);
  }

private:
  ConditionArgument found(const std::string& name, std::size_t at) const {
    const auto argument = find_(name);
    if (!argument)
      throw condition_.error_at(at, fmt::format("kernel '{}' has no argument '{}'", kernel_, name));
    return *argument;
  }

  void expect_numbers(const ConditionArgument& argument, const std::string& name,
                      std::size_t at) const {
    if (!argument.is_buffer)
      throw condition_.error_at(at, fmt::format("'{}' is no buffer with elements", name));
    if (argument.leaves.size() != 1)
      throw condition_.error_at(at, fmt::format("an element of '{0}' is not one number; ARGUMENTS "
                                                "{0}:range(low,high) bounds each of its numbers",
                                                name));
  }

  const Expression& condition_;
  const std::string& kernel_;
  const FindArgument& find_;
};

} // namespace

void check_condition(const Expression& condition, const std::string& kernel,
                     const FindArgument& find) {
  Check(condition, kernel, find).part(condition.root(), {});
}

std::optional<double> value_in(const ConditionArgument& argument,
                               const Expression::Reference& reference) {
  if (reference.call && reference.name == "size")
    return static_cast<double>(argument.elements);
  if (reference.call) {
    if (!has_numbers(argument))
      return std::nullopt;
    const Numbers numbers(argument);
    if (reference.name == "sum")
      return numbers.sum();
    if (reference.name == "sum_tolerance")
      return numbers.tolerance();
    return breaking_element(numbers, reference.name) ? 0 : 1;
  }
  const long long index = reference.index.value_or(0);
  if (argument.leaves.size() != 1 || index < 0 ||
      static_cast<std::size_t>(index) >= argument.bytes.size() / argument.element_size)
    return std::nullopt;
  return read_scalar(argument.leaves.front().scalar,
                     argument.bytes.data() +
                         static_cast<std::size_t>(index) * argument.element_size);
}

std::string breach_of(const Expression& condition, const Expression::Lookup& lookup,
                      const FindArgument& find) {
  for (const ConditionPart* const part : condition.conjunct_nodes()) {
    const auto value = Expression::evaluate(*part, lookup);
    if (value && *value != 0)
      continue;
    if (part->kind == PartKind::Whole || part->kind == PartKind::All) {
      const auto argument = find(part->argument);
      if (!argument || !has_numbers(*argument))
        return condition.text();
      const Numbers numbers(*argument);
      const auto element = [&](std::size_t i) {
        return fmt::format("{}[{}] is {}", part->argument, i, numbers.text(i));
      };
      if (part->kind == PartKind::All) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          const Expression::Bound bound{part->name, numbers.number(i)};
          const auto holds = Expression::evaluate(*part->operands[0], lookup, &bound);
          if (!holds || *holds == 0)
            return fmt::format("{}: {}", condition.text(), element(i));
        }
      } else if (part->name != "size" && part->name != "sum") {
        const std::size_t i = breaking_element(numbers, part->name).value_or(0);
        const bool ordered = part->name.ends_with("ascending") && i > 0;
        return fmt::format("{}({}): {}{}", part->name, part->argument, element(i),
                           ordered ? " after " + numbers.text(i - 1) : "");
      }
    }
    return condition.text();
  }
  return {};
}

} // namespace gputest::runtime
