// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program whose launches run in other orders, and finds out what such a run shows.
#pragma once

#include "program/opencl/kept_reads.h"
#include "program/opencl/repeated_program.h"
#include "program/schedules.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::program {

struct OpenClSchedules : RepeatedProgram {
  double tolerance = 0;            // relative, of floating-point values
  model::ProgramLaunches launches; // what files of schedules say of the program
};

// A kernel that the program launches.
struct LaunchedKernel : ScheduledKernel {
  std::filesystem::path variant; // with schedule-sites.json
  std::string process; // a process that launched it; `program`: the number of its program there
  unsigned program = 0;
  std::uint32_t budget = 0; // iterations of loops that may wait
};

class OpenClScheduled : public ScheduledProgram {
public:
  explicit OpenClScheduled(OpenClSchedules settings)
      : settings_(std::move(settings)), oracle_(settings_.oracle) {}

  bool measure() override;
  bool measure_again() override;
  std::map<std::string, ScheduledKernel> kernels() const override {
    return {kernels_.begin(), kernels_.end()};
  }
  std::string source_of(const std::string& label) const override;
  std::vector<NotMeasured> not_measured() const override { return records_.not_measured; }
  std::set<std::string> notes() const override { return notes_; }
  std::size_t reads() const override { return reads_.count(); }
  std::size_t varying() const override { return reads_.varying(); }
  std::uint64_t runs() const override { return runs_; }
  model::Schedule as_launched() const override;
  std::vector<Shown> run_all(const std::vector<model::Schedule>& schedules,
                             std::uint32_t patience) override;
  ReadValues compare(const model::Schedule& schedule, const std::set<std::size_t>& pieces) override;

private:
  void look(const RunRecords& records);
  void set_budgets(std::uint32_t patience);
  double limit(const model::Schedule& schedule) const;
  std::filesystem::path folder_of(std::size_t number) const;
  Shown judge(const ChildResult& result, const std::string& output,
              const RunRecords& records) const;
  KeptReads kept_of(const std::filesystem::path& folder, const RunSettings& run, double limit);

  OpenClSchedules settings_;
  RunSettings run_;
  RunRecords records_; // of the first run
  std::map<std::string, LaunchedKernel> kernels_;
  std::set<std::string> notes_;
  ReadBaseline reads_;
  ProgramOracle oracle_;
  UnchangedRuns unchanged_;
  std::uint64_t parts_ = 0; // number of launches if each group had its own
  std::uint64_t runs_ = 0;
};

} // namespace gputest::program
