// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises weak test cases, whose outputs would stay the same with many faults in the kernel.
#pragma once

#include "testgen/inputs/constraints.h"
#include "testgen/worker.h"

#include <string>

namespace gputest::testgen {

// Returns whether each output has one value everywhere, or is what it was before the launch.
bool is_weak(const Target& target, const Input& input, const Checked& checked);

// Returns why a valid input is weak: is_weak(), or outputs that do not change when the values that
// the kernel reads change. Empty: it is not weak. Throws what the worker throws.
std::string why_weak(const Target& target, const Constraints& constraints, Worker& worker,
                     const Input& input, const Checked& checked);

} // namespace gputest::testgen
