// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds invariants of loops by guessing. For example,
//
//     for (uint active = get_local_size(0); active > 1; active = (active + 1) / 2)
//
// has the invariant active >= 1. Guesses are bounds that the kernel's own comparisons name. A guess
// stays if it holds where the loop is entered, and if it holds in the next iteration whenever all
// guesses hold in this one (Flanagan and Leino, Houdini, FME 2001).
#pragma once

#include "testgen/solve/statics.h"
#include "testgen/solve/z3_process.h"

#include <functional>

namespace gputest::testgen {

// Answers which of the doubts hold together wherever all conditions and the known facts about their
// variables do (Question::doubts).
using Ask =
    std::function<Verdict(const std::vector<Label>& conditions, const std::vector<Label>& doubts)>;

// Passes the invariants to Statics::keep_always(). Stops asking when Z3 has made the steps of
// `seconds` (kStepsOfSecond), and leaves out guesses that are not proved by then.
void find_invariants(Statics& statics, const Ask& ask, double seconds);

} // namespace gputest::testgen
