// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/tables.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace gputest::ir {
namespace {

// The most bytes of one access that may be past the end.
constexpr std::uint64_t kPadding = 128;

// Replaces a table by a larger one.
llvm::GlobalVariable* padded(llvm::GlobalVariable& table) {
  llvm::LLVMContext& context = table.getContext();
  auto* const zeros = llvm::ConstantAggregateZero::get(
      llvm::ArrayType::get(llvm::Type::getInt8Ty(context), kPadding));
  llvm::Constant* const content =
      llvm::ConstantStruct::getAnon(context, {table.getInitializer(), zeros}, /*Packed=*/true);
  auto* const larger = new llvm::GlobalVariable(
      *table.getParent(), content->getType(), /*isConstant=*/true, table.getLinkage(), content, "",
      &table, table.getThreadLocalMode(), table.getAddressSpace());
  larger->setAlignment(table.getParent()->getDataLayout().getValueOrABITypeAlignment(
      table.getAlign(), table.getValueType()));
  larger->takeName(&table);
  table.replaceAllUsesWith(larger);
  table.eraseFromParent();
  return larger;
}

// Redirects a read to the first bytes, unless it is surely within the table.
void guard(llvm::LoadInst& load, llvm::GlobalVariable& table) {
  const llvm::DataLayout& layout = table.getParent()->getDataLayout();
  llvm::Value* const pointer = load.getPointerOperand();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const std::uint64_t last = layout.getTypeAllocSize(table.getValueType()).getFixedValue() -
                             layout.getTypeStoreSize(load.getType()).getFixedValue();
  if (pointer->stripAndAccumulateConstantOffsets(layout, offset, true) == &table &&
      offset.ule(last))
    return;
  llvm::IRBuilder<> builder(&load);
  llvm::Value* const begin =
      builder.CreatePointerBitCastOrAddrSpaceCast(&table, pointer->getType());
  llvm::Value* const at = builder.CreateSub(builder.CreatePtrToInt(pointer, builder.getInt64Ty()),
                                            builder.CreatePtrToInt(begin, builder.getInt64Ty()));
  load.setOperand(
      0, builder.CreateSelect(builder.CreateICmpULE(at, builder.getInt64(last)), pointer, begin));
}

} // namespace

void guard_tables(llvm::Module& module, const std::vector<llvm::GlobalVariable*>& tables) {
  llvm::SmallPtrSet<const llvm::Value*, 16> guarded;
  for (llvm::GlobalVariable* table : tables)
    guarded.insert(padded(*table));
  std::vector<llvm::LoadInst*> loads;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          load && guarded.contains(llvm::getUnderlyingObject(load->getPointerOperand(), 0)))
        loads.push_back(load);
  for (llvm::LoadInst* load : loads)
    guard(*load, *llvm::cast<llvm::GlobalVariable>(const_cast<llvm::Value*>(
                     llvm::getUnderlyingObject(load->getPointerOperand(), 0))));
}

} // namespace gputest::ir
