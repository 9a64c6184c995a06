// How a CUDA file is read that no build describes: with the headers of our own toolkit.
#pragma once

#include "frontend/cuda/unit.h"
#include "frontend/source_options.h"

#include <llvm/Support/Error.h>

namespace gputest::passes {

// Fails where the toolkit is not beside this program, and GPUTEST_CUDA_TOOLKIT names none.
llvm::Expected<CudaOptions> cuda_options(const SourceOptions& options);

} // namespace gputest::passes
