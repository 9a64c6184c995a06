// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The questions of `gputest run` about mutants that the layer tries on single launches, and the
// answers (docs/reference/formats.md, "The run folder").
#pragma once

#include "model/json.h"

#include <cstdint>
#include <string>
#include <tuple>

namespace gputest::model {

struct Trial {
  std::string stem, mutant; // stem: of the source; mutant: its id
  unsigned order = 0;       // order of work-groups and work-items (runtime::order_of)
};
constexpr auto fields_of(const Trial*) {
  return std::tuple{field("source", &Trial::stem), field("mutant", &Trial::mutant),
                    field("order", &Trial::order)};
}

// The result of all launches so far. It is a byte in a file.
enum class TrialResult : std::uint8_t {
  Nothing, // no launch differs
  Begun,   // a launch with the mutant has not ended
  Differs, // a launch differs; only a run of the program tells the verdict
  Noticed  // the mutant was stopped, and no launch before that differs
};

} // namespace gputest::model
