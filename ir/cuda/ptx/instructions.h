// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of PTX's instructions, for inline assembly and modules.
#pragma once

#include "ir/cuda/ptx/arithmetic.h"
#include "ir/cuda/ptx/operands.h"

namespace gputest::ir {

class PtxInstructions {
public:
  PtxInstructions(llvm::IRBuilder<>& builder, PtxOperands& values);

  // Translates an instruction (PTX ISA) at the builder's place: moves, arithmetic, bits,
  // conversions, comparisons, memory, barriers, exchange within a warp, video. Guards and control
  // flow are the caller's task. Returns false if it is unknown; the function is then unusable.
  bool translate(const PtxInstruction& instruction);

private:
  bool of_words(const PtxTexts& parts, const PtxTexts& operands);
  llvm::Type* operand_type(const PtxTexts& parts, llvm::Type* type, std::size_t index);
  bool pack(llvm::Type* type, const PtxTexts& operands);
  bool convert(const PtxTexts& parts, llvm::Type* from, const PtxTexts& operands);
  bool saturate_both(const PtxTexts& parts, const PtxTexts& operands);
  bool to_tf32(const PtxTexts& parts, const PtxTexts& operands);
  bool compare(const PtxTexts& parts, llvm::Type* type, const PtxTexts& operands);
  bool test(const PtxTexts& parts, llvm::Type* type, const PtxTexts& operands);
  bool choose_by_sign(const PtxTexts& parts, llvm::Type* type, const PtxTexts& operands);

  llvm::IRBuilder<>& builder_;
  PtxOperands& values_;
  PtxArithmetic arithmetic_;
};

} // namespace gputest::ir
