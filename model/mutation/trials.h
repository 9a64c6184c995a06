// Mutants that the layer tries on single launches: what the command asks, and what it is told
// (docs/formats.md, "The run folder").
#pragma once

#include <cstdint>
#include <string>

namespace gputest::model {

struct Trial {
  std::string stem, mutant; // of the source; an id
  unsigned order = 0;       // of work-groups and work-items (runtime::order_of)
};

// Of all launches so far. A byte in a file.
enum class TrialResult : std::uint8_t {
  Nothing, // none of them differs
  Begun,   // a launch with the mutant has not ended
  Differs, // only a run of the program says what comes of it
  Noticed  // the mutant was stopped, and no launch before that differs
};

} // namespace gputest::model
