// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finding of the simulator's checks: a kernel did what no kernel may do.
#pragma once

#include "model/schedules/schedule.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace gputest::model {

// A place in a source, as #line names it. Lines and columns begin at 1; line 0: unknown.
struct CodePlace {
  std::string file;
  unsigned line = 0, column = 0;
  bool operator==(const CodePlace&) const = default;
};

struct Finding {
  std::string kind; // one of those that model/checks.def lists
  CodePlace site{};
  std::string message{}; // for people, without the place
  // The earlier access of a race; where the other work-items of a barrier wait. Line 0: none.
  CodePlace other{};
  std::uint64_t count = 1;            // how often it was seen
  std::string object{};               // what is accessed; empty: nothing, or not known
  std::string cause{};                // findings of one cause are mended together; empty: none
  bool fatal = false;                 // the launch ended there
  std::optional<Schedule> schedule{}; // a schedule that shows it; nullopt: any does
  bool operator==(const Finding&) const = default;
};

// Returns "k.cl:3:5", or "an unknown place".
std::string place_text(const CodePlace& place);

// Returns "k.cl:3:5: error: … [race]", from which editors jump to the place.
std::string text_of(const Finding& finding);

// Returns a key. Findings with the same key count as one. It has the kind, the object and the lines
// of both places, whichever came first. Accesses that write the same value in one case may race in
// another, so "race" and "race_same_value" are one kind here.
std::string pair_of(const Finding& finding);

// Adds `again` to the count of `finding`, which has the same pair_of(). If `again` is the worse
// one, `finding` becomes it, and the function returns true.
bool absorb(Finding& finding, const Finding& again);

// Convert to and from the JSON of the simulator, workers, the layer and check.json
// (docs/reference/formats.md, "Checks"). from_json throws FormatError where a key is missing, of
// another type or out of range.
void to_json(nlohmann::ordered_json& json, const Finding& finding);
void from_json(const nlohmann::ordered_json& json, Finding& finding);

} // namespace gputest::model
