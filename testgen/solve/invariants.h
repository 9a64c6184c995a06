// What holds of the variables of a kernel's loops in every iteration, found by guessing: bounds
// that the kernel's own comparisons name. A guess stays if it holds where the loop is entered, and
// in the next iteration where it and the other guesses hold in this one (Flanagan and Leino,
// Houdini, FME 2001). So
//
//     for (uint active = get_local_size(0); active > 1; active = (active + 1) / 2)
//
// has active >= 1.
#pragma once

#include "testgen/solve/statics.h"
#include "testgen/solve/z3_process.h"

#include <functional>

namespace gputest::testgen {

// Whether there are values that satisfy all of these and what is known of them.
using Ask = std::function<Verdict(const std::vector<Label>& conditions)>;

// Tells `statics` what it finds (Statics::keep_always). Asks no more after `seconds`: what is not
// proved by then is left out.
void find_invariants(Statics& statics, const Ask& ask, double seconds);

} // namespace gputest::testgen
