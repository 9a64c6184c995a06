// The command line of a harness; docs/command-line.md.
#pragma once

#include "model/analysis_options.h"
#include "runtime/machine/simulation.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::runtime {

struct Options {
  bool list_devices = false, list_cases = false, verbose = false;
  bool no_weak = false;                         // do not look which cases are weak
  std::string device;                           // empty: as described
  std::vector<std::string> cases;               // empty: all
  std::vector<std::string> case_files;          // instead of the described ones; empty: those
  unsigned compare = 0;                         // runs of either kernel; 0: no comparison
  std::optional<model::AskedAnalysis> analysis; // nullopt: the first
  Simulation simulation;                        // orders
  std::filesystem::path json;    // empty: as the analysis calls it, in the kernel's folder
  std::optional<double> timeout; // seconds
  std::string help;              // not empty: print it and do nothing else
};

// Throws UsageError for what is unknown or malformed. `name` is the harness's own, for the help.
Options parse_options(const std::string& name, std::span<const model::Analysis> analyses, int argc,
                      const char* const* argv);

} // namespace gputest::runtime
