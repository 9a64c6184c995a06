// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// settings.json of a run folder (docs/reference/formats.md, "The run folder"): what the layer does
// in the processes of a program. `gputest run` and `gputest capture` write it, and the layer reads
// it.
#pragma once

#include "model/mutation/trials.h"
#include "model/schedules/schedule.h"
#include "runtime/machine/simulation.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::runtime {

struct RunSettings {
  std::filesystem::path cache{};       // variants that are kept from run to run
  std::filesystem::path driver{};      // the gputest command
  std::filesystem::path source_root{}; // files below it are named relative to it
  // Files from which programs may have read their source. Reports name those that were used.
  std::vector<std::filesystem::path> kernel_files{};
  // Files of host programs whose string literals may be kernels.
  std::vector<std::filesystem::path> host_files{};
  bool only_kernel_files = false; // programs that hold none of these files are left alone
  // Programs of only such files are left alone, too (model/file_patterns.h).
  std::vector<std::string> exclude{};

  // The name of a row in layer/instrumentation/measures.cpp.
  std::string measure = "coverage";
  // Launches run there, and not on the program's devices, with these checks.
  std::optional<SimulatedProgram> simulator{};

  bool each_launch = false; // coverage: each launch has records of its own
  bool reads = false;       // pieces read back are hashed; always with mutants and schedules
  // Coverage: only these kernels are replaced, named "<stem>.<kernel>". Empty: all.
  std::set<std::string> only_kernels{};

  // Mutants. With trace, no mutant is active and all kernels record what they reach. Otherwise only
  // programs of the mutant's source are replaced.
  bool trace = false;
  // With trace: what is tried on each launch (layer/instrumentation/trials.h).
  std::vector<model::Trial> trials{};
  // By source: what making a launch again may take at most, on average. Without one: any time.
  std::map<std::string, double> trial_seconds{};
  unsigned order = 0; // the order of groups and work-items (runtime::order_of); 0: as launched
  // Schedules: the order of the launches that it names. nullopt: all as launched. With trace,
  // iterations of loops that may wait are recorded.
  std::optional<model::Schedule> schedule{};
  // Numbers of the pieces read back that are kept, and not only hashed.
  std::set<std::size_t> keep_reads{};
  // Launches: the most distinct ones of a kernel, and the most bytes of their buffers.
  std::size_t max_cases = 0, max_bytes = 0;
  bool largest = false; // launches: those with most work-items, and not the first ones
  std::map<std::string, std::uint32_t> budgets{}; // budgets of loops, by "<stem>.<kernel>"
  // Mutants: for each "<stem>.<kernel>", the bits of guards and votes that report what the original
  // does by itself.
  std::map<std::string, std::vector<std::uint32_t>> harm{};
};

// In a run folder. write throws model::WriteError, read model::FormatError.
void write_run_settings(const RunSettings& settings, const std::filesystem::path& folder);
RunSettings read_run_settings(const std::filesystem::path& folder);

} // namespace gputest::runtime
