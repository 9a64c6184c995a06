// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that work-items need after a stop (segments.h): places of kept ones, and computing others
// again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <map>
#include <vector>

namespace gputest::simulator {

// The most operations that are repeated in place of keeping a value.
constexpr unsigned kMostRepeated = 12;

// The places of values in the frames.
class Layout {
public:
  explicit Layout(const llvm::DataLayout& layout) : layout_(layout) {}

  std::uint64_t add(std::uint64_t size) { // bytes of one work-item; returns the place
    const std::uint64_t place = places_.size();
    places_.push_back({end_, size});
    end_ += size;
    return place;
  }
  std::uint64_t add(llvm::Type* type) { return add(layout_.getTypeAllocSize(kept(type))); }

  // Returns the type in memory. Integers take whole bytes, for efficient loops.
  llvm::Type* kept(llvm::Type* type) const {
    if (!type->isIntegerTy())
      return type;
    const unsigned bits = type->getIntegerBitWidth();
    return bits > 64
               ? type
               : llvm::IntegerType::get(type->getContext(), std::max(8U, llvm::bit_ceil(bits)));
  }

  struct Frames { // parameters of the segment
    llvm::Value *item, *frames, *stride;
  };
  llvm::Value* address(llvm::IRBuilder<>& builder, std::uint64_t place, const Frames& of) const {
    const auto [offset, size] = places_[place];
    llvm::Value* const begin = builder.CreateAdd(
        builder.CreateMul(of.stride, builder.getInt64(offset), "", true, true),
        builder.getInt64((place + 1) * 64), "", true, true); // avoids equal cache sets
    llvm::Value* const mine = builder.CreateMul(of.item, builder.getInt64(size), "", true, true);
    return builder.CreateInBoundsGEP(
        builder.getInt8Ty(), builder.CreateInBoundsGEP(builder.getInt8Ty(), of.frames, begin),
        mine);
  }

  // Returns the bytes of one work-item, a multiple of 64, with room for the gaps of address().
  std::uint64_t frame_size() const { return llvm::alignTo(end_ + places_.size() + 1, 64); }

private:
  struct Place {
    std::uint64_t offset = 0, size = 0;
  };
  const llvm::DataLayout& layout_;
  std::vector<Place> places_;
  std::uint64_t end_ = 4;
};

// Values that are cheaper to compute again than to keep: sizes, ids, arguments and addresses
// computed from them.
class Repeated {
public:
  explicit Repeated(llvm::LLVMContext& context)
      : recipe_(llvm::BasicBlock::Create(context, "recipe")) {}
  Repeated(const Repeated&) = delete;
  Repeated& operator=(const Repeated&) = delete;
  ~Repeated() {
    recipe_->dropAllReferences();
    delete recipe_;
  }

  // Records how a value is computed, before its code changes. Returns false if it must be kept.
  bool add(llvm::Instruction& value) {
    unsigned budget = kMostRepeated;
    if (!is_cheap(value, budget))
      return false;
    remember(value);
    return true;
  }

  // Computes a value at the builder's place. `made`: values that are already there.
  llvm::Value* compute(llvm::IRBuilder<>& builder, llvm::Value* value,
                       std::map<llvm::Value*, llvm::Value*>& made) const {
    const auto known = made_of_.find(value);
    return known == made_of_.end() ? value : copy(builder, *known->second, made);
  }

private:
  static bool can_be_repeated(const llvm::Instruction& value) {
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&value))
      return load->isSimple() && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
    if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::ICmpInst, llvm::SelectInst>(value))
      return !value.getType()->isVectorTy();
    switch (value.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      return !value.getType()->isVectorTy();
    default:
      return false;
    }
  }

  static bool is_cheap(const llvm::Value& value, unsigned& budget) {
    if (llvm::isa<llvm::Constant, llvm::Argument>(value))
      return true;
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !can_be_repeated(*instruction) || budget == 0)
      return false;
    --budget;
    return std::ranges::all_of(instruction->operands(), [&](const llvm::Use& operand) {
      return is_cheap(*operand.get(), budget);
    });
  }

  llvm::Value* remember(llvm::Value& value) {
    auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction)
      return &value;
    if (const auto known = made_of_.find(&value); known != made_of_.end())
      return known->second;
    std::vector<llvm::Value*> operands;
    for (const llvm::Use& operand : instruction->operands())
      operands.push_back(remember(*operand.get()));
    llvm::Instruction* const clone = instruction->clone();
    for (unsigned i = 0; i < operands.size(); ++i)
      clone->setOperand(i, operands[i]);
    clone->insertInto(recipe_, recipe_->end());
    made_of_[&value] = clone;
    return clone;
  }

  static llvm::Value* copy(llvm::IRBuilder<>& builder, llvm::Instruction& step,
                           std::map<llvm::Value*, llvm::Value*>& made) {
    if (const auto known = made.find(&step); known != made.end())
      return known->second;
    llvm::Instruction* const clone = step.clone();
    for (unsigned i = 0; i < step.getNumOperands(); ++i)
      if (auto* const operand = llvm::dyn_cast<llvm::Instruction>(step.getOperand(i)))
        clone->setOperand(i, copy(builder, *operand, made));
    builder.Insert(clone);
    return made[&step] = clone;
  }

  llvm::BasicBlock* recipe_;
  std::map<llvm::Value*, llvm::Instruction*> made_of_;
};

} // namespace gputest::simulator
