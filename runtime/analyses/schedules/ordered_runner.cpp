// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/analyses/schedules/ordered_runner.h"

#include "runtime/variants/schedule_state.h"

#include <algorithm>

namespace gputest::runtime {
namespace {

// The time limit is this many times the time of the first launch, and a second more.
constexpr double kTimes = 20;
// The factor for a launch that gets another chance.
constexpr double kPatient = 8;

// All groups, in the order in which the schedule starts them.
model::Order group_order(const model::Schedule& schedule) {
  if (schedule.strategy != model::Strategy::First)
    return schedule.groups;
  model::Order order{.kind = model::Order::Kind::Listed};
  for (const std::vector<std::uint32_t>& stage : model::stages(schedule))
    order.listed.insert(order.listed.end(), stage.begin(), stage.end());
  return order;
}

} // namespace

OrderedRunner::OrderedRunner(Machine& machine, BuiltKernel& kernel, BoundCase test_case,
                             double timeout, std::uint32_t usual)
    : machine_(machine), kernel_(kernel), case_(std::move(test_case)), outputs_(kept_of(case_)),
      timeout_(timeout), limit_(timeout), usual_(usual) {
  case_.launch = with_local_size(case_.launch, machine.largest_group());
  for (const std::size_t output : outputs_)
    case_.arguments[output].read_back = true;
  sizes_ = sizes_of(case_.launch);
}

ScheduleRun OrderedRunner::run(const model::Schedule& schedule, std::uint32_t budget, bool) {
  Simulation& simulation = *machine_.simulation();
  simulation.limit = std::min(timeout_, budget > usual_ ? kPatient * limit_ : limit_);
  simulation.groups = group_order(schedule);
  simulation.items = schedule.items;
  simulation.turns.reset();
  if (schedule.strategy == model::Strategy::Interleave)
    simulation.turns = schedule.turns;
  std::vector<LaunchArgument> arguments = case_.arguments;
  Bytes state;
  const LaunchOutcome outcome = kernel_.launch(case_.launch, arguments, state);
  if (runs_++ == 0)
    limit_ = std::min(timeout_, 1 + kTimes * outcome.seconds);
  ScheduleRun result;
  for (const std::size_t output : outputs_)
    result.outputs.push_back(std::move(arguments[output].bytes));
  for (const model::Finding& finding : outcome.findings) {
    if (finding.kind == "endless") {
      result.waits_in = kUnnumberedLoop;
      result.waits_file = finding.site.file;
      result.waits_line = finding.site.line;
      result.waits_column = finding.site.column;
    } else if (result.fault.empty()) {
      result.fault = text_of(finding);
    }
  }
  return result;
}

std::unique_ptr<ScheduleRunner> OrderedRunner::like(BoundCase test_case) const {
  return std::make_unique<OrderedRunner>(machine_, kernel_, std::move(test_case), timeout_, usual_);
}

} // namespace gputest::runtime
