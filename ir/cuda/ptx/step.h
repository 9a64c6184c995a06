// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of the translators for families of instructions.
#pragma once

#include "ir/call.h"
#include "ir/cuda/ptx/operands.h"

namespace gputest::ir {

class PtxStep {
public:
  // `parts`: parts of the instruction's name (ld, shared, u32).
  PtxStep(llvm::IRBuilder<>& builder, PtxOperands& values, const PtxTexts& parts,
          const PtxTexts& operands)
      : builder_(builder), values_(values), parts_(parts), operands_(operands) {}

protected:
  bool has(llvm::StringRef word) const { return has_part(parts_, word); }
  llvm::Value* number(unsigned value) { return builder_.getInt32(value); }

  // Emits a call that waits for the warp and returns its answer (templates/simulator/context.h).
  llvm::Value* warp(unsigned kind, llvm::Value* mask, llvm::Value* value, llvm::Value* parameter) {
    return call_by_name(builder_, "gputest_warp", builder_.getInt64Ty(),
                        {number(kind), mask, value, parameter});
  }

  llvm::IRBuilder<>& builder_;
  PtxOperands& values_;
  const PtxTexts &parts_, &operands_;
};

} // namespace gputest::ir
