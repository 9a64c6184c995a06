// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/labels.h"

#include "ir/places.h"
#include "testgen/concolic/operations.h"
#include "testgen/concolic/shadow.h"

#include <algorithm>

namespace gputest::testgen {

Labels::Labels(llvm::Function& item)
    : item_(item), module_(*item.getParent()), context_(item.getContext()),
      layout_(module_.getDataLayout()), label_type_(llvm::Type::getInt32Ty(context_)),
      word_(llvm::Type::getInt64Ty(context_)), pointer_(llvm::PointerType::getUnqual(context_)),
      none_(llvm::ConstantInt::get(label_type_, 0)) {}

unsigned Labels::lanes_of(const llvm::Type& type) {
  if (const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
    return vector->getNumElements();
  if (const auto* const structure = llvm::dyn_cast<llvm::StructType>(&type))
    return structure->getNumElements();
  return 1;
}

Labels::Values Labels::labels_of(const llvm::Value* value) const {
  const auto known = labels_.find(value);
  return known != labels_.end() ? known->second : Values(lanes_of(*value->getType()), none_);
}

llvm::Value* Labels::bits(Builder& builder, llvm::Value* value) const {
  llvm::Type* const type = value->getType();
  if (type->isPointerTy())
    return builder.CreatePtrToInt(value, word_);
  if (type->isFloatingPointTy())
    value = builder.CreateBitCast(value, builder.getIntNTy(width_of(*type)));
  return builder.CreateZExtOrTrunc(value, word_);
}

llvm::Value* Labels::shadow(Builder& builder, llvm::Value* pointer) const {
  llvm::Value* const at = builder.CreateAnd(builder.CreatePtrToInt(pointer, word_), kShadowMask);
  return builder.CreateIntToPtr(builder.CreateAdd(builder.CreateShl(at, 2), word(kShadow)),
                                pointer_);
}

unsigned Labels::site(const llvm::Instruction& instruction, TracedSite::Kind kind, bool write) {
  TracedSite site;
  site.kind = kind;
  site.place = ir::place_of(instruction);
  if (llvm::isa<llvm::BranchInst, llvm::SelectInst>(instruction))
    if (const auto* const condition = llvm::dyn_cast<llvm::Instruction>(instruction.getOperand(0)))
      site.condition = ir::place_of(*condition);
  site.library = instruction.hasMetadata("gputest.concolic.library");
  site.write = write;
  if (const auto home = homes_.find(&instruction); home != homes_.end()) {
    site.block = {home->second.first, home->second.last};
    site.in_loop = home->second.in_loop;
  }
  result_.sites.push_back(std::move(site));
  return static_cast<unsigned>(result_.sites.size() - 1);
}

void Labels::lose(const llvm::Instruction& instruction, const char* what) {
  if (std::ranges::none_of(instruction.operands(),
                           [&](const llvm::Use& use) { return depends(use.get()); }))
    return;
  const std::string text = ir::place_prefix(ir::place_of(instruction)) + what;
  if (std::ranges::find(result_.lost, text) == result_.lost.end())
    result_.lost.push_back(text);
}

void Labels::event(llvm::Instruction& where, unsigned site, llvm::Value* condition) {
  llvm::Value* const label = label_of(condition);
  guarded(where, {label}, "gputest_label_event", false, [&](Builder& builder) {
    return Values{number(site), who_, label, bits(builder, condition)};
  });
}

llvm::Value* Labels::unary(llvm::Instruction& where, Op op, unsigned width, llvm::Value* a,
                           std::uint64_t extra) {
  return guarded(where, {a}, "gputest_label_unary", true, [&](Builder&) {
    return Values{number(static_cast<unsigned>(op)), number(width), a, word(extra)};
  });
}

llvm::Value* Labels::binary(llvm::Instruction& where, Op op, Widths widths, llvm::Value* a,
                            llvm::Value* b, llvm::Value* value_a, llvm::Value* value_b) {
  return guarded(where, {a, b}, "gputest_label_binary", true, [&](Builder&) {
    return Values{
        number(static_cast<unsigned>(op)), number(widths_of(widths)), a, b, value_a, value_b};
  });
}

llvm::Value* Labels::ternary(llvm::Instruction& where, const char* name, unsigned operation,
                             std::uint64_t widths, const Values& labels, const Values& values) {
  return guarded(where, labels, name, true, [&](Builder& builder) {
    return Values{number(operation),
                  number(widths),
                  labels[0],
                  labels[1],
                  labels[2],
                  bits(builder, values[0]),
                  bits(builder, values[1]),
                  bits(builder, values[2])};
  });
}

} // namespace gputest::testgen
