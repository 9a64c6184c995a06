// Parts of the check of uninitialized values: copies of aggregates to global memory, and words for
// what a value is used for.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace gputest::simulator {

// Notes which bytes of structs must be written before they are copied: neither padding nor bytes of
// unions. For Stage::Written, while types are known. Such copies stay whole until
// check_output_copies().
void note_padding(llvm::Function& item);

// Adds a check to each copy to global memory. Definedness must not be tracked yet.
void check_output_copies(llvm::Function& item, KernelShape& shape);

// Marks what may use an unwritten value. Call it before definedness is tracked.
void mark_uses(llvm::Function& item);

// Returns the number of the message (report.h) for a place where tracking has found an unwritten
// value. It names the use that follows `at`, and the variables that the value may come from.
unsigned message_of_use(const llvm::Instruction& at, KernelShape& shape);

// Names the variable in messages; `value` stands for the value that it begins with.
void set_variable(llvm::Instruction& value, const llvm::AllocaInst& variable);

} // namespace gputest::simulator
