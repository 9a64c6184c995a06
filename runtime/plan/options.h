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
  std::optional<std::string> device;   // instead of the description's
  std::vector<std::string> cases;      // names of those that run, if it is not all
  std::vector<std::string> case_files; // replace those of the description, where there are any
  std::optional<unsigned> compare;     // timed runs of each side of a comparison
  std::optional<model::AskedAnalysis> analysis; // nullopt: the first of the table
  Simulation simulation;                        // orders of groups and work-items
  // File of results, instead of the analysis's in the kernel's folder.
  std::optional<std::filesystem::path> json;
  std::optional<double> timeout;   // seconds for each case; nullopt: that of the description
  std::optional<std::string> help; // print this and do nothing else
};

// Reads the options. `name` is the harness's own, for the help. Throws UsageError for what is
// unknown or malformed.
Options parse_options(const std::string& name, std::span<const model::Analysis> analyses, int argc,
                      const char* const* argv);

} // namespace gputest::runtime
