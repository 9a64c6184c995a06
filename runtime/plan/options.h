// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the command line of a harness; docs/reference/command-line.md.
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
  bool as_json = false;                // the cases are listed with their files and lines
  bool recall = false;                 // say what the last run of all cases found
  bool no_weak = false;                // do not look for weak cases
  std::string device;                  // empty: that of the description
  std::vector<std::string> cases;      // empty: all
  std::vector<std::string> case_files; // replace those of the description; empty: they stay
  unsigned compare = 0;                // timed runs of each side; 0: no comparison
  std::optional<model::AskedAnalysis> analysis; // nullopt: the first of the table
  Simulation simulation;                        // orders of groups and work-items
  // File of results; empty: the analysis's default in the kernel's folder.
  std::filesystem::path json;
  std::optional<double> timeout; // seconds for each case; nullopt: that of the description
  std::string help;              // the help; not empty: print it and do nothing else
};

// Reads the options. `name` is the harness's own, for the help. Throws UsageError for what is
// unknown or malformed.
Options parse_options(const std::string& name, std::span<const model::Analysis> analyses, int argc,
                      const char* const* argv);

} // namespace gputest::runtime
