// What threads change in memory while they wait for others (spins.h).
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace gputest::simulator {

// Of `item` whose stops are calls of kWarpFunction: in loops that wait, and those around them, the
// context's `changes` gets to know of every change of memory. Nothing else happens if nothing
// changes, so that a loop which comes back without a change does so again. With `watching`, the
// simulator gets to know of every read that is waited for.
void note_changes(llvm::Function& item);

// What a load, a store or an atomic operation accesses; null: it is none.
const llvm::Value* pointer_of(const llvm::Instruction& instruction);
// Whether it surely points to variables of the thread's own.
bool is_private(const llvm::Value* pointer);
// Whether it points into what coverage and mutants count: nobody waits for that.
bool is_of_variant(const llvm::Value* pointer);

} // namespace gputest::simulator
