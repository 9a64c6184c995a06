// What is certain of what a thread is told by its warp or block, whoever the others are: it takes
// part itself. "All say so" means that the thread said so.
#pragma once

#include "testgen/concolic/table.h"

#include <llvm/IR/Instructions.h>

#include <optional>
#include <vector>

namespace gputest::testgen {

// What a thread has put into its slot (templates/simulator/context.h) before it waited.
struct Asked {
  unsigned kind = 0;
  const llvm::Value* value = nullptr; // 64 bits
};

// Where `answer` reads the slot's result; nullopt: it does not, or the kind is not known.
std::optional<Asked> asked_before(const llvm::LoadInst& answer, const llvm::Function& item);

// Conditions, 1 bit each. `told`, `said`: 64 bits; `said` is 0 where nothing is known of it.
std::vector<Label> facts_of_answer(Table& table, unsigned kind, Label told, Label said);

} // namespace gputest::testgen
