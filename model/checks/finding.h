// What a check of the simulator found: something that a kernel did and no kernel may do.
#pragma once

#include "model/schedules/schedule.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace gputest::model {

// A place in a source, as #line names it. Lines and columns begin at 1; line 0: not known.
struct CodePlace {
  std::string file;
  unsigned line = 0, column = 0;
  bool operator==(const CodePlace&) const = default;
};

struct Finding {
  std::string kind; // one of those that model/checks/checks.def lists
  CodePlace site{};
  std::string message{}; // for people, without the place
  // The earlier access of a race; where the other work-items of a barrier wait. Line 0: none.
  CodePlace other{};
  std::uint64_t count = 1;            // how often it was seen
  std::string cause{};                // findings of one cause are mended together; empty: none
  bool fatal = false;                 // the launch ended there
  std::optional<Schedule> schedule{}; // that shows it; nothing: any
  bool operator==(const Finding&) const = default;
};

// "k.cl:3:5", or "an unknown place".
std::string place_text(const CodePlace& place);

// "k.cl:3:5: error: …": editors jump there.
std::string text_of(const Finding& finding);

// Findings of which this is the same are one: the kind, and the lines of both places, whichever
// came first. A pair of accesses that writes the same value in one case is a race in another:
// "race" and "race_same_value" are one kind here.
std::string pair_of(const Finding& finding);

// Counts `again`, which is the same finding (pair_of) seen elsewhere. Where it is the worse one,
// `finding` becomes it, and the result is true.
bool absorb(Finding& finding, const Finding& again);

// As the simulator, workers, the layer and check.json say it (docs/formats.md, "Checks").
// from_json throws FormatError where a key is missing, of another type or out of range.
nlohmann::ordered_json to_json(const Finding& finding);
Finding finding_from_json(const nlohmann::ordered_json& json);

} // namespace gputest::model
