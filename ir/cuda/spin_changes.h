// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records what threads change in memory while they wait for others (spins.h).
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace gputest::ir {

// Instruments `item`, whose stops are calls of kWarpFunction. In waiting loops and the loops around
// them, every change of memory is recorded in the context's `changes`. A loop that returns to its
// begin without a change will do so again. With the context's `watching`, the simulator is called
// for every read that a loop waits for.
void note_changes(llvm::Function& item);

// Returns the pointer of a load, store or atomic operation; null: the instruction is none.
const llvm::Value* pointer_of(const llvm::Instruction& instruction);
// Whether it surely points to private variables.
bool is_private(const llvm::Value* pointer);
// Whether it points to the state of coverage or mutants. No thread waits for changes there.
bool is_of_variant(const llvm::Value* pointer);

} // namespace gputest::ir
