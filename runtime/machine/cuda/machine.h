// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA GPUs as machines. They run kernels of CUDA files, by the driver API and the machine's own
// compiler.
#pragma once

#include "runtime/machine/kind.h"

namespace gputest::runtime {

// Returns the row of CUDA GPUs. Any name that choose_gpu() takes means one.
MachineKind cuda_kind();

} // namespace gputest::runtime
