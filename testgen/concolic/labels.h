// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of instrumentation: labels of values, the calls that make labels, and sites.
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

  // Returns the number of labels of a value: one for each element of a vector, or each member of
  // the pair that a compare-exchange returns.
  static unsigned lanes_of(const llvm::Type& type);

  bool depends(const llvm::Value* value) const { return depends_.contains(value); }

  Values labels_of(const llvm::Value* value) const;
  llvm::Value* label_of(const llvm::Value* value) const { return labels_of(value)[0]; }

  void set(const llvm::Value& value, llvm::Value* label) { labels_[&value] = {label}; }

  // The bits of a value, extended to 64.
  llvm::Value* bits(Builder& builder, llvm::Value* value) const;
  llvm::Value* number(std::uint64_t value) const {
    return llvm::ConstantInt::get(label_type_, value);
  }
  llvm::Value* word(std::uint64_t value) const { return llvm::ConstantInt::get(word_, value); }

  // Emits a call of the recorder's function `name` (recorder.h) before `where`. The call runs only
  // if one of the labels `conditions` is not 0. `make` returns the call's arguments. Returns the
  // call's result if `result`; otherwise, and where the call does not run, 0.
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
    llvm::CallInst* const call = ir::call_by_name(
        inner, name, result ? label_type_ : llvm::Type::getVoidTy(context_), arguments);
    if (!result)
      return none_;
    Builder after(where.getParent(), where.getParent()->begin());
    llvm::PHINode* const phi = after.CreatePHI(label_type_, 2);
    phi->addIncoming(call, rare->getParent());
    phi->addIncoming(none_, before);
    return phi;
  }

  // Returns the address of the labels of the bytes at `pointer` (shadow.h).
  llvm::Value* shadow(Builder& builder, llvm::Value* pointer) const;

  // Adds a site and returns its index.
  unsigned site(const llvm::Instruction& instruction, TracedSite::Kind kind, bool write = false);
  // Notes that the instruction's value has no expression: Instrumented::lost.
  void lose(const llvm::Instruction& instruction, const char* what);

  // Records an event at `site` where `condition` has a label, before `where`.
  void event(llvm::Instruction& where, unsigned site, llvm::Value* condition);

  // Emit code for an operation on labels. Where only some labels are 0, the values take their place
  // as constants.
  llvm::Value* unary(llvm::Instruction& where, Op op, unsigned width, llvm::Value* a,
                     std::uint64_t extra = 0);
  struct Widths {
    unsigned a, b, result;
  };
  static unsigned widths_of(const Widths& widths) { // as the recorder takes them
    return widths.a | widths.b << 8 | widths.result << 16;
  }
  llvm::Value* binary(llvm::Instruction& where, Op op, Widths widths, llvm::Value* a,
                      llvm::Value* b, llvm::Value* value_a, llvm::Value* value_b);
  llvm::Value* binary(llvm::Instruction& where, Op op, unsigned width, llvm::Value* a,
                      llvm::Value* b, llvm::Value* value_a, llvm::Value* value_b) {
    return binary(where, op, {width, width, width}, a, b, value_a, value_b);
  }
  // The same with three operands by the recorder's function `name`. `operation`: an Op, or the
  // number of a function.
  llvm::Value* ternary(llvm::Instruction& where, const char* name, unsigned operation,
                       std::uint64_t widths, const Values& labels, const Values& values);

  llvm::Function& item_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  const llvm::DataLayout& layout_;
  llvm::IntegerType *label_type_, *word_;
  llvm::PointerType* pointer_;
  llvm::Constant* none_;
  llvm::Value* who_ = nullptr;           // the work-item's number
  std::set<const llvm::Value*> depends_; // values that have labels
  // The place of an instruction before instrumentation, for its site.
  struct Home {
    unsigned first = 0, last = 0; // TracedSite::block
    bool in_loop = false;
  };
  std::map<const llvm::Instruction*, Home> homes_;
  std::map<const llvm::Value*, Values> labels_; // values without an entry have label 0
  Instrumented result_;
};

} // namespace gputest::testgen
