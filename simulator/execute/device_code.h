// The device code of CUDA files, from the cache where it is known.
#pragma once

#include "ir/cuda/compile.h"
#include "simulator/execute/cache.h"

#include <string>

namespace gputest::simulator {

// Throws what compile_cuda() throws.
CompiledCuda device_code_of(const Source& source, const std::string& kernel, const Cache& cache);

// A kernel by itself with its device code, so that it is compiled once for all ways to run it.
Source with_device_code(Source source, const std::string& kernel, const Cache& cache);

} // namespace gputest::simulator
