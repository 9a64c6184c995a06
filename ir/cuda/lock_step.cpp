#include "ir/cuda/lock_step.h"

#include "ir/analysis_managers.h"
#include "ir/host.h"
#include "templates/simulator/context.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <algorithm>
#include <vector>

namespace gputest::simulator {
namespace {

bool is_volatile(const llvm::Instruction& instruction) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isVolatile();
  const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && store->isVolatile();
}

bool is_shared(const llvm::Value* pointer) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  return std::ranges::any_of(objects, [](const llvm::Value* object) {
    const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return variable && variable->getAddressSpace() == kLocalSpace;
  });
}

// Pointers in variables become values, so that it is seen where they come from.
void promote_pointers(llvm::Function& item) {
  AnalysisManagers analyses;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.run(item, analyses.functions);
}

} // namespace

void stop_at_volatile(llvm::Function& item) {
  if (std::ranges::none_of(llvm::instructions(item), is_volatile))
    return;
  promote_pointers(item);
  std::vector<llvm::Instruction*> accesses;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (is_volatile(instruction) && is_shared(llvm::getLoadStorePointerOperand(&instruction)))
      accesses.push_back(&instruction);
  for (llvm::Instruction* access : accesses) {
    llvm::IRBuilder<> builder(access);
    llvm::Type *const half = builder.getInt32Ty(), *const word = builder.getInt64Ty();
    builder.CreateCall(
        item.getParent()->getOrInsertFunction(
            "gputest_warp", llvm::FunctionType::get(word, {half, half, word, half}, false)),
        {builder.getInt32(GPUTEST_WARP_STEP), builder.getInt32(0), builder.getInt64(0),
         builder.getInt32(0)});
  }
}

} // namespace gputest::simulator
