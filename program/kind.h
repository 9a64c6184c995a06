// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kind of programs under test is a row: what recognises its programs, its options, and a
// TestedProgram, which says how one is started for an analysis and how its records are read. The
// engines of the analyses are coverage.h, mutation.h, schedules.h and check.h. CONTRIBUTING.md,
// "Add a kind of program".
#pragma once

#include "model/settings.h"
#include "program/check.h"
#include "program/check_replay.h"
#include "program/coverage.h"
#include "program/memory.h"
#include "program/mutation.h"
#include "program/schedules.h"
#include "program/task.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::program {

// A program of some kind, which runs as a task says.
class TestedProgram {
public:
  explicit TestedProgram(ProgramTask task) : task_(std::move(task)) {}
  TestedProgram(const TestedProgram&) = delete;
  TestedProgram& operator=(const TestedProgram&) = delete;
  virtual ~TestedProgram() = default;

  const ProgramTask& task() const { return task_; }

  // Throws model::SettingError if the analysis cannot be had here, before anything is made.
  virtual void refuse(const model::Settings& settings) const { static_cast<void>(settings); }
  // Returns whether there is no device for the program, which then has said so.
  virtual bool lacks_device() { return false; }

  // Runs the program with records for coverage, or with the checks. It is `child` but for its
  // environment. If others end it, it runs again. Throws process::Disturbed.
  virtual ChildResult run_for_coverage(const ChildSettings& child,
                                       const CoverageSettings& settings) = 0;
  virtual ChildResult run_for_checks(const ChildSettings& child,
                                     const std::vector<std::string>& checks) = 0;
  // Return what the run has recorded.
  virtual ProgramCoverage read_coverage(const JudgedRun& run) = 0;
  virtual ProgramChecks read_checks(const JudgedRun& run) = 0;

  // Returns what keeps launches of a run.
  virtual std::unique_ptr<LaunchKeeper> launch_keeper() = 0;

  // Compares the run with one without instrumentation; nullopt: there is nothing to compare.
  virtual std::optional<Comparison> compare(const JudgedRun& run, const ProgramCoverage& coverage) {
    static_cast<void>(run);
    static_cast<void>(coverage);
    return std::nullopt;
  }
  // Returns a key: findings of one kernel with the same key count as one.
  virtual std::string key_of(const model::Finding& finding) const { return pair_of(finding); }
  // Adds to the file of a finding what another run of the last checks needs. Returns false if this
  // kind has no such files.
  virtual bool add_to_replay(CheckReplay& replay) const {
    static_cast<void>(replay);
    return false;
  }
  // Prepares run_for_checks() for what such a file says.
  virtual void prepare_replay(const CheckReplay& replay) { static_cast<void>(replay); }

  // The objects refer to this one, and to the settings.
  virtual std::unique_ptr<MutatedProgram> mutants(const MutationSettings& settings) = 0;
  virtual std::unique_ptr<ScheduledProgram> schedules(const ScheduleSettings& settings) {
    static_cast<void>(settings);
    return nullptr; // repeat_launches() finds all
  }
  // A faster way than a run of the program for each order: makes its launches again in one run.
  // nullopt: there is none. Throws PlainRunFailed.
  virtual std::optional<ProgramSchedules> repeat_launches(const ScheduleSettings& settings) {
    static_cast<void>(settings);
    return std::nullopt;
  }

  // Returns how many programs run at the same time, of this number of cores.
  virtual unsigned jobs(unsigned cores) const { return cores; }
  // Returns more about a program that has failed by itself, for the end of a message.
  virtual std::string hint() const { return ""; }

private:
  ProgramTask task_;
};

// An option of `gputest run` that is for one kind alone.
struct KindOption {
  std::string_view name, help;
  std::string_view value{};    // its name in help; empty: the option stands alone
  std::string_view fallback{}; // empty: there is no default
  bool is_list = false;        // it may be repeated
};

// A setting of an analysis that means nothing for programs of the kind.
struct UnusedSetting {
  std::string_view analysis, setting, why;
};

struct ProgramKind {
  std::string_view name;  // "opencl"
  std::string_view title; // "OpenCL", for messages
  // Returns whether the file is a program of this kind. nullptr: every file that is of no other.
  bool (*recognises)(const std::filesystem::path& executable) = nullptr;
  std::span<const KindOption> options{};
  std::span<const UnusedSetting> unused{};
  unsigned places = 0; // of settings that --setting may give for it alone (model/analyses.h)
  // The analysis that runs where none is asked for but --device; empty: one must be asked for.
  std::string_view plain_analysis{};
  bool prints_findings = false; // the program itself does so while it runs
  // `analysis`: its settings; nullptr: none is asked for. Throws model::SettingError for options
  // that are wrong, and std::runtime_error where files of this command are missing.
  std::unique_ptr<TestedProgram> (*open)(ProgramTask task, const GivenOptions& options,
                                         const model::Settings* analysis) = nullptr;
};

// Returns the row of the program, of a table that has a row for every program.
const ProgramKind& kind_of(std::span<const ProgramKind> kinds,
                           const std::filesystem::path& executable);

} // namespace gputest::program
