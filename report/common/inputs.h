// The files of results that a command line names.
#pragma once

#include "model/analyses.h"
#include "model/interface.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gputest::report {

// Input that cannot be reported on. what() is one line in compiler style, for the user.
class InputError : public model::FormatError {
public:
  using model::FormatError::FormatError;
};

// Files of results of one analysis.
struct Inputs {
  const model::Analysis* analysis = nullptr;
  std::vector<std::filesystem::path> files;
};

// Each argument that is a file stands for itself, a directory for the results of every analysis in
// `analyses` that has reports, such as coverage.json, below it. In the order given, within a
// directory in order of path; a file that is met twice counts once. What a file holds is read off
// its content; one that is none passes for the first of them. One element for each analysis that
// has files, in the order of `analyses`. InputError: no such file or directory, a directory without
// such files, nothing given.
std::vector<Inputs> find_inputs(std::span<const model::Analysis> analyses,
                                const std::vector<std::string>& arguments);

} // namespace gputest::report
