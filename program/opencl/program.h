// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kind of programs that use OpenCL: they run under the layer (layer/).
#pragma once

#include "program/kind.h"
#include "program/opencl/repeated_program.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace gputest::program {

ProgramKind opencl_kind();
// Returns those of its options that say where kernels are.
std::span<const KindOption> opencl_file_options();

class OpenClProgram : public TestedProgram {
public:
  // Throws model::SettingError for options that are wrong. `analysis`: as for ProgramKind::open;
  // nullptr: none.
  OpenClProgram(ProgramTask task, const GivenOptions& options, const model::Settings* analysis);

  const std::filesystem::path& run_folder() const { return run_folder_; }
  RunSettings& settings() { return settings_; }
  // Returns the child of the task, under the layer.
  ChildSettings child() const { return under_layer(task().child); }

  void refuse(const model::Settings& settings) const override;
  ChildResult run_for_coverage(const ChildSettings& child,
                               const CoverageSettings& settings) override;
  ChildResult run_for_checks(const ChildSettings& child,
                             const std::vector<std::string>& checks) override;
  ProgramCoverage read_coverage(const JudgedRun& run) override;
  ProgramChecks read_checks(const JudgedRun& run) override;
  std::optional<Comparison> compare(const JudgedRun& run, const ProgramCoverage& coverage) override;
  bool add_to_replay(CheckReplay& replay) const override;
  void prepare_replay(const CheckReplay& replay) override;
  std::unique_ptr<LaunchKeeper> launch_keeper() override;
  std::unique_ptr<MutatedProgram> mutants(const MutationSettings& settings) override;
  std::unique_ptr<ScheduledProgram> schedules(const ScheduleSettings& settings) override;
  std::string hint() const override;

private:
  void set_simulator(const GivenOptions& options, const model::Settings* checks);
  std::filesystem::path judge() const; // the simulator; empty: there is none
  void settle(RepeatedProgram& program, const RepeatedRuns& runs) const;
  ChildSettings under_layer(ChildSettings child) const;

  bool has_orders_;
  std::filesystem::path run_folder_;
  RunSettings settings_;
  std::map<std::string, std::string> environment_;
  // What the last run had as settings, and what it recorded.
  RunSettings ran_{};
  RunRecords records_{};
  std::optional<std::int64_t> input_from_{};
};

} // namespace gputest::program
