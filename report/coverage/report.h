// What is reported: coverage files read, the runs of each kernel merged.
#pragma once

#include "model/coverage.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::report {

// Input that cannot be reported on. what() is one line in compiler style, for the user.
class InputError : public model::FormatError {
public:
  using model::FormatError::FormatError;
};

struct Report {
  std::string title;
  // One for each kernel of each source file, in order of name; all runs of a kernel merged, however
  // many tests (names) and devices it was run by. Sites are in order of position.
  std::vector<model::Coverage> kernels;
  // Everything merged: a helper that two kernels call is in it once.
  model::Coverage all;
};

// InputError when a file cannot be read or is not what it should be, or when `files` hold no site
// at all. An empty title: one made of the kernels' names.
Report read_report(const std::vector<std::filesystem::path>& files, std::string title);
Report make_report(const std::vector<model::Coverage>& runs, std::string title);

// "sum", or "sum (partial_sum)" where the kernel's tests are called something else.
std::string label_of(const model::Coverage& kernel);

} // namespace gputest::report
