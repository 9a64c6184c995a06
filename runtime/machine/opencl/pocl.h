// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes PoCL read of its built-in functions and their declarations only what a program names.
#pragma once

namespace gputest::runtime {

// Loads libgputest_pocl.so (pocl_library.cpp), if it is beside the library that this code is in.
// Call it in host programs alone, before OpenCL is used: other processes may have their own LLVM.
void speed_up_pocl();

// Whether this process has called speed_up_pocl(), without layers. Programs of others, and those
// that layers see, are built from their text alone.
bool speeds_up_pocl();

} // namespace gputest::runtime
