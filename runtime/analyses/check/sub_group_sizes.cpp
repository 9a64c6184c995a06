// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/check/sub_group_sizes.h"

#include "runtime/analyses/schedules/runner.h"
#include "runtime/cases/comparison.h"
#include "runtime/machine/checked_launch.h"
#include "runtime/variants/schedule_state.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace gputest::runtime {
namespace {

constexpr const char* kDefinition = "GPUTEST_SUB_GROUP_SIZE=";
constexpr const char* kSizes[] = {"8", "16", "32", "64"};

// What a launch left at the positions of outputs.
struct Left {
  std::string size;
  std::vector<Bytes> outputs;
};

model::CodePlace place_of_kernel(const Plan& plan) {
  const std::filesystem::path file =
      plan.interface.file.empty() ? plan.source : std::filesystem::path(plan.interface.file);
  return {(source_root(plan.source, file) / file).string(), plan.interface.line, 1};
}

// Returns the first output that differs; nullopt: none does.
std::optional<std::string> difference(const BoundCase& test_case,
                                      const std::vector<std::size_t>& positions, const Left& first,
                                      const Left& other) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Comparison comparison = compare(test_case.types[positions[i]], first.outputs[i],
                                          other.outputs[i], test_case.tolerance);
    if (comparison.equal())
      continue;
    const std::string& name = test_case.arguments[positions[i]].name;
    const Mismatch& mismatch = comparison.first.front();
    return fmt::format("'{0}' depends on the size of sub-groups: {0}[{1}]{2} is {3} with {4} "
                       "work-items in each, and {5} with {6}; {7} of {8} values differ",
                       name, mismatch.index, mismatch.path, mismatch.expected, first.size,
                       mismatch.actual, other.size, comparison.differing, comparison.compared);
  }
  return std::nullopt;
}

} // namespace

SubGroupSizes::SubGroupSizes(Machine& machine, const Plan& plan, const Subject& subject)
    : machine_(machine), place_(place_of_kernel(plan)) {
  for (const char* const size : kSizes) {
    BuildSettings settings = subject.settings;
    std::erase_if(settings.definitions, [](const std::string& definition) {
      return definition.starts_with(kDefinition);
    });
    settings.definitions.push_back(std::string(kDefinition) + size);
    kernels_.push_back(
        {size, machine.build(subject.text, settings, subject.kernel, subject.source)});
  }
}

SizedCase SubGroupSizes::run(BoundCase test_case) const {
  const std::vector<std::size_t> positions = outputs_of(test_case);
  test_case.launch = with_local_size(test_case.launch, machine_.largest_group());
  for (const std::size_t position : positions)
    test_case.arguments[position].read_back = true;
  SizedCase result{"sub-groups of 8, 16, 32 and 64 work-items leave the same outputs"};
  std::optional<Left> first;
  std::set<std::string> known;
  for (const Sized& sized : kernels_) {
    std::vector<LaunchArgument> arguments = test_case.arguments;
    Bytes state;
    const LaunchOutcome outcome = sized.kernel->launch(test_case.launch, arguments, state);
    result.seconds += outcome.seconds;
    for (model::Finding finding : outcome.findings)
      if (known.insert(pair_of(finding)).second) {
        finding.message += fmt::format(", with {} work-items in a sub-group", sized.size);
        result.findings.push_back(std::move(finding));
      }
    if (!ended_well(outcome.findings)) {
      result.message = fmt::format("the kernel ends with {} work-items in a sub-group", sized.size);
      return result;
    }
    Left left{sized.size, {}};
    for (const std::size_t position : positions)
      left.outputs.push_back(std::move(arguments[position].bytes));
    if (!first) {
      first = std::move(left);
    } else if (const auto differs = difference(test_case, positions, *first, left)) {
      result.message = "outputs depend on the size of sub-groups";
      result.findings.push_back(
          {.kind = "sub_group_dependence", .site = place_, .message = *differs});
      return result;
    }
  }
  return result;
}

} // namespace gputest::runtime
