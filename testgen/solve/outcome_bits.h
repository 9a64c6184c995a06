// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the statements of coverage.cl that set the bit of an outcome. Each outcome has one bit
// (model/sites.h).
#pragma once

#include "ir/kernel.h"
#include "testgen/solve/statics.h"

#include <optional>
#include <vector>

namespace gputest::testgen {

// A statement that may set the bit.
struct Setting {
  Label condition = 0; // 1 bit: holds whenever the statement sets the bit
  bool known = true;   // false: the condition cannot be derived
};

// Returns all statements that may set bit `bit` of the coverage section. `item`: a work-item's
// function whose last argument is the state buffer. nullopt: the function writes outcomes to a
// place that cannot be derived.
std::optional<std::vector<Setting>> settings_of(Statics& statics, const llvm::Function& item,
                                                const ir::KernelShape& shape, unsigned bit);

} // namespace gputest::testgen
