// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses functions that are not inlined, because compiling them once is cheaper than once for each
// call.
#pragma once

#include <llvm/IR/Function.h>

#include <set>

namespace gputest::ir {

// Which functions may be kept.
enum class Keep {
  Nothing,   // none, except recursive functions without pointers and variables
  BuiltIns,  // only built-in functions that compute with their arguments and access no other memory
  Everything // also the author's functions, unless they ask for the work-item's ids, wait or print
};

// Returns the functions to keep, chosen from the kernel down:
// - functions whose inlined copies together would exceed kMostInlined instructions. A function of
//   at most kAlwaysInlined instructions is inlined all the same, because a call costs more.
// - recursive functions.
// - with Keep::Everything, the author's functions that are noinline and use no program-scope
//   variables.
// A function that uses a __local or __shared__ variable is never kept. One that uses a
// program-scope variable gets the context (context_argument.h). A kept function never calls one
// that must be inlined.
constexpr std::size_t kMostInlined = 3'000, kAlwaysInlined = 100;
std::set<const llvm::Function*> kept_functions(llvm::Module& module, llvm::Function& kernel,
                                               Keep keep);

} // namespace gputest::ir
