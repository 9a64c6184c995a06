// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about the answer that a thread gets from its warp or block, whatever the other threads do:
// the thread itself takes part. For example, if "all" is true, the thread's own value was true.
#pragma once

#include "testgen/concolic/table.h"

#include <llvm/IR/Instructions.h>

#include <optional>
#include <vector>

namespace gputest::testgen {

// The question that a thread has put into its slot (templates/simulator/context.h).
struct Asked {
  unsigned kind = 0;
  const llvm::Value* value = nullptr; // 64 bits
};

// Returns the question whose answer `answer` loads from the slot. nullopt: it loads something else,
// or the kind is not constant.
std::optional<Asked> asked_before(const llvm::LoadInst& answer, const llvm::Function& item);

// Returns conditions, 1 bit each, that hold for the answer `told` to the value `said`. Both have 64
// bits; `said` is 0 if nothing is known.
std::vector<Label> facts_of_answer(Table& table, unsigned kind, Label told, Label said);

} // namespace gputest::testgen
