// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cycles of two kernels with the same inputs, on the model of a GPU.
#pragma once

#include "report/comparison/result.h"
#include "testgen/comparison/compare.h"

#include <string>

namespace gputest::driver {

// Adds the cycles with each of the inputs to `result`, or a note that says why there are none.
// Throws CommandError for an unknown GPU, and for one that cannot run CUDA's warps.
void add_cycles(const testgen::Target& first, const testgen::Target& second,
                const std::vector<testgen::ComparedInput>& inputs, const std::string& gpu,
                report::ComparisonResult& result);

} // namespace gputest::driver
