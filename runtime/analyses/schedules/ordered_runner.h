// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs schedules on a machine that runs work-groups and work-items in the order that it is told.
#pragma once

#include "runtime/analyses/schedules/runner.h"
#include "runtime/machine/machine.h"

namespace gputest::runtime {

// Groups never overlap here. A launch that exceeds its time limit counts as one that waits.
class OrderedRunner : public ScheduleRunner {
public:
  // `timeout`: seconds for any launch. The first launch is timed, and later ones may take 20 times
  // that and a second more. A budget of run() above `usual` means 8 times that limit; other budgets
  // change nothing. `machine` and its `kernel` must outlive the runner.
  OrderedRunner(Machine& machine, BuiltKernel& kernel, BoundCase test_case, double timeout,
                std::uint32_t usual);

  const BoundCase& test_case() const override { return case_; }
  const std::vector<std::size_t>& outputs() const override { return outputs_; }
  ScheduleRun run(const model::Schedule& schedule, std::uint32_t budget, bool trace) override;
  std::uint64_t runs() const override { return runs_; }
  std::unique_ptr<ScheduleRunner> like(BoundCase test_case) const override;

private:
  Machine& machine_;
  BuiltKernel& kernel_;
  BoundCase case_;
  std::vector<std::size_t> outputs_;
  double timeout_, limit_;
  std::uint32_t usual_;
  std::uint64_t runs_ = 0;
};

} // namespace gputest::runtime
