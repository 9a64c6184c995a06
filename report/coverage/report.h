// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads coverage files, and merges the runs of each kernel.
#pragma once

#include "model/coverage.h"
#include "report/common/inputs.h"
#include "report/common/label.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputest::report {

// A threshold that a test missed.
struct MissedThreshold {
  std::string label;  // of the kernel; empty: of all kernels together
  std::string source; // of the kernel, or of the first
  model::Miss miss;
};

struct Report {
  std::string title;
  // One for each kernel of each source file, in order of name. All runs of a kernel are merged,
  // however many tests (names) and devices ran it. Sites are in order of position.
  std::vector<model::Coverage> kernels;
  // Everything merged. A helper that two kernels call is in it once.
  model::Coverage all;
  std::vector<MissedThreshold> missed;
  std::int64_t milliseconds = 0; // since 1970: the time of measuring; 0: unknown
};

// Reads the files. An empty title is replaced by one made of the kernels' names. `apart`: whether
// instantiations are shown apart; nullopt: as each file says. Throws FormatError if a file cannot
// be read or does not have the format, or if `files` have no site at all.
Report read_report(const std::vector<std::filesystem::path>& files, std::string title,
                   std::optional<bool> apart = std::nullopt);
Report make_report(const std::vector<model::Coverage>& runs, std::string title);

// Returns the criterion of which the smallest part is covered; nullopt: there is nothing to cover.
std::optional<model::Criterion> worst_criterion(const model::Criteria& criteria);

} // namespace gputest::report
