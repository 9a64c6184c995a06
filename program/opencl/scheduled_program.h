// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program whose launches run in other orders, and finds out what such a run shows.
#pragma once

#include "model/mutation/mutants.h"
#include "model/schedules/results.h"
#include "program/opencl/kept_reads.h"
#include "program/opencl/repeated_program.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::program {

struct ScheduleSettings : RepeatedProgram {
  std::string strategy;
  unsigned count = 1;
  double tolerance = 0; // relative, of floating-point values
  // No order begins after so many seconds; nullopt: there is no limit.
  std::optional<double> time_limit{};
  // Files of schedules say this of the program (model::ProgramLaunches).
  std::string directory;
  std::vector<std::string> kernel_files;
};

// A kernel that the program launches.
struct LaunchedKernel {
  std::string name, stem, device;
  std::filesystem::path variant; // with schedule-sites.json
  std::string process; // a process that launched it; `program`: the number of its program there
  unsigned program = 0;
  std::uint64_t launches = 0; // the launches of the process with the most
  std::uint32_t budget = 0;   // iterations of loops that may wait
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

class ScheduledProgram {
public:
  explicit ScheduledProgram(const ScheduleSettings& settings)
      : settings_(settings), oracle_(settings.oracle) {}

  // Runs the program as launched. Returns false if it says that there is no device. Throws
  // PlainRunFailed, std::runtime_error.
  bool measure();
  // Runs the program as launched twice more, to find pieces that vary only at times. Returns
  // whether it found another one.
  bool measure_again();

  const std::map<std::string, LaunchedKernel>& kernels() const { return kernels_; } // by label
  const RunRecords& records() const { return records_; } // of the first run
  const std::set<std::string>& notes() const { return notes_; }
  std::size_t reads() const { return reads_.count(); }
  std::size_t varying() const { return reads_.varying(); }

  // Runs the program under each of `schedules`, several at the same time. `patience` multiplies the
  // usual budget of loops that may wait.
  std::vector<Shown> run(const std::vector<model::Schedule>& schedules, std::uint32_t patience = 1);
  Shown run(const model::Schedule& schedule, std::uint32_t patience = 1) {
    return run(std::vector{schedule}, patience).front();
  }
  // Compares what the program read of `pieces`, as launched and under the schedule.
  ReadValues compare(const model::Schedule& schedule, const std::set<std::size_t>& pieces);

  std::uint64_t runs() const { return runs_; }
  double seconds() const { return unchanged_.seconds; } // the time of one run as launched

private:
  void look(const RunRecords& records);
  void set_budgets(std::uint32_t patience);
  double limit(const model::Schedule& schedule) const;
  std::filesystem::path folder_of(std::size_t number) const;
  Shown judge(const ChildResult& result, const std::string& output,
              const RunRecords& records) const;
  KeptReads kept_of(const std::filesystem::path& folder, const RunSettings& run, double limit);

  const ScheduleSettings& settings_;
  RunSettings run_;
  RunRecords records_;
  std::map<std::string, LaunchedKernel> kernels_;
  std::set<std::string> notes_;
  ReadBaseline reads_;
  ProgramOracle oracle_;
  UnchangedRuns unchanged_;
  std::uint64_t parts_ = 0; // number of launches if each group had its own
  std::uint64_t runs_ = 0;
};

} // namespace gputest::program
