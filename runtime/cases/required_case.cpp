// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cases/required_case.h"

#include "runtime/cases/requirements.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gputest::runtime {
namespace {

using model::Expression;
using model::ExpressionError;

bool knows_all_names(const Expression& requirement, const model::KernelInterface& kernel) {
  return std::ranges::all_of(requirement.names(),
                             [&](const std::string& name) { return kernel.find(name) != nullptr; });
}

bool is_memory(const model::Argument& argument) {
  return argument.pointer && argument.address_space != model::AddressSpace::Local;
}

} // namespace

void check_requirements(const std::vector<std::string>& requirements,
                        const model::KernelInterface& kernel, model::Language language) {
  for (const std::string& text : requirements) {
    const Expression requirement(text);
    if (model::row_of(language).has_shared_memory && !knows_all_names(requirement, kernel))
      continue;
    std::vector<model::Leaf> leaves;
    check_condition(requirement, kernel.name,
                    [&](const std::string& name) -> std::optional<ConditionArgument> {
                      const model::Argument* const argument = kernel.find(name);
                      if (!argument)
                        return std::nullopt;
                      leaves = model::leaves_of(argument->type);
                      return ConditionArgument{.is_buffer = is_memory(*argument), .leaves = leaves};
                    });
  }
}

std::string broken_requirement(const BoundCase& test_case,
                               const std::vector<std::string>& requirements,
                               const model::KernelInterface& kernel) {
  if (requirements.empty())
    return {};
  std::vector<std::vector<model::Leaf>> leaves;
  for (const model::Type& type : test_case.types)
    leaves.push_back(model::leaves_of(type));
  const FindArgument find = [&](const std::string& name) -> std::optional<ConditionArgument> {
    const model::Argument* const described = kernel.find(name);
    if (!described)
      return std::nullopt;
    const LaunchArgument& argument = test_case.arguments[described->position];
    const std::size_t element = std::max<std::size_t>(test_case.types[described->position].size, 1);
    const bool is_local = argument.kind == LaunchArgument::Kind::Local;
    return ConditionArgument{.is_buffer = argument.kind == LaunchArgument::Kind::Buffer,
                             .leaves = leaves[described->position],
                             .element_size = element,
                             .elements =
                                 (is_local ? argument.local_size : argument.bytes.size()) / element,
                             .bytes = argument.bytes};
  };
  const std::array<std::size_t, 3> local = chosen_block(test_case.launch);
  const Expression::Lookup lookup =
      [&](const Expression::Reference& reference) -> std::optional<double> {
    if (reference.call && reference.index) {
      if (*reference.index < 0 || *reference.index > 2)
        return std::nullopt;
      const auto i = static_cast<std::size_t>(*reference.index);
      const std::size_t global = test_case.launch.global_size[i];
      return static_cast<double>(reference.name == "global_size"  ? global
                                 : reference.name == "local_size" ? local[i]
                                 : reference.name == "global_offset"
                                     ? test_case.launch.global_offset[i]
                                     : (global + local[i] - 1) / local[i]);
    }
    const auto argument = find(reference.call ? reference.argument : reference.name);
    return argument ? value_in(*argument, reference) : std::nullopt;
  };
  for (const std::string& text : requirements) {
    const Expression requirement(text);
    if (!knows_all_names(requirement, kernel))
      continue;
    const std::string breach = breach_of(requirement, lookup, find);
    if (!breach.empty())
      return fmt::format("REQUIRE \"{}\" does not hold{}", text,
                         breach == text ? "" : ": " + breach);
  }
  return {};
}

} // namespace gputest::runtime
