// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The subcommands of gputest-generate, besides generate itself. Each returns the exit code, and
// throws CommandError and what compiling and testgen/ throw.
#pragma once

namespace gputest::driver {

// `gputest compare-kernels`: looks for an input with which two kernels differ.
int compare_kernels(int argc, char** argv);

// `gputest fuzz`: looks for inputs with which a kernel fails.
int fuzz(int argc, char** argv);

// `gputest init`: a project, or the lines for one, for kernels that have no tests yet.
int init(int argc, char** argv);

// `gputest prove`: finds mutants that nothing can kill.
int prove(int argc, char** argv);

} // namespace gputest::driver
