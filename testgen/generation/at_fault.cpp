// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/generation/at_fault.h"

#include "runtime/cases/scalar.h"
#include "testgen/shrink.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gputest::testgen {
namespace {

constexpr std::size_t kMostShown = 8; // elements of a buffer

std::string text_of(const KernelArgument& argument, const Content& content) {
  using ir::Parameter;
  const bool is_value = argument.kind == Parameter::Kind::Value;
  if ((!is_value && argument.kind != Parameter::Kind::Buffer) || argument.leaves.size() != 1 ||
      argument.type.size == 0)
    return "";
  if (content.is_null)
    return fmt::format(", {} = null", argument.name);
  std::vector<std::string> numbers;
  for (std::size_t at = 0; at + argument.type.size <= content.bytes.size();
       at += argument.type.size)
    numbers.push_back(
        runtime::scalar_text(argument.leaves.front().scalar, content.bytes.data() + at));
  if (is_value)
    return fmt::format(", {} = {}", argument.name, fmt::join(numbers, ""));
  if (numbers.size() > kMostShown)
    return fmt::format(", {} with {} elements", argument.name, numbers.size());
  return fmt::format(", {} = [{}]", argument.name, fmt::join(numbers, ", "));
}

std::string text_of(const Target& target, const Input& input) {
  const auto sizes = [&](const auto& all) {
    return fmt::format("{}", fmt::join(all.begin(), all.begin() + input.shape.dimensions, " x "));
  };
  std::string text = fmt::format("global size {}, local size {}", sizes(input.shape.global),
                                 sizes(input.shape.local));
  if (input.shape.offset != Shape().offset)
    text += fmt::format(", global offset {}", sizes(input.shape.offset));
  for (std::size_t i = 0; i < target.arguments.size(); ++i)
    text += text_of(target.arguments[i], input.arguments[i]);
  return text;
}

} // namespace

std::string smallest_fault(const Target& target, const Constraints& constraints,
                           const InputSearch& search, Mutator& mutator, Worker& worker,
                           Deadline until) {
  const auto& all = search.found();
  const auto most =
      std::ranges::max_element(all, {}, [](const auto& one) { return one.second.inputs; });
  if (most == all.end())
    return {};
  const auto& [key, found] = *most;
  Shrinker shrinker(target, constraints, nullptr, mutator, worker, until);
  const Input small = shrinker.shrunk(found.example, [&](Input& candidate) {
    const Checked checked = worker.check(candidate);
    return Shrinker::Kept{std::ranges::any_of(checked.findings,
                                              [&](const simulator::Finding& finding) {
                                                return finding.kind == key.first &&
                                                       finding.site.line == key.second;
                                              }),
                          checked.fault != Fault::None};
  });
  return fmt::format("{}: {}; the smallest input with it: {}", place_text(found.finding.site),
                     found.finding.message, text_of(target, small));
}

} // namespace gputest::testgen
