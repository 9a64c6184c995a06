// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/repair.h"

#include "runtime/cases/scalar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace gputest::testgen {
namespace {

using ir::Parameter;
using PartKind = Expression::Node::Kind;

constexpr unsigned kRounds = 4;
constexpr double kMostIndex = 4096;              // a scalar that is an index becomes at most this
constexpr double kExactWhole = 9007199254740992; // 2^53

bool names(const Expression::Node& part, const std::string& name) {
  return (part.kind == PartKind::Name && part.name == name) ||
         std::ranges::any_of(part.operands, [&](const auto& one) { return names(*one, name); });
}

bool is_about_elements(const Expression::Node& part) {
  const bool is = part.kind == PartKind::Element || part.kind == PartKind::All ||
                  (part.kind == PartKind::Whole && part.name != "size");
  return is || std::ranges::any_of(part.operands,
                                   [](const auto& one) { return is_about_elements(*one); });
}

bool is_comparison(const Expression::Node& part) {
  static constexpr std::array kComparisons{"==", "!=", "<=", ">=", "<", ">"};
  return std::ranges::any_of(kComparisons, [&](const char* sign) { return part.is(sign); });
}

std::string mirrored(const std::string& sign) {
  return sign == "<" ? ">" : sign == ">" ? "<" : sign == "<=" ? ">=" : sign == ">=" ? "<=" : sign;
}

// The numbers that a type has, as far as doubles are exact.
std::pair<double, double> range_of(model::Scalar scalar) {
  if (model::is_floating(scalar)) {
    const double most = scalar == model::Scalar::Half    ? 65504
                        : scalar == model::Scalar::Float ? std::numeric_limits<float>::max()
                                                         : std::numeric_limits<double>::max();
    return {-most, most};
  }
  const double bits = 8.0 * static_cast<double>(model::size_of(scalar));
  if (model::is_signed(scalar))
    return {std::max(-std::exp2(bits - 1), -kExactWhole),
            std::min(std::exp2(bits - 1) - 1, kExactWhole)};
  return {0, std::min(std::exp2(bits) - 1, kExactWhole)};
}

void put(model::Scalar scalar, double value, std::byte* to) {
  if (model::is_floating(scalar))
    runtime::store_number(scalar, value, to);
  else
    runtime::store_integer(scalar, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)),
                           to);
}

} // namespace

Repair::Repair(const Target& target, const Constraints& constraints)
    : target_(target), constraints_(constraints),
      needed_(std::ranges::any_of(constraints.requirements(), [](const Expression& requirement) {
        return is_about_elements(requirement.root());
      })) {}

std::optional<std::size_t> Repair::position_of(const std::string& name) const {
  const auto found = std::ranges::find(target_.arguments, name, &KernelArgument::name);
  if (found == target_.arguments.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - target_.arguments.begin());
}

std::optional<double> Repair::value(const Part& part, const Input& input) const {
  return Expression::evaluate(part, [&](const Expression::Reference& reference) {
    return value_of(target_, input, reference);
  });
}

bool Repair::can_change(const Part& side) const {
  if (side.kind == PartKind::Element)
    return true;
  if (side.kind == PartKind::Whole)
    return side.name == "sum" || side.name == "size";
  const auto position = side.kind == PartKind::Name ? position_of(side.name) : std::nullopt;
  return position && target_.arguments[*position].is_integer();
}

// Each round tries one operand of `a || b`.
void Repair::collect(const Part& part, unsigned round, Wanted& wanted) const {
  if (part.is("&&") || part.is("||")) {
    if (part.is("&&"))
      for (const auto& operand : part.operands)
        collect(*operand, round, wanted);
    else
      collect(*part.operands[round % 2], round / 2, wanted);
  } else if (part.kind == PartKind::Whole) {
    wanted.wholes.push_back(&part);
  } else if (part.kind == PartKind::All) {
    wanted.alls.push_back(&part);
  } else if (is_comparison(part)) {
    collect_comparison(part, round, wanted);
  }
}

// Elements rather than sums, sums rather than sizes, and sizes rather than scalars, on which more
// depends; the other side in every other round.
void Repair::collect_comparison(const Part& part, unsigned round, Wanted& wanted) const {
  const auto rank = [&](const Part& side) {
    if (!can_change(side))
      return 9;
    return side.kind == PartKind::Element ? 0
           : side.kind == PartKind::Name  ? 3
           : side.name == "sum"           ? 1
                                          : 2;
  };
  std::vector<Change> changes;
  for (const bool second : {false, true})
    if (const Part& side = *part.operands[second ? 1 : 0]; can_change(side))
      changes.push_back(
          {&side, part.operands[second ? 0 : 1].get(), second ? mirrored(part.name) : part.name});
  std::ranges::stable_sort(changes, {}, [&](const Change& change) { return rank(*change.side); });
  if (!changes.empty())
    wanted.changes.push_back(changes[round % changes.size()]);
}

// Returns the nearest number that makes the comparison true. nullopt: `now` does, or none is known.
std::optional<double> Repair::wanted_value(const Change& change, double now, const Input& input,
                                           bool whole) const {
  const std::optional<double> other = value(*change.other, input);
  if (!other || std::isnan(*other))
    return std::nullopt;
  if (change.sign == "==")
    return *other;
  const double step = whole ? 1 : std::max(std::abs(*other), 1.0) * 1e-5;
  if (change.sign == "!=")
    return now == *other ? std::optional(*other + step) : std::nullopt;
  if (change.sign.front() == '<') {
    const double most = change.sign == "<" ? (whole ? std::ceil(*other) - 1 : *other - step)
                        : whole            ? std::floor(*other)
                                           : *other;
    return now <= most ? std::nullopt : std::optional(most);
  }
  const double least = change.sign == ">" ? (whole ? std::floor(*other) + 1 : *other + step)
                       : whole            ? std::ceil(*other)
                                          : *other;
  return now >= least ? std::nullopt : std::optional(least);
}

void Repair::set_scalars(Input& input, const Wanted& wanted, Random* random) const {
  const auto set = [&](std::size_t position, double to) {
    const model::Scalar scalar = target_.arguments[position].type.scalar;
    const auto [low, high] = range_of(scalar);
    if (to >= low && to <= high)
      put(scalar, to, input.arguments[position].bytes.data());
  };
  const auto index = [&](const Part& part) { // of an element, which must be there
    const auto position = part.kind == PartKind::Name ? position_of(part.name) : std::nullopt;
    if (!position || !target_.arguments[*position].is_integer() || constraints_.domain(*position))
      return;
    const std::optional<double> now = value(part, input);
    if (now && (*now < 0 || *now > kMostIndex))
      set(*position, random ? static_cast<double>(random->below(17)) : *now < 0 ? 0 : kMostIndex);
  };
  for (const Change& change : wanted.changes) {
    if (change.side->kind == PartKind::Element)
      index(*change.side->operands[0]);
    if (change.side->kind != PartKind::Name)
      continue;
    const std::optional<double> now = value(*change.side, input);
    if (const auto to = now ? wanted_value(change, *now, input, true) : std::nullopt)
      set(*position_of(change.side->name), *to);
  }
}

void Repair::resize(Input& input, std::size_t position, std::size_t elements) const {
  const KernelArgument& argument = target_.arguments[position];
  Content& content = input.arguments[position];
  const std::size_t element = argument.element_size();
  if (elements == 0 || elements > kMostBytes / element || content.is_null)
    return;
  if (argument.kind == Parameter::Kind::Local) {
    content.local_size = elements * element;
  } else if (argument.kind == Parameter::Kind::Buffer) {
    const std::size_t before = content.bytes.size();
    content.bytes.resize(elements * element);
    for (std::size_t i = before; before > 0 && i < content.bytes.size(); ++i) // as those before
      content.bytes[i] = content.bytes[i - before];
  }
}

void Repair::set_sizes(Input& input, const Wanted& wanted) const {
  for (std::size_t i = 0; i < target_.arguments.size(); ++i)
    if (const auto elements = constraints_.size(target_, input, i))
      resize(input, i, *elements);
  for (const Change& change : wanted.changes) {
    const Part& side = *change.side;
    const bool is_size = side.kind == PartKind::Whole && side.name == "size";
    const auto position = position_of(is_size ? side.argument : side.name);
    if ((!is_size && side.kind != PartKind::Element) || !position ||
        constraints_.has_size(*position))
      continue;
    const std::size_t element = target_.arguments[*position].element_size();
    const auto now = static_cast<double>(input.arguments[*position].bytes.size() / element);
    std::optional<double> to;
    if (is_size)
      to = wanted_value(change, now, input, true);
    else if (const auto index = value(*side.operands[0], input); index && *index >= now)
      to = *index + 1;
    if (to && *to >= 1 && *to <= static_cast<double>(kMostBytes))
      resize(input, *position, static_cast<std::size_t>(*to));
  }
}

// `row_start[rows]` is the size of another buffer.
bool Repair::gives_a_size(std::size_t position) const {
  return std::ranges::any_of(constraints_.requirements(), [&](const Expression& requirement) {
    const auto size = requirement.given_size();
    return size && size->size.find(target_.arguments[position].name + "[") != std::string::npos;
  });
}

// What the body of all(name in b: body) says of each element by itself.
void Repair::limit(ElementRules& rules, const Part& body, const std::string& name,
                   const Input& input) const {
  if (body.is("&&")) {
    for (const auto& operand : body.operands)
      limit(rules, *operand, name, input);
    return;
  }
  if (is_comparison(body))
    for (const bool second : {false, true}) {
      const Part &side = *body.operands[second ? 1 : 0], &other = *body.operands[second ? 0 : 1];
      const std::optional<double> bound = names(other, name) ? std::nullopt : value(other, input);
      if (!bound)
        continue;
      rules.hints.push_back(*bound);
      if (side.kind != PartKind::Name || side.name != name)
        continue;
      const std::string sign = second ? mirrored(body.name) : body.name;
      if (sign == "==" || sign.front() == '<')
        rules.high = std::min(rules.high, sign == "<" && rules.whole ? std::ceil(*bound) - 1
                                          : rules.whole              ? std::floor(*bound)
                                                                     : *bound);
      if (sign == "==" || sign.front() == '>')
        rules.low = std::max(rules.low, sign == ">" && rules.whole ? std::floor(*bound) + 1
                                        : rules.whole              ? std::ceil(*bound)
                                                                   : *bound);
    }
  else
    for (const auto& operand : body.operands) // of `a || b`
      if (is_comparison(*operand))
        for (const auto& side : operand->operands)
          if (const auto hint = names(*side, name) ? std::nullopt : value(*side, input))
            rules.hints.push_back(*hint);
}

void Repair::set_elements(Input& input, const Wanted& wanted, std::size_t position,
                          Random* random) const {
  const KernelArgument& argument = target_.arguments[position];
  if (argument.kind != Parameter::Kind::Buffer || argument.leaves.size() != 1 ||
      argument.type.size == 0)
    return;
  const model::Scalar scalar = argument.leaves.front().scalar;
  const std::size_t element = argument.type.size, offset = argument.leaves.front().offset;
  runtime::Bytes& bytes = input.arguments[position].bytes;
  const std::size_t count = bytes.size() / element;
  ElementRules rules{.whole = !model::is_floating(scalar)};
  std::tie(rules.low, rules.high) = range_of(scalar);
  rules.stored = [scalar](double value) {
    std::array<std::byte, 8> stored{};
    put(scalar, value, stored.data());
    return runtime::read_scalar(scalar, stored.data());
  };
  bool any = false;
  for (const Part* const whole : wanted.wholes)
    if (whole->argument == argument.name) {
      any = true;
      rules.ascending |= whole->name == "ascending";
      rules.strictly |= whole->name == "strictly_ascending";
      rules.distinct |= whole->name == "distinct";
      rules.permutation |= whole->name == "permutation";
    }
  std::vector<const Part*> bodies;
  for (const Part* const all : wanted.alls)
    if (all->argument == argument.name) {
      any = true;
      bodies.push_back(all);
      limit(rules, *all->operands[0], all->name, input);
    }
  const auto number = [&](std::size_t i) {
    return runtime::read_scalar(scalar, bytes.data() + i * element + offset);
  };
  for (const Change& change : wanted.changes) {
    if (change.side->kind == PartKind::Element && change.side->name == argument.name) {
      any = true;
      const std::optional<double> index = value(*change.side->operands[0], input);
      if (!index || *index < 0 || *index >= static_cast<double>(count))
        continue;
      const auto i = static_cast<std::size_t>(*index);
      const std::optional<double> to = wanted_value(change, number(i), input, rules.whole);
      if (to && *to >= rules.low && *to <= rules.high)
        rules.fixed[i] = *to;
    } else if (change.side->kind == PartKind::Whole && change.side->name == "sum" &&
               change.side->argument == argument.name) {
      any = true;
      if (const auto now = value(*change.side, input))
        rules.sum = wanted_value(change, *now, input, rules.whole);
    }
  }
  if (!any)
    return;
  if (const Domain* const domain = constraints_.domain(position)) {
    rules.low = std::max(rules.low, domain->low.value_or(rules.low));
    rules.high = std::min(rules.high, domain->high.value_or(rules.high));
    for (const double value : domain->values)
      rules.values.push_back(rules.stored(value));
  }
  if (rules.whole && gives_a_size(position)) { // and buffers are small
    rules.low = std::max(rules.low, 0.0);
    rules.high = std::min(rules.high, 8.0 * static_cast<double>(count) + 8);
  }
  if (!bodies.empty())
    rules.holds = [&](double one) {
      return std::ranges::all_of(bodies, [&](const Part* all) {
        const Expression::Bound bound{all->name, one};
        const auto holds = Expression::evaluate(
            *all->operands[0],
            [&](const Expression::Reference& reference) {
              return value_of(target_, input, reference);
            },
            &bound);
        return holds && *holds != 0;
      });
    };
  std::vector<double> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = number(i);
  const std::vector<double> before = numbers;
  obey(numbers, rules, random);
  for (std::size_t i = 0; i < count; ++i)
    if (numbers[i] != before[i])
      put(scalar, numbers[i], bytes.data() + i * element + offset);
}

bool Repair::operator()(Input& input, Random* random) const {
  if (!needed_)
    return constraints_.hold(target_, input);
  for (unsigned round = 0; round < kRounds; ++round) {
    if (constraints_.hold(target_, input))
      return true;
    Wanted wanted;
    for (const Expression& requirement : constraints_.requirements())
      for (const Part* const part : requirement.conjunct_nodes())
        collect(*part, round, wanted);
    set_scalars(input, wanted, random);
    set_sizes(input, wanted);
    for (std::size_t i = 0; i < target_.arguments.size(); ++i)
      set_elements(input, wanted, i, random);
    set_sizes(input, wanted);
  }
  return constraints_.hold(target_, input);
}

} // namespace gputest::testgen
