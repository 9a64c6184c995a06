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
// In CUDA C++, where pointers say nothing of memory:
//
//     by-value parameter T x, const T& x -> const T* x, x[i] is passed
//     T& x, T* x                         -> T* x, x[i] or &x[i] is passed
//     const T* x                         -> passed on as it is
//     return type R other than void      -> R* result (`returned` if a parameter is called so)
//
// `function` may have namespaces, template arguments and an overload's types there. Fails if there
// is no such function with a body, or if it is a kernel or a member of an object.
llvm::Expected<std::string> wrap_function(const frontend::Tree& tree, const std::string& function);
llvm::Expected<std::string> wrap_cuda_function(const frontend::Tree& tree,
                                               const std::string& function);

// Returns the text of a host function, to append to the same source. It calls the function as the
// wrapper kernel does, for each of `count` threads:
//
//     extern "C" const char* gputest_host_<function>(size_t count, void* const* buffers,
//                                                    const size_t* bytes)
//
// `buffers` are the wrapper's arguments, in order, and `bytes` says how many each has. The function
// returns the name of a buffer that has fewer elements than there are threads; null: it has called
// the function for all. Fails as wrap_function() does, and for a function without __host__.
llvm::Expected<std::string> host_version(const frontend::Tree& tree, const std::string& function);

} // namespace gputest::passes
