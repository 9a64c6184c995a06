// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of PTX's instructions: registers, numbers, variables.
#pragma once

#include "ir/cuda/ptx/text.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <vector>

namespace gputest::ir {

class PtxOperands {
public:
  // Registers become variables in the first block of `function`, which has nothing else.
  PtxOperands(llvm::IRBuilder<>& builder, llvm::Function& function);

  // Returns the type of an instruction's suffix; null: unknown.
  llvm::Type* type_of(llvm::StringRef suffix);
  bool is_signed() const { return is_signed_; } // for the type that type_of() returned last

  void enter_scope() { scopes_.emplace_back(); }
  void leave_scope();                            // throws PtxFault
  void declare(const PtxDeclaration& registers); // throws PtxFault
  void add(llvm::StringRef name, llvm::Value* pointer) { scopes_.back().objects[name] = pointer; }
  void add_register(llvm::StringRef name, llvm::AllocaInst* place) {
    scopes_.back().registers[name] = place;
  }
  void add_constant(llvm::StringRef name, llvm::Constant* value) { constants_[name] = value; }
  llvm::AllocaInst* make(llvm::Type* type, llvm::StringRef name, std::uint64_t align = 0);

  // Returns an operand's value; null: unknown. The name of a variable is its address, of 32 bits
  // for __shared__ memory.
  llvm::Value* read(llvm::StringRef operand, llvm::Type* type);
  // Writes a register. Returns false if the operand is none. Narrow values are extended to the
  // register's width.
  bool write(llvm::StringRef operand, llvm::Value* value, bool is_signed = false);
  bool is_predicate(llvm::StringRef operand);
  // Returns the variable or function of that name; null: there is none.
  llvm::Value* object(llvm::StringRef name) const;
  // Returns the same bits as another type, cut or extended to its width.
  llvm::Value* converted(llvm::Value* value, llvm::Type* type, bool is_signed = false);

private:
  struct Range {
    llvm::StringRef name;
    std::uint64_t count;
    llvm::Type* type;
  };
  struct Scope {
    std::map<llvm::StringRef, llvm::AllocaInst*> registers;
    std::vector<Range> ranges;
    std::map<llvm::StringRef, llvm::Value*> objects;
  };

  llvm::AllocaInst* find(llvm::StringRef name);
  llvm::Value* read_plain(llvm::StringRef operand);

  llvm::IRBuilder<>& builder_;
  llvm::Function& function_;
  std::vector<Scope> scopes_{1};
  std::map<llvm::StringRef, llvm::Constant*> constants_;
  bool is_signed_ = false;
};

} // namespace gputest::ir
