// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/misaligned.h"

#include "ir/accesses.h"
#include "ir/call.h"
#include "ir/protected.h"

#include <algorithm>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace gputest::ir {
namespace {

constexpr std::uint64_t kAligned = 256; // more than any access needs
const llvm::Align kWidest(16);          // what the widest access of a GPU needs

std::uint64_t power_of(unsigned trailing_zeros) {
  return std::min(kAligned, std::uint64_t{1} << std::min(trailing_zeros, 8U));
}

// The alignment of an address if all pointers with which its computation begins are aligned.
class Steps {
public:
  explicit Steps(const llvm::DataLayout& layout) : layout_(layout) {}

  std::uint64_t of(const llvm::Value* pointer) {
    if (!seen_.insert(pointer).second)
      return kAligned;
    if (const auto* const step = llvm::dyn_cast<llvm::GEPOperator>(pointer))
      return std::min(of(step->getPointerOperand()), of_step(*step));
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(pointer))
      return of_variable(load->getPointerOperand());
    if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(pointer)) {
      std::uint64_t least = kAligned;
      for (const llvm::Value* value : phi->incoming_values())
        least = std::min(least, of(value));
      return least;
    }
    if (const auto* const choice = llvm::dyn_cast<llvm::SelectInst>(pointer))
      return std::min(of(choice->getTrueValue()), of(choice->getFalseValue()));
    const unsigned code = llvm::Operator::getOpcode(pointer);
    if (code == llvm::Instruction::AddrSpaceCast || code == llvm::Instruction::BitCast)
      return of(llvm::cast<llvm::Operator>(pointer)->getOperand(0));
    if (code == llvm::Instruction::IntToPtr)
      return of_number(llvm::cast<llvm::Operator>(pointer)->getOperand(0));
    is_private_ = is_private_ || llvm::isa<llvm::AllocaInst>(pointer);
    return kAligned;
  }

  bool is_private() const { return is_private_; }

private:
  std::uint64_t of_step(const llvm::GEPOperator& step) const {
    llvm::MapVector<llvm::Value*, llvm::APInt> variable;
    llvm::APInt constant(64, 0);
    if (!step.collectOffset(layout_, 64, variable, constant))
      return 1;
    std::uint64_t least = constant.isZero() ? kAligned : power_of(constant.countr_zero());
    for (const auto& [index, scale] : variable)
      least = std::min(least, power_of(scale.countr_zero() + zeros_of(index)));
    return least;
  }

  unsigned zeros_of(const llvm::Value* number) const {
    return llvm::computeKnownBits(number, layout_).countMinTrailingZeros();
  }

  // A pointer that is kept in a variable.
  std::uint64_t of_variable(const llvm::Value* place) {
    std::uint64_t least = kAligned;
    if (llvm::isa<llvm::AllocaInst>(place))
      for (const llvm::User* user : place->users())
        if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
            store && store->getPointerOperand() == place &&
            store->getValueOperand()->getType()->isPointerTy())
          least = std::min(least, of(store->getValueOperand()));
    return least;
  }

  // A pointer as a number, and what is added to it. Numbers that come from elsewhere count as
  // aligned, and a constant that is added to them does not: in PTX all addresses are numbers.
  std::uint64_t of_number(const llvm::Value* number) {
    const auto* const operation = llvm::dyn_cast<llvm::Operator>(number);
    if (!operation)
      return kAligned;
    if (operation->getOpcode() == llvm::Instruction::PtrToInt)
      return of(operation->getOperand(0));
    if (operation->getOpcode() != llvm::Instruction::Add)
      return kAligned;
    std::uint64_t least = kAligned;
    for (unsigned i = 0; i < 2; ++i) {
      const llvm::Value* const other = operation->getOperand(1 - i);
      if (llvm::Operator::getOpcode(operation->getOperand(i)) == llvm::Instruction::PtrToInt ||
          llvm::isa<llvm::ConstantInt>(other))
        least = std::min({least, of_number(operation->getOperand(i)), power_of(zeros_of(other))});
    }
    return least;
  }

  const llvm::DataLayout& layout_;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen_;
  bool is_private_ = false;
};

bool may_be_misaligned(const Access& access, const llvm::DataLayout& layout) {
  if (access.alignment <= 1 || access.instruction->hasMetadata(kLibrary))
    return false;
  Steps steps(layout);
  return steps.of(access.pointer()) < access.alignment && !steps.is_private();
}

void insert_trap(const Access& access) {
  llvm::IRBuilder<> builder(access.instruction);
  llvm::Value* const rest = builder.CreateAnd(
      builder.CreatePtrToInt(access.pointer(), builder.getInt64Ty()), access.alignment - 1);
  llvm::Instruction* const end = llvm::SplitBlockAndInsertIfThen(
      builder.CreateIsNotNull(rest), access.instruction, true,
      llvm::MDBuilder(builder.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(end);
  builder.SetCurrentDebugLocation(access.instruction->getDebugLoc());
  llvm::CallInst* const call = call_by_name(builder, "gputest_end_misaligned", builder.getVoidTy(),
                                            {builder.getInt64(access.alignment)});
  call->setDoesNotReturn();
  call->addFnAttr(llvm::Attribute::Cold);
}

} // namespace

void limit_alignments(llvm::Module& module) {
  const auto limit_pointers = [&](auto& of, unsigned count) { // also those of copies
    for (unsigned i = 0; i < count; ++i)
      if (of.getParamAlign(i).valueOrOne() > kWidest && !of.getParamByValType(i)) {
        of.removeParamAttr(i, llvm::Attribute::Alignment);
        of.addParamAttr(i, llvm::Attribute::getWithAlignment(module.getContext(), kWidest));
      }
  };
  for (llvm::Function& function : module) {
    limit_pointers(function, static_cast<unsigned>(function.arg_size()));
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        load->setAlignment(std::min(load->getAlign(), kWidest));
      else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        store->setAlignment(std::min(store->getAlign(), kWidest));
      else if (auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        limit_pointers(*call, call->arg_size());
  }
}

void trap_misaligned(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    std::vector<Access> found;
    for (const Access& access : accesses_of(function, true))
      if (may_be_misaligned(access, module.getDataLayout()))
        found.push_back(access);
    for (const Access& access : found)
      insert_trap(access);
  }
}

} // namespace gputest::ir
