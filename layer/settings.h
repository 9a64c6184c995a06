// The settings of the layer in this process. The environment variable GPUTEST_RUN names the run
// folder that `gputest run` or `gputest capture` made. The settings are in its settings.json
// (docs/formats.md, "The run folder").
#pragma once

#include "layer/instrumentation/measures.h"
#include "model/mutation/trials.h"
#include "model/schedules/schedule.h"
#include "runtime/machine/simulation.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::layer {

struct Settings {
  const Measure* measure = nullptr;
  std::filesystem::path run_folder;  // absolute; what processes record goes there
  std::filesystem::path cache;       // variants that are kept from run to run
  std::filesystem::path driver;      // the gputest command
  std::filesystem::path source_root; // names of files below it are relative to it
  // Files from which programs may have read their source. Reports name those that were used.
  std::vector<std::filesystem::path> kernel_files;
  // Files of host programs whose string literals may be kernels.
  std::vector<std::filesystem::path> host_files;
  bool only_kernel_files = false; // programs with none of these files are left alone
  // Programs that consist of such files are left alone as well (model/file_patterns.h).
  std::vector<std::string> exclude;

  // If given, launches run in the simulator, and not on the program's devices. Its checks are those
  // of the measure.
  std::optional<runtime::SimulatedProgram> simulator;

  bool each_launch = false; // Coverage: each launch has records of its own
  bool reads = false;       // pieces read back are hashed; always with Mutants and Schedules
  // Coverage: only these kernels are replaced, named "<stem>.<kernel>". Empty: all.
  std::set<std::string> only_kernels;

  // Mutants. With trace, no mutant is active and all kernels record what they reach. Otherwise only
  // programs of the mutant's source are replaced.
  bool trace = false;
  std::string stem, mutant; // from the environment variable GPUTEST_MUTANT, "<stem>/<id>"
  // With trace: the mutants that are tried on each launch (instrumentation/trials.h).
  std::vector<model::Trial> trials;
  // By source: the most seconds that making a launch again may take, on average. A source without
  // an entry has no limit.
  std::map<std::string, double> trial_seconds;
  unsigned order = 0; // the order of groups and work-items (runtime::order_of); 0: as launched
  // Schedules: the order of the launches that it names. nullopt: all as launched. With trace,
  // iterations of loops that may wait are recorded.
  std::optional<model::Schedule> schedule;
  // Numbers of the pieces read back that are kept, and not only hashed.
  std::set<std::size_t> keep_reads;
  // Captures: the most distinct launches of a kernel, and the most bytes of a launch's buffers.
  std::size_t max_cases = 0, max_bytes = 0;
  std::map<std::string, std::uint32_t> budgets; // budgets of loops, by "<stem>.<kernel>"
  // Mutants: for each "<stem>.<kernel>", the bits of guards and votes that report what the original
  // does by itself.
  std::map<std::string, std::vector<std::uint32_t>> harm;
};

// Reads the settings. nullopt: GPUTEST_RUN is not set, or names a folder without a readable
// settings.json. That is no error here, because the command that starts the program has checked it.
// For a measure that the layer does not know, prints to standard error that the command is of
// another version.
std::optional<Settings> settings_from_environment();

} // namespace gputest::layer
