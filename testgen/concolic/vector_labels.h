// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instruments what takes values apart and puts them together.
#pragma once

#include "testgen/concolic/memory_labels.h"

namespace gputest::testgen {

class VectorLabels : protected MemoryLabels {
protected:
  using MemoryLabels::MemoryLabels;

  // A cast between a vector and a number, or vectors of other widths: through bits.
  void rearrange(llvm::CastInst& cast);

  // Components of vectors, and members of what exchanges give. False: it is something else.
  bool visit_parts(llvm::Instruction& instruction);
};

} // namespace gputest::testgen
