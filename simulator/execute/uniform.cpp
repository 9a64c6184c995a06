#include "simulator/execute/uniform.h"

#include "simulator/execute/stops.h"

#include <algorithm>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <vector>

namespace gputest::simulator {
namespace {

using Blocks = std::set<const llvm::BasicBlock*>;

bool computes(const llvm::Instruction& instruction) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
  if (llvm::isa<llvm::AllocaInst>(instruction) || instruction.getType()->isVoidTy())
    return false;
  return !instruction.mayReadOrWriteMemory();
}

class Divergence {
public:
  Divergence(llvm::Function& item, const std::set<const llvm::Value*>& own)
      : item_(item), after_(item), divergent_(own) {
    for (const llvm::BasicBlock& block : item)
      if (std::ranges::any_of(block, is_stop))
        stops_.insert(&block);
  }

  // False: stops depend on it.
  bool run() {
    bool more = true;
    while (more) {
      more = false;
      for (const llvm::Instruction& instruction : llvm::instructions(item_)) {
        if (divergent_.contains(&instruction))
          continue;
        if (instruction.isTerminator() ? !depends(instruction)
                                       : computes(instruction) && !depends(instruction))
          continue;
        divergent_.insert(&instruction);
        more = true;
        if (instruction.isTerminator() && !part_ways(*instruction.getParent()))
          return false;
      }
    }
    return true;
  }

  bool is_divergent(const llvm::Value& value) const { return divergent_.contains(&value); }

private:
  bool depends(const llvm::Instruction& instruction) const {
    return std::ranges::any_of(instruction.operands(), [&](const llvm::Use& operand) {
      return divergent_.contains(operand.get());
    });
  }

  // The blocks from there to `end`, which is none of them; null: all that follow.
  static Blocks reached(const llvm::BasicBlock* from, const llvm::BasicBlock* end) {
    Blocks blocks;
    std::vector<const llvm::BasicBlock*> open{from};
    while (!open.empty()) {
      const llvm::BasicBlock* const block = open.back();
      open.pop_back();
      if (block != end && blocks.insert(block).second)
        open.insert(open.end(), llvm::succ_begin(block), llvm::succ_end(block));
    }
    return blocks;
  }

  bool has_stop(const Blocks& blocks) const {
    return std::ranges::any_of(blocks, [&](const auto* block) { return stops_.contains(block); });
  }

  void join_in(const Blocks& blocks) {
    for (const llvm::BasicBlock* block : blocks)
      for (const llvm::PHINode& phi : block->phis())
        divergent_.insert(&phi);
  }

  // Work-items leave `block` on several ways.
  bool part_ways(const llvm::BasicBlock& block) {
    const auto* const node = after_.getNode(&block);
    const llvm::BasicBlock* const meeting =
        node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    Blocks between;
    unsigned ways = 0;
    for (const llvm::BasicBlock* next : Blocks(llvm::succ_begin(&block), llvm::succ_end(&block))) {
      const Blocks all = reached(next, nullptr);
      if (!has_stop(all) && !all.contains(&block)) { // who goes there is not waited for
        join_in(all);
        continue;
      }
      ++ways;
      between.merge(reached(next, meeting));
    }
    if (ways < 2)
      return true;
    join_in(between);
    if (meeting)
      join_in({meeting});
    return !has_stop(between);
  }

  llvm::Function& item_;
  llvm::PostDominatorTree after_;
  Blocks stops_;
  std::set<const llvm::Value*> divergent_;
};

} // namespace

std::set<const llvm::Value*> uniform_values(llvm::Function& item,
                                            const std::set<const llvm::Value*>& own) {
  Divergence divergence(item, own);
  if (!divergence.run())
    return {};
  std::set<const llvm::Value*> values;
  for (const llvm::Instruction& instruction : llvm::instructions(item))
    if (!divergence.is_divergent(instruction))
      values.insert(&instruction);
  return values;
}

} // namespace gputest::simulator
