// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends a traced launch after a number of steps, which is the same on any machine and at any load.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>
#include <vector>

namespace gputest::testgen {

// What a launch does counts as so many steps: an iteration of a loop or the begin of a work-item as
// one, a call of the recorder as kStepsOfCall. An idle machine makes some 200 million in a second.
constexpr std::int64_t kStepsOfCall = 64;

// Where the code of a kernel counts. To be made before instrument(), which adds blocks.
class StepCounter {
public:
  explicit StepCounter(llvm::Function& item);

  // Adds code that counts gputest_steps_left down at each iteration, and calls gputest_label_over
  // below 0. To be called after instrument().
  void insert() const;

private:
  std::vector<llvm::BasicBlock*> heads_; // of loops
};

} // namespace gputest::testgen
