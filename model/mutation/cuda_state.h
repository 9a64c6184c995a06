// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first words of the state of a CUDA source with mutants (templates/mutants.cuh). The bits of
// reached sites follow them.
#pragma once

namespace gputest::model {

enum CudaMutantWord : unsigned {
  kCudaActive = 0,     // in: the active mutant; 0: the original; 0xffffffff: the original, traced
  kCudaBudget = 1,     // in: budget of loop iterations in one execution of a function; 0: no limit
  kCudaIterations = 2, // out, traced: the most iterations in one execution
  kCudaEvents = 3,     // out
  kCudaTold = 4,       // in, two words: the address of a word that gets the events as well; or 0
  kCudaReached = 6     // the first word of bits
};

constexpr unsigned kCudaBudgetEvent = 2; // a loop has used up the budget and ended the kernel

} // namespace gputest::model
