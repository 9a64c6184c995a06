// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the kernel that unit-tests a device function: work-item i calls the function with element
// i of each argument.
#pragma once

#include "frontend/parse.h"

namespace gputest::passes {

// Returns the text of `__kernel void gputest_<function>(…)`, to append to the source:
//
//     by-value parameter T x            -> __global const T* x, x[i] is passed
//     pointer to private (or generic) T -> __global T* x, a copy of x[i] is passed and written back
//     pointer to global, constant, local, images, samplers -> passed on as they are
//     return type R other than void     -> __global R* result, result[i] is assigned
//
// Fails if there is no such function with a body, or if it is a kernel.
llvm::Expected<std::string> wrap_function(const Tree& tree, const std::string& function);

std::string wrapper_name(const std::string& function); // "gputest_<function>"

} // namespace gputest::passes
