// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compilers of MPI, such as mpicxx, which call another compiler with options of their own.
#pragma once

#include <string>
#include <vector>

namespace gputest::cuda::compiler {

// Whether a host compiler (nvcc's -ccbin) is named like one of these.
bool is_mpi_wrapper(const std::string& compiler);

// The words after the compiler in the command line that it calls, which `-show` prints: MPICH, Open
// MPI and their descendants know it. Throws std::runtime_error if there is no such program.
std::vector<std::string> options_of_mpi_wrapper(const std::string& compiler);

} // namespace gputest::cuda::compiler
