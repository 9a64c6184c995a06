// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/machine/checked_launch.h"

#include "model/checks/checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace gputest::runtime {
namespace {

bool guards(const std::string& check) {
  const model::CheckRow* const row = model::find_check(check);
  return row && row->guards;
}

// Reverses the machine's order of groups while an object lives.
class Reversed {
public:
  // `guarded`: keeps the checks that prevent harm. Other checks are always off.
  Reversed(Machine& machine, double limit, bool guarded)
      : machine_(machine), kept_(*machine.simulation()) {
    Simulation& simulation = *machine.simulation();
    std::erase_if(simulation.checks,
                  [&](const std::string& check) { return !guarded || !guards(check); });
    simulation.groups.kind = model::Order::Kind::Reverse;
    simulation.limit = limit;
    simulation.trial = true;
  }
  Reversed(const Reversed&) = delete;
  Reversed& operator=(const Reversed&) = delete;
  ~Reversed() { *machine_.simulation() = std::move(kept_); }

private:
  Machine& machine_;
  Simulation kept_;
};

std::vector<model::Finding> reversed_findings(Machine& machine, BuiltKernel& kernel,
                                              const Launch& launch,
                                              std::vector<LaunchArgument> arguments, double limit,
                                              bool guarded) {
  const Reversed reversed(machine, limit, guarded);
  Bytes state;
  return kernel.launch(launch, arguments, state).findings;
}

bool is_endless(const model::Finding& finding) {
  return finding.kind == "endless";
}

// Looks for work-groups that wait for earlier ones: these do not end in descending order.
void find_waits(Machine& machine, BuiltKernel& kernel, const Launch& launch,
                const std::vector<LaunchArgument>& arguments, double limit,
                model::Language language, std::vector<model::Finding>& findings) {
  const bool can_be_guarded = std::ranges::any_of(machine.simulation()->checks, guards);
  // A kernel that has done harm before would do so again, and end for that reason.
  bool guarded = can_be_guarded && !findings.empty();
  std::vector<model::Finding> more =
      reversed_findings(machine, kernel, launch, arguments, limit, guarded);
  if (can_be_guarded && !guarded && !ended_well(more) && std::ranges::none_of(more, is_endless)) {
    guarded = true; // which also tells the line
    more = reversed_findings(machine, kernel, launch, arguments, limit, guarded);
  }
  std::set<std::string> known;
  for (const model::Finding& finding : findings)
    known.insert(pair_of(finding));
  for (model::Finding& finding : more) {
    finding.fatal = false; // not to the first launch
    if (is_endless(finding)) {
      finding.kind = "inter_group_dependency";
      finding.message = fmt::format(
          "with {0}s in descending order the kernel does not end within {1:.3g} s: this one waits "
          "for a {0} that has not run, and nothing promises that it ever will",
          model::row_of(language).group, limit);
    }
    if (known.insert(pair_of(finding)).second)
      findings.push_back(std::move(finding));
  }
}

} // namespace

bool ended_well(const std::vector<model::Finding>& findings) {
  return std::ranges::none_of(findings,
                              [](const model::Finding& finding) { return finding.fatal; });
}

LaunchOutcome checked_launch(Machine& machine, BuiltKernel& kernel, const Launch& launch,
                             std::vector<LaunchArgument>& arguments, model::Language language) {
  const bool ascends = machine.simulation()->groups.kind == model::Order::Kind::Launched;
  std::vector<LaunchArgument> before;
  if (ascends)
    before = arguments;
  Bytes state;
  LaunchOutcome outcome = kernel.launch(launch, arguments, state);
  if (!ascends || !ended_well(outcome.findings))
    return outcome;
  double limit = 1 + 20 * outcome.seconds;
  if (machine.simulation()->limit > 0)
    limit = std::min(limit, machine.simulation()->limit);
  find_waits(machine, kernel, launch, before, limit, language, outcome.findings);
  return outcome;
}

} // namespace gputest::runtime
