// The table of the simulator's checks: what users call them, and what their findings are called.
// The rows are model/checks/checks.def.
#pragma once

#include <span>
#include <string_view>

namespace gputest::model {

struct KindOfFinding {
  std::string_view name, summary; // summary: a sentence without a full stop
};

struct CheckRow {
  std::string_view name;  // "races": `--check races`, in CMake CHECK RACES
  bool on = false;        // made where nobody says which
  std::string_view finds; // "accesses of two work-items that nothing orders"
  bool guards = false;    // what it finds does no harm
  std::span<const KindOfFinding> kinds;
};

std::span<const CheckRow> check_rows();

// nullptr: there is none.
const CheckRow* find_check(std::string_view name);

// Kinds of findings that any launch may have, and those of interleavings.
std::span<const KindOfFinding> other_kinds();

} // namespace gputest::model
