// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device code of CUDA files, from the cache if possible.
#pragma once

#include "ir/cuda/compile.h"
#include "simulator/execute/cache.h"

#include <string>

namespace gputest::simulator {

// Returns the kernel's device code. Throws what compile_cuda() throws.
ir::CompiledCuda device_code_of(const ir::Source& source, const std::string& kernel,
                                const Cache& cache);

// Returns a source that is launched by itself with its device code, so that all variants share one
// compilation.
ir::Source with_device_code(ir::Source source, const std::string& kernel, const Cache& cache);

} // namespace gputest::simulator
