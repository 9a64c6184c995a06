// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of mended texts (refused.h) in the files as their author wrote them.
#pragma once

#include "frontend/cuda/unit.h"
#include "frontend/cuda/written_out.h"

namespace gputest::frontend {

// Changes a text that was written out with the last of `options.refused` mended: its parts are
// where they are in the files before that.
void as_before_mending(WrittenOut& written, CudaOptions options);

} // namespace gputest::frontend
