// What is known of a mutant whose worker died.
#pragma once

#include "runtime/cases/values.h"
#include "store/store.h"

#include <string>

namespace gputest::runtime {

// An outcome and the key of the program it belongs to.
struct KeyedOutcome {
  std::string program;
  store::Outcome outcome;
  bool is_known = true; // false: no verdict, only that there is none; it is not stored
};

// What a worker says of the runs that it begins, so that others can tell what it died of. The
// verdict CompileError: of building `program`.
Json lost_detail(const std::string& program, const store::Outcome& outcome);

// The outcome of the runs with this detail, in which the worker died ("crashed"), ended because the
// mutant's budget was used up ("exhausted"), was ended ("timeout"), or was ended by somebody else
// again and again ("error"): undecided.
KeyedOutcome lost_outcome(const Json& detail, const std::string& verdict,
                          const std::string& message, double seconds);

} // namespace gputest::runtime
