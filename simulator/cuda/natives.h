// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native functions that only CUDA's kernels call (for all kernels: execute/natives.h).
#pragma once

#include "simulator/execute/loader.h"

#include <string>
#include <vector>

namespace gputest::simulator::cuda {

std::vector<NativeSymbol> native_symbols();

// Returns the output of printf(). `arguments`: values as for C's varargs, each at a multiple of its
// size (CUDA C++ Programming Guide, "Formatted Output"). `parsed`: gets their number.
std::string printf_text(const char* format, const unsigned char* arguments, int& parsed);

} // namespace gputest::simulator::cuda
