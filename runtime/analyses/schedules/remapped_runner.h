// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs schedules on a machine that orders work-items as it likes. Ids are remapped (schedule.cl),
// and groups that must not overlap are launched one after the other. A program is built when the
// first schedule needs it.
#pragma once

#include "runtime/analyses/schedules/runner.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/case_runner.h"

#include <compare>
#include <map>
#include <memory>
#include <optional>

namespace gputest::runtime {

// schedule.cl of a folder, built for a machine in the ways that schedules need.
class SchedulePrograms {
public:
  // `machine` must outlive this.
  SchedulePrograms(Machine& machine, Subject subject);

  struct Way {
    bool items = false; // work-items have an order of their own
    bool flat = false;  // groups are launched in parts
    auto operator<=>(const Way&) const = default;
  };
  // Returns the kernel, built on the first call. Throws BuildError.
  BuiltKernel& get(Way way);

private:
  Machine& machine_;
  Subject subject_;
  std::map<Way, std::unique_ptr<BuiltKernel>> kernels_;
};

class RemappedRunner : public ScheduleRunner {
public:
  // Chooses a local size where the case has none. All arguments must outlive the runner. Throws
  // DeviceError where the machine has no memory for the order of that many groups.
  RemappedRunner(Machine& machine, SchedulePrograms& programs, BoundCase test_case,
                 std::string kernel);

  const BoundCase& test_case() const override { return case_->test_case(); }
  const std::vector<std::size_t>& outputs() const override { return outputs_; }
  ScheduleRun run(const model::Schedule& schedule, std::uint32_t budget, bool trace) override;
  std::uint64_t runs() const override { return runs_; }
  std::unique_ptr<ScheduleRunner> like(BoundCase test_case) const override;

private:
  struct Prepared {
    model::Schedule schedule;
    SchedulePrograms::Way way;
    std::vector<Launch> launches;
  };

  const Prepared& prepare(const model::Schedule& schedule);
  PreparedKernel& kernel(SchedulePrograms::Way way);

  Machine& machine_;
  SchedulePrograms& programs_;
  std::string kernel_name_;
  std::vector<std::size_t> outputs_;
  std::unique_ptr<RepeatedCase> case_;
  std::vector<std::uint32_t> header_;
  std::map<SchedulePrograms::Way, std::unique_ptr<PreparedKernel>> kernels_;
  std::optional<Prepared> prepared_; // the schedule in the state buffer
  std::uint64_t runs_ = 0;
};

} // namespace gputest::runtime
