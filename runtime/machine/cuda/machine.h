// CUDA's GPUs as machines: kernels of CUDA files, by the driver API and the machine's own compiler.
#pragma once

#include "runtime/machine/kind.h"

namespace gputest::runtime {

// The row of CUDA's GPUs: any of choose_gpu()'s names means one.
MachineKind cuda_kind();

} // namespace gputest::runtime
