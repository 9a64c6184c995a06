// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/pairing.h"

#include "runtime/cases/scalar.h"
#include "testgen/concolic/inputs.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fmt/format.h>
#include <tuple>
#include <utility>

namespace gputest::testgen {
namespace {

using ParameterKind = ir::Parameter::Kind;

// Returns why two arguments cannot have the same content; empty: they can.
std::string why_different(const KernelArgument& a, const KernelArgument& b) {
  if (a.kind != b.kind)
    return "they are of different kinds";
  switch (a.kind) {
  case ParameterKind::Buffer:
    return have_same_elements(a.type, b.type) ? "" : "their elements have other types";
  case ParameterKind::Image:
    return a.image && b.image && a.image->type == b.image->type &&
                   a.image->format.image_channel_order == b.image->format.image_channel_order &&
                   a.image->format.image_channel_data_type ==
                       b.image->format.image_channel_data_type
               ? ""
               : "they are images of other formats";
  case ParameterKind::Value:
    return a.type == b.type || (a.is_integer() && b.is_integer()) ||
                   (a.type.size == b.type.size && a.type.kind == b.type.kind &&
                    a.leaves.size() == b.leaves.size())
               ? ""
               : "they have other types";
  default:
    return "";
  }
}

// Returns an integer in another type; nullopt: it does not fit.
std::optional<runtime::Bytes> converted(const runtime::Bytes& bytes, model::Scalar from,
                                        model::Scalar to) {
  const std::uint64_t number = runtime::read_integer(from, bytes.data());
  runtime::Bytes result(model::size_of(to));
  runtime::store_integer(to, number, result.data());
  // A negative number is none of an unsigned type, nor a huge one of a signed type.
  const bool was_negative = model::is_signed(from) && static_cast<std::int64_t>(number) < 0;
  const bool is_negative = model::is_signed(to) &&
                           static_cast<std::int64_t>(runtime::read_integer(to, result.data())) < 0;
  if (runtime::read_integer(to, result.data()) != number || was_negative != is_negative)
    return std::nullopt;
  return result;
}

// Copies what one argument has to its counterpart. Returns false if it does not fit.
bool copy_content(const KernelArgument& from, const Content& given, const KernelArgument& to,
                  Content& copy) {
  copy = given;
  if (from.kind != ParameterKind::Value || from.type == to.type || !from.is_integer())
    return true;
  auto bytes = converted(given.bytes, from.type.scalar, to.type.scalar);
  if (bytes)
    copy.bytes = std::move(*bytes);
  return bytes.has_value();
}

Content local_content(const KernelArgument& argument, const Shape& shape) {
  Content content;
  content.local_size = std::min(kMostBytes, shape.items_of_group() * argument.element_size());
  return content;
}

// Whether the kernel can be launched so.
bool is_possible(const Target& target, const Shape& shape) {
  for (unsigned i = 0; i < 3; ++i) {
    if (shape.global[i] == 0 || shape.local[i] == 0 ||
        (!target.remainder && shape.global[i] % shape.local[i] != 0))
      return false;
    if (const auto& required = target.interface.required_work_group_size;
        required && (*required)[i] != shape.local[i])
      return false;
  }
  return shape.items() <= kMostItems && target.takes_group_of(shape.items_of_group());
}

std::vector<Expression> expressions_of(const Target& second,
                                       const std::vector<std::string>& texts) {
  if (texts.size() > 3)
    throw ExpressionError("a launch has at most three dimensions");
  std::vector<Expression> all;
  for (const std::string& text : texts) {
    all.emplace_back(text);
    for (const std::string& name : all.back().names())
      if (std::ranges::find(second.arguments, name, &KernelArgument::name) ==
          second.arguments.end())
        throw ExpressionError(fmt::format("'{}': kernel '{}' of {} has no argument '{}'", text,
                                          second.kernel(), second.file, name));
  }
  return all;
}

// A value that makes no difference.
bool is_unused(const KernelArgument& argument) {
  return argument.kind == ParameterKind::Value && argument.unused;
}

bool is_local(const KernelArgument& argument) {
  return argument.kind == ParameterKind::Local;
}

} // namespace

Pairing::Pairing(const Target& first, const Target& second, const Constraints& of_second,
                 const PairingSettings& settings)
    : first_(first), second_(second), second_of_(first.arguments.size()),
      global_(expressions_of(second, settings.global_size)),
      local_(expressions_of(second, settings.local_size)) {
  if (global_.empty() && !local_.empty())
    throw ExpressionError("the first kernel has a local size and no global size: give both");
  if (!local_.empty() && local_.size() != global_.size())
    throw ExpressionError("the global and the local size of the first kernel have other numbers of "
                          "dimensions");
  first_has_local_ = std::ranges::any_of(first.arguments, is_local);
  pair_as_told(settings.arguments);
  pair_by_name([](const std::string& name) { return name; });
  pair_by_name([](const std::string& name) { // y_1 is Y1
    std::string letters;
    for (const char letter : name)
      if (letter != '_')
        letters += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return letters;
  });
  pair_by_order();
  check_all(of_second);
}

bool Pairing::is_taken(std::size_t second) const {
  return std::ranges::find(second_of_, std::optional(second)) != second_of_.end();
}

void Pairing::pair_as_told(const std::vector<std::string>& texts) {
  const auto position = [](const Target& target, const std::string& name) {
    const auto found = std::ranges::find(target.arguments, name, &KernelArgument::name);
    if (found == target.arguments.end())
      throw ExpressionError(fmt::format("'{}' is no argument of kernel '{}' of {}", name,
                                        target.kernel(), target.file));
    return static_cast<std::size_t>(found - target.arguments.begin());
  };
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw ExpressionError(fmt::format(
          "'{}' is not <argument of the first kernel>=<argument of the second, or a number>",
          text));
    const std::size_t at = position(first_, text.substr(0, equals));
    const std::string value = text.substr(equals + 1);
    const KernelArgument& argument = first_.arguments[at];
    const bool is_number =
        !value.empty() && value.find_first_not_of("0123456789+-.eE") == std::string::npos;
    if (second_of_[at] || own_first_.contains(at))
      throw ExpressionError(
          fmt::format("'{}': '{}' has a counterpart already", text, argument.name));
    if (is_number) {
      if (argument.kind != ParameterKind::Value || argument.leaves.size() != 1)
        throw ExpressionError(fmt::format("'{}': '{}' is no number", text, argument.name));
      runtime::Bytes& bytes = own_first_[at];
      bytes.resize(argument.type.size);
      char* end = nullptr;
      const double number = std::strtod(value.c_str(), &end);
      if (*end != '\0')
        throw ExpressionError(fmt::format("'{}': '{}' is no number", text, value));
      runtime::store_number(argument.leaves.front().scalar, number, bytes.data());
      continue;
    }
    const std::size_t other = position(second_, value);
    if (is_taken(other))
      throw ExpressionError(fmt::format("'{}': '{}' corresponds to two others", text, value));
    second_of_[at] = other;
  }
}

void Pairing::pair_by_name(const std::function<std::string(const std::string&)>& read) {
  for (std::size_t i = 0; i < first_.arguments.size(); ++i) {
    if (is_local(first_.arguments[i]) || second_of_[i] || own_first_.contains(i))
      continue;
    const std::string name = read(first_.arguments[i].name);
    for (std::size_t other = 0; other < second_.arguments.size() && !second_of_[i]; ++other)
      if (!is_local(second_.arguments[other]) && !is_taken(other) &&
          read(second_.arguments[other].name) == name)
        second_of_[i] = other;
  }
}

void Pairing::pair_by_order() {
  const auto left = [&](bool with_unused) {
    std::pair<std::vector<std::size_t>, std::vector<std::size_t>> left;
    for (std::size_t i = 0; i < first_.arguments.size(); ++i)
      if (const KernelArgument& argument = first_.arguments[i];
          !second_of_[i] && !is_local(argument) && !own_first_.contains(i) &&
          (with_unused || !is_unused(argument)))
        left.first.push_back(i);
    for (std::size_t i = 0; i < second_.arguments.size(); ++i)
      if (const KernelArgument& argument = second_.arguments[i];
          !is_local(argument) && !is_taken(i) && (with_unused || !is_unused(argument)))
        left.second.push_back(i);
    return left;
  };
  auto [ours, theirs] = left(true);
  if (ours.size() != theirs.size())
    std::tie(ours, theirs) = left(false);
  if (ours.size() != theirs.size())
    return;
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!why_different(first_.arguments[ours[i]], second_.arguments[theirs[i]]).empty())
      return;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    second_of_[ours[i]] = theirs[i];
    notes_.push_back(fmt::format("'{}' of the first kernel is taken for '{}' of the second, by "
                                 "their order",
                                 first_.arguments[ours[i]].name,
                                 second_.arguments[theirs[i]].name));
  }
}

void Pairing::check_all(const Constraints& of_second) {
  const auto missing = [](const Target& target, const KernelArgument& argument, const Target& other,
                          const std::string& how) {
    throw ExpressionError(
        fmt::format("argument '{}' of kernel '{}' ({}) has no counterpart in kernel '{}' ({}): {}",
                    argument.name, target.kernel(), target.file, other.kernel(), other.file, how));
  };
  for (std::size_t i = 0; i < first_.arguments.size(); ++i) {
    const KernelArgument& argument = first_.arguments[i];
    if (is_local(argument) || own_first_.contains(i))
      continue;
    if (!second_of_[i] && is_unused(argument)) {
      own_first_[i].resize(argument.type.size);
      notes_.push_back(fmt::format("'{}' of the first kernel is not used", argument.name));
      continue;
    }
    if (!second_of_[i])
      missing(
          first_, argument, second_,
          fmt::format("say which one with --same {0}=<argument of the second>{1}", argument.name,
                      argument.kind == ParameterKind::Value
                          ? fmt::format(", or what it is with --same {}=<number>", argument.name)
                          : ""));
    const KernelArgument& other = second_.arguments[*second_of_[i]];
    if (const std::string why = why_different(argument, other); !why.empty())
      throw ExpressionError(fmt::format("argument '{}' of kernel '{}' ({}) and '{}' of kernel '{}' "
                                        "({}) differ: {}",
                                        argument.name, first_.kernel(), first_.file, other.name,
                                        second_.kernel(), second_.file, why));
  }
  for (std::size_t i = 0; i < second_.arguments.size(); ++i) {
    const KernelArgument& argument = second_.arguments[i];
    if (is_local(argument) || is_taken(i))
      continue;
    if (is_unused(argument)) {
      own_second_[i].resize(argument.type.size);
      notes_.push_back(fmt::format("'{}' of the second kernel is not used", argument.name));
      continue;
    }
    const Domain* const domain = of_second.domain(i);
    if (argument.kind != ParameterKind::Value || argument.leaves.size() != 1 || !domain)
      missing(second_, argument, first_,
              fmt::format("say which one with --same <argument of the first>={0}{1}", argument.name,
                          argument.kind == ParameterKind::Value
                              ? fmt::format(", or what it is with --argument '{}=values(<number>)'",
                                            argument.name)
                              : ""));
    runtime::Bytes& bytes = own_second_[i];
    bytes.resize(argument.type.size);
    runtime::store_number(argument.leaves.front().scalar,
                          domain->values.empty() ? domain->low.value_or(0) : domain->values.front(),
                          bytes.data());
  }
}

std::optional<Shape> Pairing::shape_of_first(const Input& of_second) const {
  if (global_.empty())
    return of_second.shape;
  Shape shape{.dimensions = static_cast<unsigned>(global_.size())};
  const auto size = [&](const Expression& expression) -> std::uint32_t {
    const auto value = expression.evaluate([&](const Expression::Reference& reference) {
      return value_of(second_, of_second, reference);
    });
    return value && *value >= 1 && *value <= kMostItems ? static_cast<std::uint32_t>(*value) : 0;
  };
  for (unsigned i = 0; i < shape.dimensions; ++i) {
    shape.global[i] = size(global_[i]);
    if (!local_.empty())
      shape.local[i] = size(local_[i]);
    else if (const auto& required = first_.interface.required_work_group_size)
      shape.local[i] = static_cast<std::uint32_t>((*required)[i]);
    else
      shape.local[i] =
          shape.global[i] % of_second.shape.local[i] == 0 ? of_second.shape.local[i] : 1;
  }
  return shape;
}

std::optional<Input> Pairing::to_first(const Input& of_second) const {
  const auto shape = shape_of_first(of_second);
  if (!shape || !is_possible(first_, *shape))
    return std::nullopt;
  Input input{.shape = *shape};
  for (std::size_t i = 0; i < first_.arguments.size(); ++i) {
    const KernelArgument& argument = first_.arguments[i];
    Content& content = input.arguments.emplace_back();
    if (const auto own = own_first_.find(i); own != own_first_.end())
      content.bytes = own->second;
    else if (!second_of_[i])
      content = local_content(argument, *shape);
    else if (!copy_content(second_.arguments[*second_of_[i]], of_second.arguments[*second_of_[i]],
                           argument, content))
      return std::nullopt;
  }
  return input;
}

std::optional<Input> Pairing::to_second(const Input& of_first) const {
  if (!same_launch() || !is_possible(second_, of_first.shape))
    return std::nullopt;
  Input input{.shape = of_first.shape};
  for (const KernelArgument& argument : second_.arguments)
    input.arguments.push_back(is_local(argument) ? local_content(argument, of_first.shape)
                                                 : Content());
  for (const auto& [position, bytes] : own_second_)
    input.arguments[position].bytes = bytes;
  for (std::size_t i = 0; i < first_.arguments.size(); ++i)
    if (second_of_[i] &&
        !copy_content(first_.arguments[i], of_first.arguments[i], second_.arguments[*second_of_[i]],
                      input.arguments[*second_of_[i]]))
      return std::nullopt;
  return input;
}

} // namespace gputest::testgen
