// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates instructions to nodes of the table: one that neither reads memory nor joins ways of
// control, and one that ends a block.
#pragma once

#include "testgen/concolic/table.h"

#include <llvm/IR/Instructions.h>

#include <functional>
#include <vector>

namespace gputest::testgen {

// `operands`: the labels of all operands, and for a call those of its arguments; none is 0. Returns
// 0 if the table has no such operation.
Label translated(Table& table, const llvm::Instruction& instruction, std::vector<Label> operands);

// Returns when control goes from a block to one of its successors. Returns 0 if the block ends with
// no branch or switch, or if `number`, which returns the label of a value, returns 0 for the value
// that decides. `make`: that of the table, or another one that brings nodes into a form.
Label way_taken(Table& table, const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                const std::function<Label(const llvm::Value*)>& number,
                const std::function<Label(Op, Label, Label)>& make);

} // namespace gputest::testgen
