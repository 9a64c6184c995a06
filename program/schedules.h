// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schedules of a whole program: the program runs once for each order of the work-groups and
// work-items of all its launches. If it notices, or what it reads back differs, it runs again with
// fewer and fewer kernels and launches in another order, to find those that cause it.
//
// The engine here is the same for every kind of program. A kind tells it what it must know in a
// ScheduledProgram.
#pragma once

#include "model/mutation/mutants.h"
#include "model/schedules/results.h"
#include "model/schedules/schedule.h"
#include "program/not_measured.h"
#include "program/repeated_runs.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gputest::program {

class TestedProgram;

struct ScheduleSettings : RepeatedRuns {
  std::string strategy;
  unsigned count = 1;
  double tolerance = 0; // relative, of floating-point values
  // No order begins after so many seconds; nullopt: there is no limit.
  std::optional<double> time_limit{};
};

// The schedules of one kernel. Its only case is the program.
struct KernelSchedules {
  std::string label; // "<stem>.<kernel>", the name of its folder
  model::Schedules schedules;
  std::vector<std::pair<std::string, model::Schedule>> files; // the name is finding.file
};

struct ProgramSchedules {
  std::vector<KernelSchedules> kernels; // those that are launched, in order of label
  std::vector<NotMeasured> not_measured;
  // Number of pieces read back, and of those that vary by themselves.
  std::size_t reads = 0, varying = 0;
  std::uint64_t runs = 0; // runs of the program; 0: its launches were repeated in one run
  bool skipped = false;   // whether the program says that there is no device
  std::vector<std::string> failures{}; // what else is wrong, for people
};

// A kernel that the program launches.
struct ScheduledKernel {
  std::string name, device;
  std::uint64_t launches = 0; // the launches of the process with the most
};

// The result of one run under a schedule.
struct Shown {
  bool differs = false;    // it differs from runs as launched, in any way
  bool is_noticed = false; // the program notices: exit code, signal, time-out
  bool has_timed_out = false, has_crashed = false;
  std::string text;               // what differs, for people
  std::set<std::size_t> pieces{}; // the pieces read back that differ
  std::vector<std::vector<std::uint64_t>> reads{};
  std::vector<model::Sizes> sizes{}; // the sizes of launches that were ordered, each once
  std::string waits_in;              // label of a kernel that used up its budget; empty: none
  model::Guard loop{};               // the loop in which it waits; empty file: unknown
  std::set<std::string> notes{};
};

// The pieces that two runs read back differently.
struct ReadValues {
  std::string buffer; // "<stem>.<kernel>: <argument>", or "piece 3"
  std::uint64_t differing = 0, compared = 0;
  std::vector<model::DifferingElement> elements;
  bool is_within_tolerance = false; // something differs, but only within the tolerance
};

class ScheduledProgram {
public:
  ScheduledProgram() = default;
  ScheduledProgram(const ScheduledProgram&) = delete;
  ScheduledProgram& operator=(const ScheduledProgram&) = delete;
  virtual ~ScheduledProgram() = default;

  // Runs the program as launched. Returns false if it says that there is no device. Throws
  // PlainRunFailed, std::runtime_error.
  virtual bool measure() = 0;
  // Runs the program as launched twice more, to find pieces that vary only at times. Returns
  // whether it found another one.
  virtual bool measure_again() = 0;

  // What the first run has shown.
  virtual std::map<std::string, ScheduledKernel> kernels() const = 0; // by label
  virtual std::string source_of(const std::string& label) const = 0;  // its name in reports
  virtual std::vector<NotMeasured> not_measured() const { return {}; }
  virtual std::set<std::string> notes() const { return {}; }
  virtual std::size_t reads() const = 0;
  virtual std::size_t varying() const = 0;
  virtual std::uint64_t runs() const = 0;

  // Returns how the program is run again, for files of schedules: Schedule::device and program.
  virtual model::Schedule as_launched() const = 0;
  // Runs the program under each of `schedules`, several at the same time. `patience` multiplies the
  // usual budget of loops that may wait.
  virtual std::vector<Shown> run_all(const std::vector<model::Schedule>& schedules,
                                     std::uint32_t patience) = 0;
  Shown run(const model::Schedule& schedule, std::uint32_t patience = 1) {
    return run_all({schedule}, patience).front();
  }
  // Compares what the program read of `pieces`, as launched and under the schedule.
  virtual ReadValues compare(const model::Schedule& schedule,
                             const std::set<std::size_t>& pieces) = 0;
};

// Runs the schedules. Throws PlainRunFailed, std::runtime_error.
ProgramSchedules run_schedules(TestedProgram& program, const ScheduleSettings& settings);

// Replays one schedule, `repeat` times or until it shows something.
struct Replayed {
  bool skipped = false;
  model::ScheduledCase scheduled;
  std::vector<NotMeasured> not_measured;
};
Replayed replay_schedule(TestedProgram& program, const ScheduleSettings& settings,
                         const model::Schedule& schedule, unsigned repeat);

} // namespace gputest::program
