// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gputest compare-kernels`: looks for an input with which two kernels differ.
#pragma once

namespace gputest::driver {

// Throws CommandError, and what testgen::compare_kernels() throws. Returns the exit code.
int compare_kernels(int argc, char** argv);

} // namespace gputest::driver
