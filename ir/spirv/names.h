// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of OpenCL's built-in functions for the target of the simulator's code.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gputest::ir {

// Returns the name that a built-in function of the target SPIR has for NVPTX, where constant memory
// is address space 4, and a pointer to any memory has none: "_Z6vload4mPU3AS2Kf" becomes
// "_Z6vload4mPU3AS4Kf". Other names stay as they are.
std::string name_for_nvptx(llvm::StringRef name);

} // namespace gputest::ir
