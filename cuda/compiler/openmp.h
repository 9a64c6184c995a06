// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP of host code, where the compiler's library for it is installed.
#pragma once

#include "cuda/compiler/command.h"
#include "cuda/compiler/toolkit.h"

namespace gputest::cuda::compiler {

// The command with the options by which pragmas have an effect and omp_…() are linked. Without the
// library pragmas have none, GCC's library has the functions, and a warning on standard error names
// the package.
Command with_openmp(Command command, const Toolkit& toolkit);

} // namespace gputest::cuda::compiler
