// The operands of PTX's instructions: registers, numbers, variables.
#pragma once

#include "ir/cuda/ptx/text.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <vector>

namespace gputest::simulator {

class PtxOperands {
public:
  // Registers are variables at the beginning of `function`, whose first block has nothing else.
  PtxOperands(llvm::IRBuilder<>& builder, llvm::Function& function);

  // The type that an instruction's suffix says; null: none that is known.
  llvm::Type* type_of(llvm::StringRef suffix);
  bool is_signed() const { return is_signed_; } // the type that was asked for last

  void enter_scope() { scopes_.emplace_back(); }
  void leave_scope();                            // throws PtxFault
  void declare(const PtxDeclaration& registers); // throws PtxFault
  void add(llvm::StringRef name, llvm::Value* pointer) { scopes_.back().objects[name] = pointer; }
  void add_register(llvm::StringRef name, llvm::AllocaInst* place) {
    scopes_.back().registers[name] = place;
  }
  void add_constant(llvm::StringRef name, llvm::Constant* value) { constants_[name] = value; }
  llvm::AllocaInst* make(llvm::Type* type, llvm::StringRef name, std::uint64_t align = 0);

  // Null: unknown. Names of variables are their addresses: those of __shared__ memory have 32 bits.
  llvm::Value* read(llvm::StringRef operand, llvm::Type* type);
  // Narrow values become as wide as the register is, with a sign or without. False: no register.
  bool write(llvm::StringRef operand, llvm::Value* value, bool is_signed = false);
  bool is_predicate(llvm::StringRef operand);
  // The variable or function of that name; null: there is none.
  llvm::Value* object(llvm::StringRef name) const;
  // The same bits, or as many of them as there is room for.
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

} // namespace gputest::simulator
