// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/schedules/case_check.h"

#include "runtime/cases/scalar.h"
#include "runtime/variants/mutation_state.h"

#include <fmt/format.h>
#include <numeric>
#include <span>

namespace gputest::runtime {
namespace {

model::ScheduleFinding invalid(std::string message) {
  model::ScheduleFinding finding;
  finding.kind = model::FindingKind::InvalidCase;
  finding.message = std::move(message);
  return finding;
}

bool is_scalar(const BoundCase& test_case, std::size_t position) {
  return position < test_case.arguments.size() &&
         test_case.arguments[position].kind == LaunchArgument::Kind::Value &&
         test_case.types[position].kind == model::Type::Kind::Scalar;
}

// "nj = 64, alpha = 2"; empty if there are none.
std::string scalars_of(const BoundCase& test_case) {
  std::string text;
  for (std::size_t i = 0; i < test_case.arguments.size(); ++i)
    if (is_scalar(test_case, i))
      text +=
          fmt::format("{}{} = {}", text.empty() ? "" : ", ", test_case.arguments[i].name,
                      scalar_text(test_case.types[i].scalar, test_case.arguments[i].bytes.data()));
  return text;
}

// The budget of loops, because the kernel may wait in vain. What it does after that says nothing.
constexpr std::uint32_t kBudget = 1u << 24;

std::optional<std::string> guarded_outside(Machine& machine, const Subject& guarded,
                                           const BoundCase& test_case) {
  const model::MutantTable& table = guarded.mutants.value();
  const std::unique_ptr<BuiltKernel> kernel =
      machine.build(guarded.text, guarded.settings, guarded.kernel, guarded.source);
  std::vector<LaunchArgument> arguments = test_case.arguments;
  Bytes state = make_mutant_state(table, argument_sizes(arguments));
  const MutantControl control{.budget = kBudget};
  const auto header = std::span(state).first(kStateHeaderBytes);
  set_control(header, control);
  const LaunchOutcome outcome = kernel->launch(test_case.launch, arguments, state);
  if (is_exhausted(header))
    return std::nullopt;
  if (const auto notice = read_notice(header, table);
      notice && notice->reason == model::KillReason::OutOfBounds)
    return fmt::format("there is {}", notice->detail);
  if (!outcome.out_of_bounds.empty())
    return outcome.out_of_bounds.front();
  return std::nullopt;
}

std::optional<std::string> checked_outside(Machine& machine, BuiltKernel& kernel,
                                           const BoundCase& test_case, double limit) {
  Simulation checked;
  checked.checks.emplace_back("bounds");
  checked.limit = limit;
  *machine.simulation() = checked;
  std::vector<LaunchArgument> arguments = test_case.arguments;
  Bytes none;
  const LaunchOutcome outcome = kernel.launch(test_case.launch, arguments, none);
  *machine.simulation() = Simulation();
  for (const model::Finding& finding : outcome.findings)
    if (finding.kind == "out_of_bounds" || finding.kind == "null_pointer")
      return fmt::format("{}:{}:{}: {}", finding.site.file, finding.site.line, finding.site.column,
                         finding.message);
  return std::nullopt;
}

} // namespace

Launch cut(const Launch& launch, unsigned dimension, std::size_t size) {
  Launch result = launch;
  result.global_size[dimension] = size;
  if (result.local_size[0] != 0)
    result.local_size[dimension] = std::gcd(result.local_size[dimension], size);
  return result;
}

OutsideAccess guarded_access(Machine& machine, const Subject& guarded, const BoundCase& test_case) {
  return [&] { return guarded_outside(machine, guarded, test_case); };
}

OutsideAccess checked_access(Machine& machine, BuiltKernel& kernel, const BoundCase& test_case,
                             double limit) {
  return [&, limit] { return checked_outside(machine, kernel, test_case, limit); };
}

CaseCheck case_check(OutsideAccess outside, const model::ScheduleSites& sites,
                     const std::string& kernel, const BoundCase& test_case) {
  return [outside = std::move(outside), &sites, kernel,
          test_case](const DiffersWith& differs) -> std::optional<model::ScheduleFinding> {
    if (const std::optional<std::string> what = outside()) {
      const std::string scalars = scalars_of(test_case);
      model::ScheduleFinding finding;
      finding.kind = model::FindingKind::OutOfBounds;
      finding.message = fmt::format(
          "under the launch as it is {}: look at the kernel, at the sizes of buffers{}, and at the "
          "launch",
          *what, scalars.empty() ? "" : fmt::format(", at the arguments {}", scalars));
      return finding;
    }
    for (const model::RowIndex& row : sites.rows) {
      if (row.kernel != kernel || !is_scalar(test_case, row.argument))
        continue;
      const auto size = static_cast<std::int64_t>(read_integer(
          test_case.types[row.argument].scalar, test_case.arguments[row.argument].bytes.data()));
      const Launch& launch = test_case.launch;
      const auto first = static_cast<std::int64_t>(launch.global_offset[row.dimension]);
      const auto items = static_cast<std::int64_t>(launch.global_size[row.dimension]);
      if (row.dimension >= launch.dimensions || size <= first || size >= first + items)
        continue;
      const auto left = static_cast<std::size_t>(size - first);
      if (differs(cut(launch, row.dimension, left)))
        continue;
      model::ScheduleFinding finding = invalid(fmt::format(
          "'{0}' is {1}, and there are {2} work-items in dimension {3}, so that rows overlap and "
          "work-items write each other's elements; with {4} work-items no schedule makes a "
          "difference: look at '{0}', or at the launch",
          test_case.arguments[row.argument].name, size, launch.global_size[row.dimension],
          row.dimension, left));
      finding.place_file = row.file;
      finding.line = row.line;
      finding.column = row.column;
      finding.place_text = row.text;
      return finding;
    }
    return std::nullopt;
  };
}

} // namespace gputest::runtime
