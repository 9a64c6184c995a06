// What CUDA's kernels call by name, besides what all kernels do (execute/natives.h).
#pragma once

#include "simulator/execute/loader.h"

#include <string>
#include <vector>

namespace gputest::simulator::cuda {

std::vector<NativeSymbol> native_symbols();

// What printf prints: `arguments` lie as C's varargs would, each at a multiple of its size (CUDA
// C++ Programming Guide, "Formatted Output"). `parsed`: gets how many there are.
std::string printf_text(const char* format, const unsigned char* arguments, int& parsed);

} // namespace gputest::simulator::cuda
