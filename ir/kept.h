// Functions that stay functions: compiling them once is cheaper than once for each of their calls.
#pragma once

#include <llvm/IR/Function.h>

#include <set>

namespace gputest::simulator {

// What must be inlined whatever it costs.
enum class Keep {
  Nothing,   // every call is inlined, but for recursion without pointers and variables
  BuiltIns,  // built-in functions that compute something of their arguments and access no memory
             // of others may stay
  Everything // and the author's functions, unless they ask who the work-item is, wait or print
};

// Those reached from `kernel` that inlining would turn into more than kMostInlined instructions,
// from the kernel down; recursive ones that ask nothing; but not those of at most kAlwaysInlined,
// for which a call costs more than what it does; and of the author's that may stay those that are
// noinline and use no variables. Those of a __local or __shared__ variable never stay; who uses
// others gets the context (context_argument.h). No function is left with a call of one that would
// have to be inlined.
constexpr std::size_t kMostInlined = 3'000, kAlwaysInlined = 100;
std::set<const llvm::Function*> kept_functions(llvm::Module& module, llvm::Function& kernel,
                                               Keep keep);

} // namespace gputest::simulator
