// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gputest-cuda --help.
#pragma once

namespace gputest::cuda::compiler {

// Prints the page, and returns the exit code 0.
int print_help();

} // namespace gputest::cuda::compiler
