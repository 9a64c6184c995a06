// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gputest prove`: finds mutants that nothing can kill.
#pragma once

namespace gputest::driver {

// Throws CommandError, and what compiling throws. Returns the exit code.
int prove(int argc, char** argv);

} // namespace gputest::driver
