// What the layer is to do in this process: the run folder that `gputest run` or `gputest capture`
// made, named by the environment variable GPUTEST_RUN, and the settings.json in it (docs/layer.md).
#pragma once

#include "model/schedule.h"
#include "runtime/machine/simulation.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::layer {

enum class Measure {
  Coverage,
  Mutants,
  Launches,
  Schedules,
  Check,
  Nothing // the program's own kernels run
};

struct Settings {
  Measure measure = Measure::Coverage;
  std::filesystem::path run_folder;  // absolute; what processes record goes there
  std::filesystem::path cache;       // variants, kept from run to run
  std::filesystem::path driver;      // the gputest command
  std::filesystem::path source_root; // files below it are named relative to it
  // Files that programs may have read their source from: those that have are named in reports.
  std::vector<std::filesystem::path> kernel_files;
  // Files of host programs whose string literals may be kernels.
  std::vector<std::filesystem::path> host_files;
  bool only_kernel_files = false;   // programs that hold none of all these are left alone
  std::vector<std::string> exclude; // programs of such files alone are, too (model/file_patterns.h)

  // With Check, launches are as they are and looked at with its checks.
  std::optional<runtime::SimulatedProgram> simulator;

  bool each_launch = false; // Coverage: each has records of its own
  bool reads = false;       // pieces read back are hashed; always with Mutants and Schedules
  // Coverage: only these are replaced, by "<stem>.<kernel>"; empty: all.
  std::set<std::string> only_kernels;

  // Mutants. With trace, no mutant is active and all kernels record what they reach. Otherwise only
  // programs of the mutant's source are replaced.
  bool trace = false;
  std::string stem, mutant; // from the environment variable GPUTEST_MUTANT, "<stem>/<id>"
  unsigned order = 0;       // of groups and work-items (runtime::order_of); 0: as launched
  // Schedules: the order of the launches that it names; nullopt: all as launched. With trace,
  // iterations of loops that may wait are recorded.
  std::optional<model::Schedule> schedule;
  std::set<std::size_t> keep_reads; // pieces read back that are kept, by number, not just hashed
  std::size_t max_cases = 0, max_bytes = 0; // Launches: distinct ones of a kernel; bytes of buffers
  std::map<std::string, std::uint32_t> budgets; // by "<stem>.<kernel>": of loops
  // By the same, of mutants: bits of guards and votes that report what the original does by itself.
  std::map<std::string, std::vector<std::uint32_t>> harm;
};

// nullopt: GPUTEST_RUN is not set, or names a folder without a readable settings.json. Nobody is to
// hear of that here: the command that starts the program has checked it.
std::optional<Settings> settings_from_environment();

} // namespace gputest::layer
