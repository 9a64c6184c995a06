// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates the body of a PTX function: registers, blocks, jumps and calls.
#pragma once

#include "ir/cuda/ptx/instructions.h"

#include <functional>
#include <llvm/IR/Function.h>
#include <map>

namespace gputest::ir {

// A parameter or result of a function: a number or an array of bytes.
struct PtxParameter {
  std::uint64_t size = 0, align = 1; // bytes
  bool is_array = false;
};
struct PtxSignature {
  std::vector<PtxParameter> results, parameters; // at most one result
};
PtxParameter parameter_of(const PtxDeclaration& declaration);
// Returns LLVM's type of a function. Numbers are integers, whatever their use. Array parameters are
// copies (byval), and array results are arrays.
llvm::FunctionType* function_type(const PtxSignature& signature, llvm::LLVMContext& context);
void add_attributes(const PtxSignature& signature, llvm::LLVMContext& context,
                    const std::function<void(unsigned, llvm::Attribute)>& add);
// The parts of `(.param .b32 result) name (.param .b64 a, …) …`.
struct PtxPrototype {
  PtxSignature signature;
  std::vector<PtxDeclaration> results, parameters;
  llvm::StringRef name, rest;
};
PtxPrototype prototype_of(llvm::StringRef text); // throws PtxFault

class PtxBody {
public:
  // `function`: has no blocks yet. `place`: is called for each statement.
  PtxBody(llvm::Function& function, std::function<void(llvm::IRBuilder<>&, const char*)> place);
  PtxOperands& values() { return values_; }
  llvm::IRBuilder<>& builder() { return builder_; }

  struct Settings {
    const std::map<const llvm::Function*, PtxSignature>* functions = nullptr; // null: inline PTX
    bool is_kernel = false;
  };
  // Translates statements. Afterwards the builder is at the place that all exits of the function
  // reach. Throws PtxFault.
  void translate(llvm::StringRef text, const Settings& settings);
  // Removes unreachable blocks and turns registers into SSA values. To be called when the function
  // has its return.
  void finish();

private:
  void find_labels(llvm::StringRef text);
  void directive(llvm::StringRef text);
  void declare(const PtxDeclaration& declaration);
  void instruction(llvm::StringRef text);
  void do_instruction(const PtxInstruction& instruction);
  void jump(const PtxInstruction& instruction);
  void jump_by_table(const PtxInstruction& instruction);
  void leave(const PtxInstruction& instruction);
  void call(const PtxInstruction& instruction);
  llvm::BasicBlock* label(llvm::StringRef name);
  llvm::BasicBlock* new_block();

  llvm::Function& function_;
  std::function<void(llvm::IRBuilder<>&, const char*)> place_;
  llvm::BasicBlock *first_, *end_;
  llvm::IRBuilder<> builder_;
  PtxOperands values_;
  PtxInstructions instructions_;
  Settings settings_;
  // By scope and name. Blocks in braces are scopes, numbered in the order in which they begin.
  std::map<std::pair<unsigned, llvm::StringRef>, llvm::BasicBlock*> labels_;
  std::map<llvm::StringRef, PtxTexts> tables_; // .branchtargets
  std::map<llvm::StringRef, PtxSignature> prototypes_;
  std::vector<unsigned> scopes_{0};
  unsigned last_scope_ = 0;
  llvm::StringRef last_label_;
  bool ended_ = false; // the previous instruction was a trap
};

} // namespace gputest::ir
