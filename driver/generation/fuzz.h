// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gputest fuzz`: looks for inputs with which a kernel fails.
#pragma once

namespace gputest::driver {

// Throws CommandError, and what testgen::fuzz() throws. Returns the exit code.
int fuzz(int argc, char** argv);

} // namespace gputest::driver
