// The operands of inline PTX: what its statements read and write.
#pragma once

#include "ir/cuda/ptx.h"
#include "ir/cuda/ptx_arithmetic.h"

#include <map>
#include <string>
#include <vector>

namespace gputest::simulator {

class PtxOperands {
public:
  PtxOperands(llvm::CallInst& call, llvm::IRBuilder<>& builder, const SpecialRegister& special);

  // The type that an instruction's suffix says; null: none that is known.
  llvm::Type* type_of(llvm::StringRef suffix);
  bool is_signed() const { return is_signed_; } // the type that was asked for last

  bool declare(llvm::StringRef rest);                           // .reg .u32 a, b<4>
  llvm::Value* read(llvm::StringRef operand, llvm::Type* type); // null: unknown
  bool is_predicate(llvm::StringRef operand) const;
  bool write(llvm::StringRef operand, llvm::Value* value);
  // What the statement gives; null: nothing was written there.
  llvm::Value* output(unsigned index, llvm::Type* type);
  unsigned outputs() const { return outputs_; }

  // Instructions from here on take place where the predicate holds; null: always.
  void set_predicate(llvm::Value* predicate) { predicate_ = predicate; }
  llvm::Value* predicate() const { return predicate_; }
  // What is done until leave() is done where the predicate holds, and not elsewhere.
  void enter();
  void leave();

private:
  llvm::Value* converted(llvm::Value* value, llvm::Type* type);
  llvm::Value* chosen(llvm::Value* value, llvm::Value* old);

  llvm::CallInst& call_;
  llvm::IRBuilder<>& builder_;
  const SpecialRegister& special_;
  std::vector<llvm::Value*> slots_; // outputs, then inputs; an output without a value is null
  unsigned outputs_ = 0;
  std::map<std::string, llvm::Value*> locals_;
  llvm::Value* predicate_ = nullptr;
  llvm::Instruction* inside_ = nullptr; // the end of what is done where the predicate holds
  bool is_signed_ = false;
};

} // namespace gputest::simulator
