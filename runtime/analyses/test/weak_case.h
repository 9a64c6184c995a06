// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out whether a case that passes says little as a test (runtime/cases/weak.h), by launching
// it again.
#pragma once

#include "runtime/plan/case_runner.h"

#include <string>

namespace gputest::runtime {

// Returns why the case is weak. Empty: it is not, or nothing can be said. `initial` is the case
// before its launch. `by_function`: a reference or property judges all outputs; otherwise only
// outputs that the case expects something of count. Launches with other values may end this
// process, or take long. Throws what the first launch throws.
std::string why_weak(CaseRunner& runner, const model::KernelInterface& interface,
                     const BoundCase& initial, bool by_function);

} // namespace gputest::runtime
