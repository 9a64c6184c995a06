// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/segments.h"

#include "ir/lowered_names.h"
#include "ir/optimise.h"
#include "simulator/execute/junctions.h"
#include "simulator/execute/kept_values.h"
#include "simulator/execute/stops.h"
#include "templates/simulator/context.h"

#include <algorithm>
#include <cstdint>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <map>
#include <vector>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

// Each segment is compiled separately.
constexpr std::size_t kMostStops = 160, kMostInstructions = 100'000;

struct Stop {
  llvm::CallInst* call = nullptr;                       // none at a junction
  llvm::BasicBlock *before = nullptr, *after = nullptr; // before: holds the call alone
};

class Cutter {
public:
  Cutter(llvm::Module& module, llvm::Function& item)
      : module_(module), context_(module.getContext()), function_(with_frames(item)),
        layout_(module.getDataLayout()), repeated_(context_) {}

  Segments run(ir::KernelShape& shape) {
    cut();
    const std::size_t waits = stops_.size();
    join();
    find_live();
    mark_accesses();
    make_entry();
    demote();
    for (unsigned i = 0; i < stops_.size(); ++i) {
      resume_at(i);
      stop_at(i);
    }
    end();
    promote();
    shape.frame_size = stops_.empty() ? 0 : layout_.frame_size();
    return {.count = static_cast<unsigned>(waits) + 1,
            .junctions = static_cast<unsigned>(stops_.size() - waits),
            .independent = independent_};
  }

private:
  struct Variable { // holds a value that is needed after stops
    llvm::AllocaInst* holder = nullptr;
    llvm::Instruction* value = nullptr;
    bool repeated = false;
    std::uint64_t place = 0;
  };

  static llvm::Function& with_frames(llvm::Function& item) {
    Builder builder(item.getContext());
    std::vector<llvm::Type*> types(item.getFunctionType()->param_begin(),
                                   item.getFunctionType()->param_end());
    for (llvm::Type* type : {static_cast<llvm::Type*>(builder.getInt64Ty()),
                             static_cast<llvm::Type*>(builder.getPtrTy()),
                             static_cast<llvm::Type*>(builder.getInt64Ty()),
                             static_cast<llvm::Type*>(builder.getInt32Ty())})
      types.push_back(type);
    llvm::Function* const segment = llvm::Function::Create(
        llvm::FunctionType::get(builder.getInt64Ty(), types, false),
        llvm::Function::ExternalLinkage, "gputest_segment", *item.getParent());
    segment->copyAttributesFrom(&item);
    segment->addFnAttr(llvm::Attribute::NoInline); // unless a call is alwaysinline
    segment->splice(segment->begin(), &item);
    segment->setSubprogram(item.getSubprogram());
    item.setSubprogram(nullptr);
    for (unsigned i = 0; i < item.arg_size(); ++i) {
      segment->getArg(i)->takeName(item.getArg(i));
      item.getArg(i)->replaceAllUsesWith(segment->getArg(i));
    }
    item.eraseFromParent();
    return *segment;
  }

  void cut() {
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function_))) {
      instruction.dropDbgRecords(); // records of variables; places stay
      if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction))
        instruction.eraseFromParent();
      else if (is_stop(instruction))
        stops_.push_back({.call = llvm::cast<llvm::CallInst>(&instruction)});
    }
    for (Stop& stop : stops_) {
      stop.before = llvm::SplitBlock(stop.call->getParent(), stop.call);
      stop.after = llvm::SplitBlock(stop.before, stop.call->getNextNode());
    }
  }

  // Adds junctions, stops at which no work-item waits.
  void join() {
    if (stops_.empty())
      return;
    std::vector<llvm::BasicBlock*> begins{&function_.getEntryBlock()}, ends;
    for (const Stop& stop : stops_) {
      begins.push_back(stop.after);
      ends.push_back(stop.before);
    }
    for (const Junction& junction : find_junctions(function_, begins, ends)) {
      llvm::BasicBlock* const before =
          llvm::SplitBlockPredecessors(junction.block, junction.from, ".junction");
      stops_.push_back(
          {.before = before, .after = llvm::SplitBlock(before, before->getTerminator())});
    }
  }

  // Finds the values that are needed after each stop.
  void find_live() {
    live_.resize(stops_.size());
    if (stops_.empty())
      return;
    for (llvm::Instruction& value : llvm::instructions(function_)) {
      if (llvm::isa<llvm::AllocaInst>(value) || value.use_empty())
        continue;
      llvm::SmallPtrSet<const llvm::BasicBlock*, 16> live; // live-in blocks
      std::vector<const llvm::BasicBlock*> open;
      const llvm::BasicBlock* const made = value.getParent();
      const auto reach = [&](const llvm::BasicBlock* block) {
        if (block != made)
          open.push_back(block);
      };
      for (const llvm::Use& use : value.uses()) {
        const auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
        const auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
        reach(phi ? phi->getIncomingBlock(use) : user->getParent());
      }
      while (!open.empty()) {
        const llvm::BasicBlock* const block = open.back();
        open.pop_back();
        if (live.insert(block).second)
          for (const llvm::BasicBlock* before : llvm::predecessors(block))
            reach(before);
      }
      bool any = false;
      for (std::size_t i = 0; i < stops_.size(); ++i)
        if (live.contains(stops_[i].after)) {
          live_[i].push_back(variables_.size());
          any = true;
        }
      if (any)
        variables_.push_back({.value = &value});
    }
    for (Variable& variable : variables_)
      variable.repeated = repeated_.add(*variable.value);
  }

  // The kernel's own accesses never touch frames.
  void mark_accesses() {
    if (stops_.empty())
      return;
    llvm::MDBuilder metadata(context_);
    llvm::MDNode* const domain = metadata.createAnonymousAliasScopeDomain("frames");
    scopes_ = llvm::MDNode::get(context_, {metadata.createAnonymousAliasScope(domain, "frames")});
    for (llvm::Instruction& access : llvm::instructions(function_))
      if (access.mayReadOrWriteMemory())
        access.setMetadata(
            llvm::LLVMContext::MD_noalias,
            llvm::MDNode::concatenate(access.getMetadata(llvm::LLVMContext::MD_noalias), scopes_));
  }

  llvm::Value* in_frame(llvm::Instruction* access) const {
    access->setMetadata(llvm::LLVMContext::MD_alias_scope, scopes_);
    return access;
  }

  Layout::Frames mine() const {
    return {function_.getArg(5), function_.getArg(6), function_.getArg(7)};
  }

  void make_entry() {
    llvm::BasicBlock& first = function_.getEntryBlock();
    entry_ = llvm::BasicBlock::Create(context_, "entry", &function_, &first);
    Builder builder(entry_);
    way_ = builder.CreateSwitch(function_.getArg(8), &first, static_cast<unsigned>(stops_.size()));
    std::vector<llvm::AllocaInst*> own;
    for (llvm::Instruction& instruction : first)
      if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
        own.push_back(variable);
    for (llvm::AllocaInst* variable : own)
      if (stops_.empty()) {
        independent_ = false;
        variable->moveBefore(way_);
      } else {
        give_frame(*variable);
      }
  }

  // A variable whose address is taken is stored beside those of the other work-items.
  void give_frame(llvm::AllocaInst& variable) {
    std::vector<llvm::Instruction*> unneeded;
    for (llvm::User* user : variable.users())
      if (auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
          call && call->isLifetimeStartOrEnd())
        unneeded.push_back(call);
    for (llvm::Instruction* call : unneeded)
      call->eraseFromParent();
    const std::uint64_t size = llvm::alignTo(
        variable.getAllocationSize(module_.getDataLayout())->getFixedValue(), variable.getAlign());
    Builder builder(way_);
    variable.replaceAllUsesWith(layout_.address(builder, layout_.add(size), mine()));
    variable.eraseFromParent();
  }

  void demote() {
    for (Variable& variable : variables_) {
      llvm::Type* const type = variable.value->getType();
      variable.holder = llvm::DemoteRegToStack(*variable.value, false, entry_->begin());
      if (!variable.repeated)
        variable.place = layout_.add(type);
    }
  }

  void resume_at(unsigned index) {
    llvm::BasicBlock* const block =
        llvm::BasicBlock::Create(context_, "resume", &function_, stops_[index].after);
    way_->addCase(Builder(context_).getInt32(index + 1), block);
    Builder builder(block);
    std::map<llvm::Value*, llvm::Value*> made;
    for (const std::size_t number : live_[index]) {
      const Variable& variable = variables_[number];
      llvm::Type* const type = variable.holder->getAllocatedType();
      llvm::Value* value = nullptr;
      if (variable.repeated) {
        value = repeated_.compute(builder, variable.value, made);
      } else {
        value = in_frame(builder.CreateLoad(layout_.kept(type),
                                            layout_.address(builder, variable.place, mine())));
        if (value->getType() != type)
          value = builder.CreateTrunc(value, type);
      }
      builder.CreateStore(value, variable.holder);
    }
    builder.CreateBr(stops_[index].after);
  }

  void stop_at(unsigned index) {
    const Stop& stop = stops_[index];
    stop.before->getTerminator()->eraseFromParent();
    Builder builder(stop.before);
    for (const std::size_t number : live_[index]) {
      const Variable& variable = variables_[number];
      if (variable.repeated)
        continue;
      llvm::Type* const type = variable.holder->getAllocatedType();
      llvm::Value* value = builder.CreateLoad(type, variable.holder);
      if (layout_.kept(type) != type)
        value = builder.CreateZExt(value, layout_.kept(type));
      in_frame(builder.CreateStore(value, layout_.address(builder, variable.place, mine())));
    }
    llvm::Value* const next = builder.getInt64(std::uint64_t{index + 1} << 32);
    builder.CreateRet(stop.call ? builder.CreateOr(status_of_stop(builder, *stop.call), next)
                                : next);
    if (stop.call)
      stop.call->eraseFromParent();
  }

  void end() {
    for (llvm::BasicBlock& block : function_)
      if (auto* const end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
          end && !end->getReturnValue()) {
        Builder builder(end);
        builder.CreateRet(builder.getInt64(0));
        end->eraseFromParent();
      }
  }

  void promote() {
    std::vector<llvm::AllocaInst*> holders;
    for (const Variable& variable : variables_)
      holders.push_back(variable.holder);
    llvm::removeUnreachableBlocks(function_);
    llvm::DominatorTree tree(function_);
    if (!holders.empty())
      llvm::PromoteMemToReg(holders, tree);
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  llvm::Function& function_;
  Layout layout_;
  Repeated repeated_;
  std::vector<Stop> stops_;
  std::vector<Variable> variables_;
  std::vector<std::vector<std::size_t>> live_; // by stop: numbers of variables
  llvm::BasicBlock* entry_ = nullptr;
  llvm::SwitchInst* way_ = nullptr;
  llvm::MDNode* scopes_ = nullptr;
  bool independent_ = true;
};

bool can_be_cut(const llvm::Function& item) {
  std::size_t stops = 0, instructions = 0;
  for (const llvm::BasicBlock& block : item)
    for (const llvm::Instruction& instruction : block) {
      ++instructions;
      stops += is_stop(instruction);
      const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (variable && (!variable->isStaticAlloca() || variable->isUsedWithInAlloca()))
        return false;
      if (instruction.getType()->isTokenTy())
        return false;
    }
  return stops <= kMostStops && instructions <= kMostInstructions;
}

} // namespace

std::optional<Segments> make_segments(llvm::Module& module, ir::KernelShape& shape) {
  llvm::Function& item = *module.getFunction(ir::kItemFunction);
  if (!can_be_cut(item))
    return std::nullopt;
  return Cutter(module, item).run(shape);
}

} // namespace gputest::simulator
