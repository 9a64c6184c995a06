// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/inputs/constraints.h"

#include "model/language.h"
#include "model/names.h"
#include "runtime/cases/requirements.h"
#include "runtime/cases/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

namespace gputest::testgen {
namespace {

using ir::Parameter;

std::optional<std::size_t> position_of(const Target& target, const std::string& name) {
  const auto found = std::ranges::find(target.arguments, name, &KernelArgument::name);
  if (found == target.arguments.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - target.arguments.begin());
}

bool is_memory(const KernelArgument& argument) {
  return argument.kind == Parameter::Kind::Buffer || argument.kind == Parameter::Kind::Local;
}

runtime::ConditionArgument described(const KernelArgument& argument) {
  return {.is_buffer = argument.kind == Parameter::Kind::Buffer,
          .leaves = argument.leaves,
          .element_size = argument.element_size()};
}

void check_names(const Target& target, const Expression& expression) {
  runtime::check_condition(
      expression, target.kernel(),
      [&](const std::string& name) -> std::optional<runtime::ConditionArgument> {
        const auto position = position_of(target, name);
        return position ? std::optional(described(target.arguments[*position])) : std::nullopt;
      });
}

std::optional<double> number(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  const std::size_t end = text.find_last_not_of(' ');
  if (begin == std::string::npos)
    return std::nullopt;
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data() + begin, text.data() + end + 1, value);
  if (error != std::errc() || rest != text.data() + end + 1)
    return std::nullopt;
  return value;
}

// "range(1, 8)" and "values(1, 2)"; nullopt: something else.
std::optional<Domain> domain_of(const std::string& text) {
  const bool range = text.starts_with("range(");
  if ((!range && !text.starts_with("values(")) || !text.ends_with(')'))
    return std::nullopt;
  const std::size_t begin = text.find('(') + 1;
  Domain domain;
  for (const std::string& part :
       model::split_outside_brackets(text.substr(begin, text.size() - begin - 1))) {
    const auto value = number(part);
    if (!value)
      throw ExpressionError(fmt::format("'{}': '{}' is no number", text, part));
    domain.values.push_back(*value);
  }
  if (!range)
    return domain;
  if (domain.values.size() != 2 || domain.values[0] > domain.values[1])
    throw ExpressionError(fmt::format("'{}': a range is range(lowest,highest)", text));
  return Domain{.low = domain.values[0], .high = domain.values[1], .values = {}};
}

bool within(const Domain& domain, const KernelArgument& argument, const Content& content) {
  const std::size_t element = argument.element_size();
  for (std::size_t at = 0; at + element <= content.bytes.size(); at += element)
    for (const model::Leaf& leaf : argument.leaves) {
      const double value =
          runtime::read_scalar(leaf.scalar, content.bytes.data() + at + leaf.offset);
      if (domain.low && !(value >= *domain.low && value <= *domain.high))
        return false;
      if (!domain.values.empty() && std::ranges::none_of(domain.values, [&](double allowed) {
            std::array<std::byte, 8> stored{}; // as the type has it: 0.1 is none of a float
            runtime::store_number(leaf.scalar, allowed, stored.data());
            return runtime::read_scalar(leaf.scalar, stored.data()) == value;
          }))
        return false;
    }
  return true;
}

} // namespace

std::optional<double> value_of(const Target& target, const Input& input,
                               const Expression::Reference& reference) {
  if (reference.call && reference.index) {
    if (*reference.index < 0 || *reference.index > 2)
      return std::nullopt;
    const auto dimension = static_cast<unsigned>(*reference.index);
    return reference.name == "global_size"     ? input.shape.global[dimension]
           : reference.name == "local_size"    ? input.shape.local[dimension]
           : reference.name == "global_offset" ? input.shape.offset[dimension]
                                               : input.shape.groups()[dimension];
  }
  const auto position = position_of(target, reference.call ? reference.argument : reference.name);
  if (!position)
    return std::nullopt;
  const Content& content = input.arguments[*position];
  runtime::ConditionArgument argument = described(target.arguments[*position]);
  argument.elements = elements_of(target.arguments[*position], content);
  argument.bytes = content.bytes;
  return runtime::value_in(argument, reference);
}

void Constraints::add_argument(const Target& target, const std::string& text) {
  const std::size_t end = text.find_first_of(":=");
  const std::string name = text.substr(0, end);
  const auto position = position_of(target, name);
  if (!position)
    throw ExpressionError(
        fmt::format("'{}': kernel '{}' has no argument '{}'", text, target.kernel(), name));
  if (end == std::string::npos)
    throw ExpressionError(fmt::format("'{}': nothing is said of '{}'", text, name));
  const KernelArgument& argument = target.arguments[*position];
  for (const std::string& part : model::split_outside_brackets(text.substr(end + 1))) {
    if (auto domain = domain_of(part)) {
      if (argument.leaves.empty() || argument.kind == Parameter::Kind::Local)
        throw ExpressionError(
            fmt::format("'{}': '{}' has no values that a range is about", text, name));
      domains_[*position] = std::move(*domain);
    } else if (part == "nullable") {
      if (argument.kind != Parameter::Kind::Buffer)
        throw ExpressionError(
            fmt::format("'{}': '{}' is no buffer, and cannot be null", text, name));
      nullable_.insert(*position);
    } else if (part.starts_with("size=") && !number(part.substr(5))) {
      if (!is_memory(argument))
        throw ExpressionError(
            fmt::format("'{}': '{}' is neither a buffer nor __local memory", text, name));
      Expression size(part.substr(5));
      check_names(target, size);
      sizes_.insert_or_assign(*position, std::move(size));
      if (depends_on_itself(target, *position))
        throw ExpressionError(fmt::format("'{}': the size of '{}' depends on itself", text, name));
    }
  }
}

// Directly, or by way of the sizes of others.
bool Constraints::depends_on_itself(const Target& target, std::size_t position) const {
  std::set<std::size_t> seen;
  std::vector<std::size_t> work{position};
  while (!work.empty()) {
    const auto size = sizes_.find(work.back());
    work.pop_back();
    if (size == sizes_.end())
      continue;
    for (const std::string& name : size->second.names()) {
      const auto other = position_of(target, name);
      if (other == position)
        return true;
      if (other && seen.insert(*other).second)
        work.push_back(*other);
    }
  }
  return false;
}

void Constraints::add_requirement(const Target& target, const std::string& text) {
  Expression requirement(text);
  check_names(target, requirement);
  if (const auto given = requirement.given_size())
    if (const auto position = position_of(target, given->name);
        position && is_memory(target.arguments[*position]) &&
        sizes_.try_emplace(*position, given->size).second) {
      if (depends_on_itself(target, *position))
        sizes_.erase(*position);
      else
        required_sizes_.insert(*position);
    }
  names_offset_ = names_offset_ || testgen::names_offset(requirement);
  requirements_.push_back(std::move(requirement));
}

Constraints Constraints::without_requirements() const {
  Constraints others;
  others.shapes = shapes;
  others.cases_have_offsets = cases_have_offsets;
  others.domains_ = domains_;
  others.nullable_ = nullable_;
  for (const auto& [position, size] : sizes_)
    if (!required_sizes_.contains(position))
      others.sizes_.emplace(position, Expression(size.text()));
  return others;
}

const Domain* Constraints::domain(std::size_t position) const {
  const auto found = domains_.find(position);
  return found == domains_.end() ? nullptr : &found->second;
}

std::optional<std::size_t> Constraints::size(const Target& target, const Input& input,
                                             std::size_t position) const {
  const auto found = sizes_.find(position);
  if (found == sizes_.end())
    return std::nullopt;
  const auto value = found->second.evaluate(
      [&](const Expression::Reference& reference) { return value_of(target, input, reference); });
  const std::size_t element = target.arguments[position].element_size();
  const std::size_t most = kMostBytes / element;
  if (!value || !(*value >= 0) || *value > static_cast<double>(most))
    return std::nullopt;
  return std::max<std::size_t>(static_cast<std::size_t>(*value), 1); // no buffer has no bytes
}

bool names_offset(const Expression& requirement) {
  return requirement.text().find("global_offset") != std::string::npos;
}

bool may_be_null(const Target& target, const Constraints& constraints, std::size_t position) {
  return target.arguments[position].nullable || constraints.is_nullable(position);
}

std::vector<std::size_t> nullable(const Target& target, const Constraints& constraints) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < target.arguments.size(); ++i)
    if (may_be_null(target, constraints, i))
      positions.push_back(i);
  return positions;
}

bool has_offsets(const Target& target, const Constraints& constraints) {
  return model::row_of(std::filesystem::path(target.file)).has_offsets &&
         (target.global_offset || constraints.names_offset() || constraints.cases_have_offsets);
}

bool Constraints::hold(const Target& target, const Input& input) const {
  for (const auto& [position, domain] : domains_)
    if (!within(domain, target.arguments[position], input.arguments[position]))
      return false;
  for (const auto& [position, expression] : sizes_)
    if (const auto elements = size(target, input, position);
        !input.arguments[position].is_null &&
        (!elements ||
         *elements != elements_of(target.arguments[position], input.arguments[position])))
      return false;
  return std::ranges::all_of(requirements_, [&](const Expression& requirement) {
    const auto value = requirement.evaluate(
        [&](const Expression::Reference& reference) { return value_of(target, input, reference); });
    return value && *value != 0;
  });
}

} // namespace gputest::testgen
