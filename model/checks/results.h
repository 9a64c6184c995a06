// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of the simulator's checks for one kernel: check.json (docs/reference/formats.md,
// "Checks").
#pragma once

#include "model/checks/finding.h"
#include "model/coverage.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::model {

// A finding in a kernel, over all cases that show it.
struct CheckedFinding {
  Finding finding;                // as it was first seen; `count` is the sum over all cases
  std::vector<std::string> cases; // those that show it, the first one first; never empty
  std::uint64_t launch = 0;       // programs: number of the first launch that shows it; 0: none
  std::string replay{}; // a file relative to check.json, for `gputest replay`; empty: none
  bool operator==(const CheckedFinding&) const = default;
};

// A comment or an entry that suppresses a finding (model/suppressions/suppressions.h).
struct SuppressedBy {
  std::string place;    // of the comment or entry: "k.cl:5", "/p/gputest.suppressions:3"
  bool in_code = false; // by a comment
  std::string reason{}; // empty: a comment that gives none
  bool operator==(const SuppressedBy&) const = default;
};

struct SuppressedFinding {
  CheckedFinding found;
  SuppressedBy by;
  bool operator==(const SuppressedFinding&) const = default;
};

struct CheckedCase {
  std::string name;
  CaseVerdict verdict = CaseVerdict::Passed;
  std::string message{}; // what is wrong, or what was explored
  double seconds = 0;
  std::uint64_t launches = 0; // programs: number of launches; 0: the case is a launch
  std::uint64_t findings = 0; // without those that are suppressed
  bool operator==(const CheckedCase&) const = default;
};

struct CheckResults {
  std::string name;   // gputest_add_kernel(<name> …)
  std::string kernel; // the kernel's name
  std::string device = "simulator";
  std::string source{}; // the file, as the user named it; empty: several files
  std::vector<std::string> checks{};
  std::vector<CheckedCase> cases{};
  std::vector<CheckedFinding> findings{};
  std::vector<SuppressedFinding> suppressed{}; // other findings, which are accepted
  std::string suppressions{};                  // the file of entries that was read; empty: none
  bool operator==(const CheckResults&) const = default;
};

nlohmann::ordered_json to_json(const CheckResults& results);
CheckResults check_results_from_json(const nlohmann::ordered_json& json); // throws FormatError
// Throw FormatError, with the file's name.
CheckResults read_check_results(const std::filesystem::path& file);
void write_check_results(const CheckResults& results, const std::filesystem::path& file);

} // namespace gputest::model
