// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of group_accesses.h that look at one instruction or object at a time.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <string>

namespace gputest::simulator {

// Returns why the groups of any launch must run one by one; "": they need not.
std::string obstacle(llvm::Function& item, const ir::KernelShape& shape);

// Whether the launch places the memory for each group, as far as an object, or a pointer, tells.
bool is_of_group(const ir::Object& object, const ir::KernelShape& shape);
bool points_into_group(const llvm::Value* pointer, const ir::KernelShape& shape);

// Returns GroupAccess::update of an instruction.
unsigned update_by(const llvm::Instruction& instruction);

} // namespace gputest::simulator
