// What sets the bit of an outcome in coverage.cl, where each outcome is one bit (model/sites.h).
#pragma once

#include "ir/kernel.h"
#include "testgen/solve/statics.h"

#include <optional>
#include <vector>

namespace gputest::testgen {

// A statement that may set the bit.
struct Setting {
  Label condition = 0; // 1 bit: holds whenever the statement runs and sets it
  bool known = true;   // false: it cannot be said when
};

// All statements that may set bit `bit` of the coverage section, in a work-item's function with the
// state buffer as its last argument. nullopt: something is published of which it cannot be said
// where.
std::optional<std::vector<Setting>> settings_of(Statics& statics, const llvm::Function& item,
                                                const simulator::KernelShape& shape, unsigned bit);

} // namespace gputest::testgen
