// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in the headers of CUDA's toolkit that copy.
#pragma once

#include <llvm/IR/DebugLoc.h>

namespace gputest::simulator {

// The headers that copy are one for the author (cuda/include/gputest_cuda/copies.h): returns where
// the author's code calls them. Other places stay.
llvm::DebugLoc outside_of_toolkit(const llvm::DebugLoc& inside);

} // namespace gputest::simulator
