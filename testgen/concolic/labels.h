// What instrumentation says with: labels of values, calls that make them, and sites.
#pragma once

#include "ir/call.h"
#include "testgen/concolic/instrument.h"
#include "testgen/concolic/table.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <map>
#include <set>

namespace gputest::testgen {

class Labels {
protected:
  using Builder = llvm::IRBuilder<>;
  using Values = llvm::SmallVector<llvm::Value*, 4>;

  explicit Labels(llvm::Function& item);

  // Elements of a vector, or members of what an exchange gives.
  static unsigned lanes_of(const llvm::Type& type);

  bool depends(const llvm::Value* value) const { return depends_.contains(value); }

  Values labels_of(const llvm::Value* value) const;
  llvm::Value* label_of(const llvm::Value* value) const { return labels_of(value)[0]; }

  void set(const llvm::Value& value, llvm::Value* label) { labels_[&value] = {label}; }

  // The bits of a value, as 64 of them.
  llvm::Value* bits(Builder& builder, llvm::Value* value) const;
  llvm::Value* number(std::uint64_t value) const {
    return llvm::ConstantInt::get(label_type_, value);
  }
  llvm::Value* word(std::uint64_t value) const { return llvm::ConstantInt::get(word_, value); }

  // A function of the recorder (recorder.h) is called before `where`, if one of the labels is not
  // 0. `make` gives the arguments.
  template <typename Make>
  llvm::Value* guarded(llvm::Instruction& where, llvm::ArrayRef<llvm::Value*> conditions,
                       const char* name, bool result, Make&& make) {
    Builder builder(&where);
    llvm::Value* any = nullptr;
    for (llvm::Value* condition : conditions)
      if (condition != none_)
        any = any ? builder.CreateOr(any, condition) : condition;
    if (!any)
      return none_;
    llvm::BasicBlock* const before = where.getParent();
    llvm::Instruction* const rare =
        llvm::SplitBlockAndInsertIfThen(builder.CreateICmpNE(any, none_), &where, false,
                                        llvm::MDBuilder(context_).createBranchWeights(1, 100));
    Builder inner(rare);
    inner.SetCurrentDebugLocation(where.getDebugLoc());
    const Values arguments = make(inner);
    llvm::CallInst* const call = simulator::call_by_name(
        inner, name, result ? label_type_ : llvm::Type::getVoidTy(context_), arguments);
    if (!result)
      return none_;
    Builder after(where.getParent(), where.getParent()->begin());
    llvm::PHINode* const phi = after.CreatePHI(label_type_, 2);
    phi->addIncoming(call, rare->getParent());
    phi->addIncoming(none_, before);
    return phi;
  }

  // Where the labels of the bytes at an address are.
  llvm::Value* shadow(Builder& builder, llvm::Value* pointer) const;

  unsigned site(const llvm::Instruction& instruction, TracedSite::Kind kind, bool write = false);
  // What is not followed from there on.
  void lose(const llvm::Instruction& instruction, const char* what);

  // An event after `where` has its condition, before what it decides.
  void event(llvm::Instruction& where, unsigned site, llvm::Value* condition);

  // Operations on labels, of which some are 0: on what the values are there.
  llvm::Value* unary(llvm::Instruction& where, Op op, unsigned width, llvm::Value* a,
                     std::uint64_t extra = 0);
  struct Widths {
    unsigned a, b, result;
  };
  llvm::Value* binary(llvm::Instruction& where, Op op, Widths widths, llvm::Value* a,
                      llvm::Value* b, llvm::Value* value_a, llvm::Value* value_b);
  llvm::Value* binary(llvm::Instruction& where, Op op, unsigned width, llvm::Value* a,
                      llvm::Value* b, llvm::Value* value_a, llvm::Value* value_b) {
    return binary(where, op, {width, width, width}, a, b, value_a, value_b);
  }
  // What a function of the recorder makes of three: of an operation, or of a function's number.
  llvm::Value* ternary(llvm::Instruction& where, const char* name, unsigned operation,
                       std::uint64_t widths, const Values& labels, const Values& values);

  llvm::Function& item_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  const llvm::DataLayout& layout_;
  llvm::IntegerType *label_type_, *word_;
  llvm::PointerType* pointer_;
  llvm::Constant* none_;
  llvm::Value* who_ = nullptr; // the work-item's number
  std::set<const llvm::Value*> depends_;
  // Where an instruction is in the kernel as it was, for its site.
  struct Home {
    unsigned first = 0, last = 0; // TracedSite::block
    bool in_loop = false;
  };
  std::map<const llvm::Instruction*, Home> homes_;
  std::map<const llvm::Value*, Values> labels_; // not there: 0
  Instrumented result_;
};

} // namespace gputest::testgen
