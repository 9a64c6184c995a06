// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the files of results that a command line names.
#pragma once

#include "model/analyses.h"
#include "model/interface.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gputest::report {

// Files of results of one analysis.
struct Inputs {
  const model::Analysis* analysis = nullptr;
  std::vector<std::filesystem::path> files;
};

// Returns the files that the arguments name, by analysis, in the order of `analyses`. An argument
// that is a directory means all results below it of analyses that have reports, such as
// coverage.json. Files have the order of the arguments and, within a directory, that of their
// paths. A file that is met twice counts once. The content of a file tells its analysis; a file
// without one counts for the first analysis. Throws FormatError where there is no such file or
// directory, a directory has no such files, or nothing is given.
std::vector<Inputs> find_inputs(std::span<const model::Analysis> analyses,
                                const std::vector<std::string>& arguments);

} // namespace gputest::report
