// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a CUDA file for which no build has recorded options: with the headers of our own toolkit.
#pragma once

#include "frontend/cuda/unit.h"
#include "frontend/source_options.h"

#include <llvm/Support/Error.h>

namespace gputest::frontend {

// Fails if the toolkit is not beside this program and GPUTEST_CUDA_TOOLKIT does not name it.
llvm::Expected<CudaOptions> cuda_options(const SourceOptions& options);

} // namespace gputest::frontend
