// The one table of PTX's instructions, for inline assembly and for modules.
#pragma once

#include "ir/cuda/ptx/arithmetic.h"
#include "ir/cuda/ptx/operands.h"

namespace gputest::simulator {

class PtxInstructions {
public:
  PtxInstructions(llvm::IRBuilder<>& builder, PtxOperands& values);

  // What the instruction does (PTX ISA), at the builder's place: moves, arithmetic, bits,
  // conversions, comparisons, accesses of memory, barriers, exchange within a warp, video. Whether
  // it is done (guards) and where control goes is the caller's. False: unknown; the function that
  // it belongs to is then of no use.
  bool translate(const PtxInstruction& instruction);

private:
  bool of_words(const PtxTexts& parts, const PtxTexts& operands);
  llvm::Type* operand_type(const PtxTexts& parts, llvm::Type* type, std::size_t index);
  bool pack(llvm::Type* type, const PtxTexts& operands);
  bool convert(const PtxTexts& parts, llvm::Type* from, const PtxTexts& operands);
  bool compare(const PtxTexts& parts, llvm::Type* type, const PtxTexts& operands);
  bool test(const PtxTexts& parts, llvm::Type* type, const PtxTexts& operands);
  bool choose_by_sign(const PtxTexts& parts, llvm::Type* type, const PtxTexts& operands);

  llvm::IRBuilder<>& builder_;
  PtxOperands& values_;
  PtxArithmetic arithmetic_;
};

} // namespace gputest::simulator
