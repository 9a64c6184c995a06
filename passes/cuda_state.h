// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of instrumented CUDA C++: a __device__ variable.
#pragma once

#include <string>

namespace gputest::passes {

// Returns the definitions that templates/coverage.cuh and mutants.cuh need. For a unit of a
// program, the variable is gputest_<variant>_<unit>: the words of model/mutation/cuda_state.h if
// the variant is "mutants", then bits. Without a unit, for a kernel that is launched by itself, it
// is gputest_state, laid out as in templates/state.h.
std::string cuda_state(const std::string& variant, const std::string& unit);

} // namespace gputest::passes
