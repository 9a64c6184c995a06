// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic of PTX's instructions.
#pragma once

#include "ir/cuda/ptx/text.h"

#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace gputest::ir {

// Converts a bf16 to float. A bf16 is the upper half of a float.
llvm::Value* widened_bf16(llvm::IRBuilder<>& builder, llvm::Value* bits);

class PtxArithmetic {
public:
  // `carry`: a variable of one bit, the carry flag between instructions.
  PtxArithmetic(llvm::IRBuilder<>& builder, llvm::Value* carry)
      : builder_(builder), carry_(carry) {}

  // Returns the result of an instruction; null: it is unknown. `parts`: parts of its name (mad, lo,
  // u32). `type`, `is_signed`: its suffix.
  llvm::Value* compute(const PtxTexts& parts, llvm::Type* type, bool is_signed,
                       const std::vector<llvm::Value*>& values);

  // Returns the result of cvt with the instruction's rounding; null: unknown.
  llvm::Value* convert(const PtxTexts& parts, bool from_signed, llvm::Type* to, bool to_signed,
                       llvm::Value* value);

  // With .ftz among `parts`: subnormal numbers become zeros with their sign.
  llvm::Value* flushed(const PtxTexts& parts, llvm::Value* value);

private:
  llvm::Value* flushed(const PtxTexts& parts, llvm::Value* value, llvm::Value* exact);
  llvm::Value* before_rounding(const PtxTexts& parts, llvm::Type* type,
                               const std::vector<llvm::Value*>& v);
  llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> values);
  llvm::Value* device_function(llvm::StringRef name, llvm::Type* type,
                               const std::vector<llvm::Value*>& values);
  llvm::Value* product(const PtxTexts& parts, llvm::Type* type, llvm::Value* a, llvm::Value* b);
  llvm::Value* with_carry(const PtxTexts& parts, llvm::Type* type, llvm::Value* a, llvm::Value* b);
  llvm::Value* shift(llvm::StringRef name, llvm::Type* type, llvm::Value* a, llvm::Value* count);
  llvm::Value* place_of_bits(llvm::Type* type, llvm::Value* value);
  llvm::Value* permuted(const PtxTexts& parts, const std::vector<llvm::Value*>& v);
  llvm::Value* extended(const PtxTexts& parts, llvm::Value* word, llvm::Value* length);
  llvm::Value* field(llvm::Type* type, const std::vector<llvm::Value*>& v);
  llvm::Value* inserted(llvm::Type* type, const std::vector<llvm::Value*>& v);
  llvm::Value* of_24_bits(const PtxTexts& parts, llvm::Type* type,
                          const std::vector<llvm::Value*>& v);
  llvm::Value* dot(const PtxTexts& parts, const std::vector<llvm::Value*>& v);
  llvm::Value* directed(const PtxTexts& parts, llvm::Type* type,
                        const std::vector<llvm::Value*>& v);
  llvm::Value* ones(const PtxTexts& parts, llvm::Value* position, llvm::Value* length);
  llvm::Value* any_of_three(const std::vector<llvm::Value*>& v);
  llvm::Value* compute_integer(const PtxTexts& parts, llvm::Type* type,
                               const std::vector<llvm::Value*>& v);
  llvm::Value* compute_narrow(const PtxTexts& parts, llvm::Type* type,
                              const std::vector<llvm::Value*>& v);
  llvm::Value* compute_real(const PtxTexts& parts, llvm::Type* type,
                            const std::vector<llvm::Value*>& v);

  llvm::Value* fused(const std::vector<llvm::Value*>& v);
  llvm::Value* between_0_and_1(llvm::Value* value);
  llvm::Value* extreme(const PtxTexts& parts, const std::vector<llvm::Value*>& v);
  llvm::Value* not_negative(llvm::Value* value);
  llvm::Value* widened(llvm::Value* narrow);
  llvm::Value* narrowed(llvm::Value* real, llvm::Type* type);
  llvm::Value* narrowed(const PtxTexts& parts, llvm::Value* value, bool from_signed,
                        llvm::Type* type);
  llvm::Value* saturated(llvm::Value* value, bool from_signed, llvm::Type* to, bool to_signed);
  llvm::Value* rounded_by_function(const PtxTexts& parts, bool from_signed, llvm::Type* to,
                                   llvm::Value* value);

  llvm::IRBuilder<>& builder_;
  llvm::Value* carry_;
  bool is_signed_ = false;
};

} // namespace gputest::ir
