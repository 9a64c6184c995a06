// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of the check of uninitialized values: copies of aggregates to global memory, and words for
// what a value is used for.
#pragma once

#include "ir/kernel.h"
#include "ir/padding.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <string>
#include <vector>

namespace gputest::simulator {

// Whether the fourth component is none: the vector has three.
bool has_no_fourth(const llvm::ShuffleVectorInst& shuffle);

// Returns the values of a variable that begin as unwritten; none: its memory is tracked.
std::vector<ir::ValueInType> values_of(const llvm::AllocaInst& variable);

// Writes zeros to the bytes of a variable that need not be written: padding and unions. It does
// nothing for large ones.
void clear_padding(llvm::IRBuilder<>& builder, llvm::AllocaInst& variable);

// Makes padding count as written: of private variables to which structs are copied, of vectors of
// three, and of bit-fields that are beside a written one. For Stage::Written, while types are
// known.
void define_padding(llvm::Function& item);

// Adds a check to each copy to global memory. Definedness must not be tracked yet.
void check_output_copies(llvm::Function& item, ir::KernelShape& shape);

// The prefix of calls that use a value because it decides what comes next.
constexpr const char* kDecides = "gputest_decides";

// Adds calls of kDecides for the conditions of `c ? a : b` that Clang has made no branches. For
// Stage::Written: the optimiser makes others of branches, and removes those without effect.
void mark_choices(llvm::Function& item);

// Removes those whose choice is still there: what becomes of its value tells as much.
void leave_followed_choices(llvm::Function& item);

// Marks what may use an unwritten value. Call it before definedness is tracked.
void mark_uses(llvm::Function& item);

struct UseReport {
  unsigned message = 0;                 // its number (report.h)
  const llvm::LoadInst* read = nullptr; // ValueSources::read()
};
// For a place where tracking has found an unwritten value: names the use that follows `at`, and
// where the value comes from.
UseReport report_of_use(const llvm::Instruction& at, ir::KernelShape& shape);

} // namespace gputest::simulator
