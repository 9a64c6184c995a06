// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the simulator's checks: their names and the kinds of their findings. Its rows are in
// model/checks.def.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gputest::model {

struct KindOfFinding {
  std::string_view name, summary; // summary: a sentence without a full stop
};

struct CheckRow {
  std::string_view name;  // "races": `--check races`, in CMake CHECK RACES
  bool on = false;        // made where nobody chooses checks
  std::string_view finds; // "accesses of two work-items that nothing orders"
  bool guards = false;    // the operation that it finds does not happen
  std::span<const KindOfFinding> kinds;
  bool of_host = false;          // judges what a program's host code does
  std::string_view variant_of{}; // the check of which it finds a part; empty: none
};

std::span<const CheckRow> check_rows();

// Returns the names of the checks that are on by default.
std::vector<std::string> default_checks();

// Returns nullptr where there is none.
const CheckRow* find_check(std::string_view name);

// Returns the kinds of findings that any launch may have, and those of interleavings.
std::span<const KindOfFinding> other_kinds();

} // namespace gputest::model
