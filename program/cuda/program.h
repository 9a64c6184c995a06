// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kind of programs with device code of CUDA or HIP, which run in the simulator or on a GPU.
#pragma once

#include "program/kind.h"

namespace gputest::program {

ProgramKind cuda_kind();

} // namespace gputest::program
