// Where memory of kernels begins.
#pragma once

#include <cstddef>

namespace gputest::simulator {

// The content of buffers, __local memory and variables of the program: at multiples of it.
constexpr std::size_t kBufferAlignment = 128;

} // namespace gputest::simulator
