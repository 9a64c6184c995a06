// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates one instruction, which neither reads memory nor joins ways of control, to a node of
// the table.
#pragma once

#include "testgen/concolic/table.h"

#include <llvm/IR/Instructions.h>

#include <vector>

namespace gputest::testgen {

// `operands`: the labels of all operands, and for a call those of its arguments; none is 0. Returns
// 0 if the table has no such operation.
Label translated(Table& table, const llvm::Instruction& instruction, std::vector<Label> operands);

} // namespace gputest::testgen
