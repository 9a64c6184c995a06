#include "runtime/machine/simulator/checked_launch.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gputest::runtime {
namespace {

// What waits for an earlier work-group does not end in descending order.
void find_waits(BuiltKernel& kernel, const Launch& launch, std::vector<LaunchArgument> arguments,
                double limit, std::vector<SimulatorFinding>& findings) {
  Bytes state;
  for (SimulatorFinding finding : kernel.launch(launch, arguments, state).findings) {
    finding.fatal = false; // not to the first launch
    if (finding.kind == "endless") {
      finding.kind = "inter_group_dependency";
      finding.message = fmt::format(
          "with work-groups in descending order the kernel does not end within {:.3g} s: this one "
          "waits for a work-group that has not run, and OpenCL does not promise that it ever will",
          limit);
    }
    findings.push_back(std::move(finding));
  }
}

// The machine's simulation is another one as long as this lives.
class Reversed {
public:
  Reversed(SimulatorMachine& machine, double limit)
      : machine_(machine), kept_(machine.simulation()) {
    Simulation& simulation = machine.simulation();
    simulation.checks.clear();
    simulation.groups.kind = model::Order::Kind::Reverse;
    simulation.limit = limit;
  }
  Reversed(const Reversed&) = delete;
  Reversed& operator=(const Reversed&) = delete;
  ~Reversed() { machine_.simulation() = std::move(kept_); }

private:
  SimulatorMachine& machine_;
  Simulation kept_;
};

} // namespace

bool ended_well(const std::vector<SimulatorFinding>& findings) {
  return std::ranges::none_of(findings,
                              [](const SimulatorFinding& finding) { return finding.fatal; });
}

LaunchOutcome checked_launch(SimulatorMachine& machine, BuiltKernel& kernel, const Launch& launch,
                             std::vector<LaunchArgument>& arguments) {
  const bool ascends = machine.simulation().groups.kind == model::Order::Kind::Launched;
  std::vector<LaunchArgument> before;
  if (ascends)
    before = arguments;
  Bytes state;
  LaunchOutcome outcome = kernel.launch(launch, arguments, state);
  if (!ascends || !ended_well(outcome.findings))
    return outcome;
  double limit = 1 + 20 * outcome.seconds;
  if (machine.simulation().limit > 0)
    limit = std::min(limit, machine.simulation().limit);
  const Reversed reversed(machine, limit);
  find_waits(kernel, launch, std::move(before), limit, outcome.findings);
  return outcome;
}

} // namespace gputest::runtime
