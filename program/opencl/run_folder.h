// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the run folder, with the settings for processes under the layer, and reads what they
// record there (docs/reference/formats.md, "The run folder").
#pragma once

#include "model/mutation/mutation.h"
#include "model/text/file_name.h"
#include "program/child.h"
#include "program/not_measured.h"
#include "runtime/variants/run_events.h"
#include "runtime/variants/run_settings.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gputest::program {

using runtime::RunSettings;

// Makes or empties `folder`, and writes settings.json. Throws std::runtime_error.
void prepare_run_folder(const std::filesystem::path& folder, const RunSettings& settings);

// Prepares the run folder and runs the program; both again if others end it. Throws
// process::Disturbed if they do so again and again.
ChildResult run_recorded(const ChildSettings& child, const std::filesystem::path& folder,
                         const RunSettings& settings);

// What events say, with the process whose log has them. Their files are in the run folder.
struct BuiltSource : runtime::ProgramEvent {
  std::string process;

  // Returns the name of the folder for results of a kernel, however long the kernel's name is.
  std::string folder_of(const std::string& kernel) const {
    return model::short_file_name(stem + "." + kernel);
  }
};
struct RecordedState : runtime::StateEvent {
  std::string process;
};
struct RecordedRead : runtime::ReadEvent {
  std::string process;
};
struct RecordedLaunch : runtime::LaunchEvent {
  using Argument = runtime::RecordedArgument;
  std::string process;
};

// The content of RecordedState::file. nullopt if the process died while it made it.
struct StateFile {
  std::vector<std::byte> bytes; // at least the header
  std::uint64_t launches = 0;
};
std::optional<StateFile> read_state_file(const std::filesystem::path& file);

// A launch in the simulator, and the findings there.
struct RecordedSimulation {
  std::string process;
  unsigned program = 0;
  std::string kernel;
  // Number of the launch, among those of the kernel in the process, from 1.
  std::uint64_t launch = 0;
  model::Sizes sizes{}; // local 0: the simulator chose
  double seconds = 0;
  std::vector<model::Finding> findings{};
};

// The results of RunSettings::trials, over all processes.
struct RecordedTrials {
  std::vector<model::TrialResult> results; // by trial; empty: nothing was tried
  struct Notice {
    model::KillReason reason = model::KillReason::WrongOutput;
    std::string detail;
  };
  std::map<std::size_t, Notice> notices;                      // by trial
  std::vector<std::pair<std::string, std::string>> untried{}; // labels of kernels, and why
};

struct RunRecords {
  unsigned processes = 0;
  std::vector<BuiltSource> programs; // those built, in order of process and time
  std::vector<RecordedState> states;
  std::vector<RecordedLaunch> launches;
  std::vector<RecordedRead> kept;
  std::vector<RecordedSimulation> simulated;
  std::vector<model::Finding> of_host;   // faults of the host's code, in all processes
  std::vector<NotMeasured> not_measured; // each once
  RecordedTrials trials;
  // Hashes of what was read back, in order, for each process in order of their start; with mutants,
  // schedules and RunSettings::reads. A hash of 0: the piece never came. If several threads of a
  // process read, its hashes are in ascending order.
  std::vector<std::vector<std::uint64_t>> reads;
  bool read_by_threads = false; // true: in some process
  bool no_device = false;       // true: gputest::run_kernel found none
};

// Returns whether a program in which nothing was measured says that there is no device for it. It
// ends with the exit code for that, or it failed and run_kernel found no device.
bool is_skipped(const ChildResult& result, const RunRecords& records);

// Returns the folder of the program's coverage variant, which is made if the cache has none. Throws
// as runtime::find_driver() and runtime::instrument().
std::filesystem::path coverage_variant(const BuiltSource& program, const RunSettings& settings);

// Reads what all processes recorded. Lines that a process did not finish are left out. Throws
// model::FormatError with file and line for what no layer writes.
RunRecords read_run_folder(const std::filesystem::path& folder);

} // namespace gputest::program
