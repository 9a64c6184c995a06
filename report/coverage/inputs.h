// The files of results that a command line names.
#pragma once

#include "report/coverage/report.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gputest::report {

enum class ResultKind { Coverage, Mutation, Schedules };

struct Inputs {
  ResultKind kind = ResultKind::Coverage;
  std::vector<std::filesystem::path> files;
};

// Each argument that is a file stands for itself, a directory for every coverage.json,
// mutation.json and schedules.json below it. In the order given, within a directory in order of
// path; a file that is met twice counts once. What a file holds is read off its content; one that
// is none passes for coverage. InputError: no such file or directory, a directory without such
// files, nothing given, kinds mixed.
Inputs find_inputs(const std::vector<std::string>& arguments);

} // namespace gputest::report
