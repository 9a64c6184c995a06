// The body of a function in PTX: registers, blocks, jumps, calls.
#pragma once

#include "ir/cuda/ptx/instructions.h"

#include <functional>
#include <llvm/IR/Function.h>
#include <map>

namespace gputest::simulator {

// What a function is given, or gives back: a number, or an array of bytes.
struct PtxParameter {
  std::uint64_t size = 0, align = 1; // bytes
  bool is_array = false;
};
struct PtxSignature {
  std::vector<PtxParameter> results, parameters; // at most one result
};
PtxParameter parameter_of(const PtxDeclaration& declaration);
// Numbers are integers, whatever they are used as. Arrays are given as copies (byval), and given
// back as arrays.
llvm::FunctionType* function_type(const PtxSignature& signature, llvm::LLVMContext& context);
void add_attributes(const PtxSignature& signature, llvm::LLVMContext& context,
                    const std::function<void(unsigned, llvm::Attribute)>& add);
// `(.param .b32 result) name (.param .b64 a, …) …`: what is in front of the name, the name, and
// what is behind it.
struct PtxPrototype {
  PtxSignature signature;
  std::vector<PtxDeclaration> results, parameters;
  llvm::StringRef name, rest;
};
PtxPrototype prototype_of(llvm::StringRef text); // throws PtxFault

class PtxBody {
public:
  // Of a function without blocks. `place` is told of each statement.
  PtxBody(llvm::Function& function, std::function<void(llvm::IRBuilder<>&, const char*)> place);
  PtxOperands& values() { return values_; }
  llvm::IRBuilder<>& builder() { return builder_; }

  struct Settings {
    const std::map<const llvm::Function*, PtxSignature>* functions = nullptr; // null: of inline PTX
    bool is_kernel = false;
  };
  // Where the builder is afterwards, all that leave the function come. Throws PtxFault.
  void translate(llvm::StringRef text, const Settings& settings);
  // When the function returns: blocks that nothing reaches are gone, and registers are values.
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
  // Blocks in braces have labels of their own. They have numbers in the order in which they begin.
  std::map<std::pair<unsigned, llvm::StringRef>, llvm::BasicBlock*> labels_;
  std::map<llvm::StringRef, PtxTexts> tables_; // .branchtargets
  std::map<llvm::StringRef, PtxSignature> prototypes_;
  std::vector<unsigned> scopes_{0};
  unsigned last_scope_ = 0;
  llvm::StringRef last_label_;
  bool ended_ = false; // by the instruction before: a trap
};

} // namespace gputest::simulator
