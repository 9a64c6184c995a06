// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of instrumented C++. CUDA: a __device__ variable. C++ for OpenCL: a buffer, to which
// kernels set a variable, because methods and operators take no more parameters.
#pragma once

#include "frontend/edits.h"
#include "frontend/parse.h"

#include <string>
#include <utility>
#include <vector>

namespace gputest::passes {

// Returns the definitions that a tree's templates/coverage.cuh, mutants.cuh and differences.cuh
// need; `unit` is CUDA's.
std::string state_of(const frontend::Tree& tree, const std::string& variant,
                     const std::string& unit);

// Gives kernels of C++ for OpenCL the last parameter, and has them set the variable. Does nothing
// for CUDA.
void take_state(const frontend::Tree& tree, frontend::Edits& edits);

// Calls of kernels by others, which pass the state on: where to insert what. CUDA: none.
std::vector<std::pair<unsigned, std::string>> state_arguments(const frontend::Tree& tree);

// Returns the definitions that templates/coverage.cuh and mutants.cuh need. For a unit of a
// program, the variable is gputest_<variant>_<unit>: the words of model/mutation/cuda_state.h if
// the variant is "mutants", then bits. Without a unit, for a kernel that is launched by itself, it
// is gputest_state, laid out as in templates/state.h.
std::string cuda_state(const std::string& variant, const std::string& unit);

} // namespace gputest::passes
