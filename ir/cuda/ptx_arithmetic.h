// What one instruction of PTX computes of its operands.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace gputest::simulator {

using PtxTexts = llvm::SmallVector<llvm::StringRef, 6>;

// The operands of an instruction: split at commas outside of brackets.
PtxTexts operands_of(llvm::StringRef text);

class PtxArithmetic {
public:
  explicit PtxArithmetic(llvm::IRBuilder<>& builder) : builder_(builder) {}

  // `parts`: of the instruction's name (mad, lo, u32). `type` is that of its suffix, and whether it
  // is signed. Null: unknown. A carry is kept for the next one.
  llvm::Value* compute(const PtxTexts& parts, llvm::Type* type, bool is_signed,
                       const std::vector<llvm::Value*>& values);

  // cvt: to the nearest, or to a whole number as the instruction says.
  llvm::Value* convert(const PtxTexts& parts, bool from_signed, llvm::Type* to, bool to_signed,
                       llvm::Value* value);

  static bool has(const PtxTexts& parts, llvm::StringRef word);

private:
  llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> values);
  llvm::Value* device_function(llvm::StringRef name, llvm::Type* type,
                               const std::vector<llvm::Value*>& values);
  llvm::Value* product(const PtxTexts& parts, llvm::Type* type, llvm::Value* a, llvm::Value* b);
  llvm::Value* with_carry(const PtxTexts& parts, llvm::Type* type, llvm::Value* a, llvm::Value* b);
  llvm::Value* shift(llvm::StringRef name, llvm::Type* type, llvm::Value* a, llvm::Value* count);
  llvm::Value* field(llvm::Type* type, const std::vector<llvm::Value*>& v);
  llvm::Value* inserted(llvm::Type* type, const std::vector<llvm::Value*>& v);
  llvm::Value* of_24_bits(const PtxTexts& parts, llvm::Type* type,
                          const std::vector<llvm::Value*>& v);
  llvm::Value* dot(const PtxTexts& parts, const std::vector<llvm::Value*>& v);
  llvm::Value* directed(const PtxTexts& parts, llvm::Type* type,
                        const std::vector<llvm::Value*>& v);
  llvm::Value* any_of_three(const std::vector<llvm::Value*>& v);
  llvm::Value* compute_integer(const PtxTexts& parts, llvm::Type* type,
                               const std::vector<llvm::Value*>& v);
  llvm::Value* compute_real(const PtxTexts& parts, llvm::Type* type,
                            const std::vector<llvm::Value*>& v);

  llvm::IRBuilder<>& builder_;
  llvm::Value* carry_ = nullptr;
  bool is_signed_ = false;
};

} // namespace gputest::simulator
