// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends a launch after a number of steps, which is the same on any machine and at any load.
#pragma once

#include "simulator/memory/native_symbol.h"

#include <llvm/IR/Function.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace gputest::simulator {

constexpr std::int64_t kAnySteps = std::numeric_limits<std::int64_t>::max();

// How many steps the code that runs may still make. It ends below 0. Only code that counts them
// (StepCounter, count_steps()) ends here, and one launch at a time.
extern std::int64_t steps_left; // NOLINT

// Where the code of a kernel counts iterations. To be made before others add blocks.
class StepCounter {
public:
  explicit StepCounter(llvm::Function& function);

  // Adds code that takes a step from steps_left at each iteration, and ends the launch below 0
  // (end_endless()). To be called after others have added blocks.
  void insert() const;

private:
  friend void count_steps(llvm::Module& module);

  std::vector<std::pair<llvm::BasicBlock*, std::int64_t>> places_; // with the steps of each
};

// Makes all functions of the module count. An iteration counts for about as many steps as it makes
// instructions on its longest way. So does what a work-item does outside of loops, and what a call
// of a recursive function does. An idle machine makes some 1,000 million in a second.
void count_steps(llvm::Module& module);

// What code that counts needs.
std::vector<NativeSymbol> step_symbols();

} // namespace gputest::simulator
