// Whether a case that passes says little as a test (runtime/cases/weak.h), by launching it again.
#pragma once

#include "runtime/plan/case_runner.h"

#include <string>

namespace gputest::runtime {

// `initial`: before its launch. `by_function`: all outputs are judged, by a reference or property;
// else those that the case expects something of. Empty: it says enough, or nothing can be said.
// What other values do to the kernel may end this process, or take long. Throws what the first
// launch throws.
std::string why_weak(CaseRunner& runner, const model::KernelInterface& interface,
                     const BoundCase& initial, bool by_function);

} // namespace gputest::runtime
