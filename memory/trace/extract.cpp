// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/extract.h"

#include "frontend/llvm_version.h"
#include "ir/analysis_managers.h"
#include "ir/places.h"
#include "memory/trace/operators.h"
#include "templates/simulator/context.h"

#include <cstddef>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <map>

namespace gputest::memory {
namespace {

static_assert(offsetof(gputest_context, global_size) == 8 * GlobalSize);
static_assert(offsetof(gputest_context, enqueued_local_size) == 8 * EnqueuedLocalSize);
static_assert(offsetof(gputest_context, num_groups) == 8 * NumGroups);
static_assert(offsetof(gputest_context, global_offset) == 8 * GlobalOffset);
static_assert(offsetof(gputest_context, work_dim) == 8 * WorkDim);
static_assert(offsetof(gputest_context, group_id) == 8 * GroupId);
static_assert(offsetof(gputest_context, local_size) == 8 * LocalSize);

constexpr unsigned kContext = 0, kArguments = 1, kFirstId = 2; // arguments of the item

class Extraction {
public:
  Extraction(llvm::Function& item, const std::vector<llvm::BasicBlock*>& order,
             const ItemShape& shape, const std::vector<ReferencePointer>& pointers)
      : order_(order), shape_(shape), pointers_(pointers),
        layout_(item.getParent()->getDataLayout()),
        loops_(managers_.functions.getResult<llvm::LoopAnalysis>(item)),
        dominators_(managers_.functions.getResult<llvm::DominatorTreeAnalysis>(item)),
        evolution_(managers_.functions.getResult<llvm::ScalarEvolutionAnalysis>(item)) {}

  StaticKernel run() {
    if (shape_.loop_places.size() > kMostStaticLoops)
      return {};
    number_loops();
    std::map<const llvm::BasicBlock*, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < order_.size(); ++i)
      numbers[order_[i]] = i;
    for (std::uint32_t i = 0; i < order_.size(); ++i)
      add_block(*order_[i], shape_.blocks[i], numbers);
    kernel_.finish();
    return std::move(kernel_);
  }

private:
  void number_loops() {
    kernel_.loops.resize(shape_.loop_places.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i)
      if (const Block& block = shape_.blocks[i]; block.header_of >= 0) {
        const auto number = static_cast<std::uint32_t>(block.header_of);
        loop_numbers_[loops_.getLoopFor(order_[i])] = number;
        kernel_.loops[number] = {
            .parent = block.loops.size() > 1 ? block.loops[block.loops.size() - 2] : kNoNumber,
            .depth = static_cast<unsigned>(block.loops.size())};
      }
  }

  void add_block(llvm::BasicBlock& block, const Block& described,
                 const std::map<const llvm::BasicBlock*, std::uint32_t>& numbers) {
    StaticBlock added;
    if (!described.loops.empty())
      added.loop = described.loops.back();
    if (described.header_of >= 0)
      added.header_of = static_cast<std::uint32_t>(described.header_of);
    scope_ = loops_.getLoopFor(&block);
    for (const llvm::Loop* loop = scope_; loop; loop = loop->getParentLoop())
      add_bounds(added, *loop, block);
    for (const BlockStep& step : described.steps)
      if (step.kind == BlockStep::Kind::Barrier)
        added.steps.push_back({.kind = StaticStep::Kind::Barrier});
      else
        added.steps.push_back(
            {.reference = step.reference, .offset = offset_of(pointers_[step.reference])});
    const llvm::Instruction& last = *block.getTerminator();
    for (unsigned i = 0; i < last.getNumSuccessors(); ++i)
      added.successors.push_back(numbers.at(last.getSuccessor(i)));
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&last);
        branch && branch->isConditional()) {
      added.condition = node_of(branch->getCondition());
      const model::CodePlace place = ir::place_of(last);
      added.file = place.file;
      added.line = place.line;
      added.column = place.column;
    }
    kernel_.blocks.push_back(std::move(added));
  }

  void add_bounds(StaticBlock& added, const llvm::Loop& loop, const llvm::BasicBlock& block) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (llvm::BasicBlock* exit : exiting) {
      const llvm::SCEV* count = evolution_.getExitCount(&loop, exit);
      if (llvm::isa<llvm::SCEVCouldNotCompute>(count))
        continue;
      // In the iteration that ends at the exit, blocks that the exit dominates do not run.
      const bool behind = exit != &block && dominators_.dominates(exit, &block);
      added.bounds.push_back(
          {.loop = loop_numbers_.at(&loop), .iteration = node_of(count), .before_exit = !behind});
    }
  }

  // -- Nodes -------------------------------------------------------------------------------------

  NodeId add(Node node) {
    kernel_.nodes.push_back(std::move(node));
    return static_cast<NodeId>(kernel_.nodes.size() - 1);
  }
  NodeId unknown(unsigned bits) { return add({.kind = Node::Kind::Unknown, .bits = bits}); }
  NodeId constant(std::uint64_t value, unsigned bits) {
    return add({.kind = Node::Kind::Constant, .bits = bits, .value = masked(value, bits)});
  }
  NodeId binary(Operator what, NodeId left, NodeId right, unsigned bits) {
    return add({.kind = Node::Kind::Binary, .bits = bits, .what = what, .operands = {left, right}});
  }
  NodeId resized(NodeId node, unsigned bits, bool is_signed = false) {
    const unsigned from = kernel_.nodes[node].bits;
    if (from == bits)
      return node;
    return add({.kind = bits < from ? Node::Kind::Truncate
                        : is_signed ? Node::Kind::SignExtend
                                    : Node::Kind::ZeroExtend,
                .bits = bits,
                .operands = {node}});
  }

  static unsigned bits_of(const llvm::Type* type) {
    return type->isIntegerTy() ? type->getIntegerBitWidth() : 64;
  }

  // The value in the blocks of the present loop.
  NodeId node_of(llvm::Value* value) {
    if (!value->getType()->isIntegerTy() || bits_of(value->getType()) > 64)
      return unknown(std::min(64U, bits_of(value->getType())));
    if (bits_of(value->getType()) == 1) // scalar evolution is of no use for conditions
      return node_of_instruction(value);
    return node_of(evolution_.getSCEVAtScope(value, scope_));
  }

  NodeId node_of(const llvm::SCEV* expression) {
    const auto known = expressions_.find(expression);
    if (known != expressions_.end())
      return known->second;
    const NodeId node = made(expression);
    expressions_[expression] = node;
    return node;
  }

  NodeId folded(Operator what, const llvm::SCEVNAryExpr* expression, unsigned bits) {
    NodeId node = node_of(expression->getOperand(0));
    for (unsigned i = 1; i < expression->getNumOperands(); ++i)
      node = binary(what, node, node_of(expression->getOperand(i)), bits);
    return node;
  }

  NodeId made(const llvm::SCEV* expression) {
    const unsigned bits = bits_of(expression->getType());
    if (bits > 64 || !expression->getType()->isIntegerTy())
      return unknown(64);
    switch (expression->getSCEVType()) {
    case llvm::scConstant:
      return constant(llvm::cast<llvm::SCEVConstant>(expression)->getAPInt().getZExtValue(), bits);
    case llvm::scTruncate:
    case llvm::scZeroExtend:
    case llvm::scSignExtend:
      return resized(node_of(llvm::cast<llvm::SCEVCastExpr>(expression)->getOperand()), bits,
                     expression->getSCEVType() == llvm::scSignExtend);
    case llvm::scAddExpr:
      return folded(Operator::Add, llvm::cast<llvm::SCEVNAryExpr>(expression), bits);
    case llvm::scMulExpr:
      return folded(Operator::Multiply, llvm::cast<llvm::SCEVNAryExpr>(expression), bits);
    case llvm::scUMaxExpr:
      return folded(Operator::Most, llvm::cast<llvm::SCEVNAryExpr>(expression), bits);
    case llvm::scSMaxExpr:
      return folded(Operator::MostSigned, llvm::cast<llvm::SCEVNAryExpr>(expression), bits);
    case llvm::scUMinExpr:
    case llvm::scSequentialUMinExpr:
      return folded(Operator::Least, llvm::cast<llvm::SCEVNAryExpr>(expression), bits);
    case llvm::scSMinExpr:
      return folded(Operator::LeastSigned, llvm::cast<llvm::SCEVNAryExpr>(expression), bits);
    case llvm::scUDivExpr: {
      const auto* const division = llvm::cast<llvm::SCEVUDivExpr>(expression);
      return binary(Operator::Divide, node_of(division->getLHS()), node_of(division->getRHS()),
                    bits);
    }
    case llvm::scAddRecExpr: {
      const auto* const sum = llvm::cast<llvm::SCEVAddRecExpr>(expression);
      if (!sum->isAffine())
        return unknown(bits);
      const NodeId iteration = resized(
          add({.kind = Node::Kind::Iteration, .value = loop_numbers_.at(sum->getLoop())}), bits);
      return binary(
          Operator::Add, node_of(sum->getStart()),
          binary(Operator::Multiply, node_of(sum->getStepRecurrence(evolution_)), iteration, bits),
          bits);
    }
    case llvm::scUnknown:
      return node_of_instruction(llvm::cast<llvm::SCEVUnknown>(expression)->getValue());
    default:
      return unknown(bits);
    }
  }

  // For values that scalar evolution does not know.
  NodeId node_of_instruction(llvm::Value* value) {
    const auto known = values_.find(value);
    if (known != values_.end())
      return known->second;
    const unsigned bits = bits_of(value->getType());
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(value); phi && is_header(*phi))
      return recurrence(*phi, bits);
    // Operands have their values at the instruction, wherever its result is used.
    const llvm::Loop* const scope = scope_;
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value))
      scope_ = loops_.getLoopFor(instruction->getParent());
    const NodeId node = made(*value, bits);
    scope_ = scope;
    values_[value] = node;
    return node;
  }

  bool is_header(const llvm::PHINode& phi) const { return loops_.isLoopHeader(phi.getParent()); }

  NodeId recurrence(llvm::PHINode& phi, unsigned bits) {
    const llvm::Loop* const loop = loops_.getLoopFor(phi.getParent());
    const NodeId node =
        add({.kind = Node::Kind::Recurrence, .bits = bits, .value = loop_numbers_.at(loop)});
    values_[&phi] = node;
    std::vector<NodeId> first, next;
    const llvm::Loop* const scope = scope_;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      const bool from_inside = loop->contains(phi.getIncomingBlock(i));
      scope_ = from_inside ? loop : loop->getParentLoop();
      (from_inside ? next : first).push_back(node_of(phi.getIncomingValue(i)));
    }
    scope_ = scope;
    kernel_.nodes[node].operands = {one_of(first, bits), one_of(next, bits)};
    return node;
  }

  NodeId one_of(const std::vector<NodeId>& nodes, unsigned bits) {
    return nodes.size() == 1 ? nodes.front()
                             : add({.kind = Node::Kind::Union, .bits = bits, .operands = nodes});
  }

  NodeId made(llvm::Value& value, unsigned bits) {
    if (bits > 64)
      return unknown(64);
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value))
      return constant(number->getZExtValue(), bits);
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&value);
        argument && argument->getArgNo() >= kFirstId)
      return add({.kind = Node::Kind::LocalId, .value = argument->getArgNo() - kFirstId});
    auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction)
      return unknown(bits);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return given(*load, 0, bits);
    if (const auto* part = llvm::dyn_cast<llvm::ExtractElementInst>(instruction)) {
      const auto* const index = llvm::dyn_cast<llvm::ConstantInt>(part->getIndexOperand());
      const auto* const load = llvm::dyn_cast<llvm::LoadInst>(part->getVectorOperand());
      return index && load && bits % 8 == 0 ? given(*load, index->getZExtValue() * bits / 8, bits)
                                            : unknown(bits);
    }
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      std::vector<NodeId> nodes;
      for (llvm::Value* incoming : phi->incoming_values())
        nodes.push_back(node_of(incoming));
      return one_of(nodes, bits);
    }
    if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(instruction))
      return add({.kind = Node::Kind::Select,
                  .bits = bits,
                  .operands = {node_of(select->getCondition()), node_of(select->getTrueValue()),
                               node_of(select->getFalseValue())}});
    if (auto* const comparison = llvm::dyn_cast<llvm::ICmpInst>(instruction))
      return compared(*comparison);
    if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(instruction);
        cast && cast->getSrcTy()->isIntegerTy() && bits_of(cast->getSrcTy()) <= 64)
      return resized(node_of(cast->getOperand(0)), bits, llvm::isa<llvm::SExtInst>(cast));
    if (llvm::isa<llvm::FreezeInst>(instruction))
      return node_of(instruction->getOperand(0));
    if (instruction->getOpcode() == llvm::Instruction::Sub) {
      const NodeId right = binary(Operator::Multiply, node_of(instruction->getOperand(1)),
                                  constant(~std::uint64_t{0}, bits), bits);
      return binary(Operator::Add, node_of(instruction->getOperand(0)), right, bits);
    }
    if (const auto what = operator_of(*instruction))
      return binary(*what, node_of(instruction->getOperand(0)), node_of(instruction->getOperand(1)),
                    bits);
    return unknown(bits);
  }

  // A word of the launch that the kernel reads.
  NodeId given(const llvm::LoadInst& load, std::uint64_t within, unsigned bits) {
    llvm::APInt offset(64, 0);
    const auto* const from = llvm::dyn_cast<llvm::Argument>(
        load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true));
    if (!from || !load.hasMetadata(llvm::LLVMContext::MD_invariant_load))
      return unknown(bits);
    const std::uint64_t at = offset.getZExtValue() + within;
    if (from->getArgNo() == kArguments)
      return add({.kind = Node::Kind::Argument, .bits = bits, .value = at});
    if (from->getArgNo() == kContext && bits == 64 && at % 8 == 0 && at / 8 < LaunchWords)
      return add({.kind = Node::Kind::Context, .value = at / 8});
    return unknown(bits);
  }

  NodeId compared(llvm::ICmpInst& comparison) {
    llvm::Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
    if (!left->getType()->isIntegerTy() || bits_of(left->getType()) > 64)
      return unknown(1);
    auto predicate = comparison.getPredicate();
    if (llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate)) {
      predicate = llvm::ICmpInst::getSwappedPredicate(predicate);
      std::swap(left, right);
    }
    return binary(operator_of(predicate), node_of(left), node_of(right), 1);
  }

  // -- Pointers ----------------------------------------------------------------------------------

  NodeId offset_of(const ReferencePointer& reference) {
    return reference.begin ? offset_of(reference.pointer, reference.begin) : unknown(64);
  }

  NodeId offset_of(llvm::Value* pointer, const llvm::Value* begin) {
    if (pointer == begin)
      return constant(0, 64);
    if (auto* const cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(pointer))
      return offset_of(cast->getPointerOperand(), begin);
    if (auto* const element = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
      frontend::llvm_version::Strides variable;
      llvm::APInt fixed(64, 0);
      if (!element->collectOffset(layout_, 64, variable, fixed))
        return unknown(64);
      NodeId node = offset_of(element->getPointerOperand(), begin);
      node = binary(Operator::Add, node, constant(fixed.getZExtValue(), 64), 64);
      for (const auto& [index, scale] : variable)
        node = binary(Operator::Add, node,
                      binary(Operator::Multiply, resized(node_of(index), 64, true),
                             constant(scale.getZExtValue(), 64), 64),
                      64);
      return node;
    }
    if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(pointer))
      return add(
          {.kind = Node::Kind::Select,
           .operands = {node_of(select->getCondition()), offset_of(select->getTrueValue(), begin),
                        offset_of(select->getFalseValue(), begin)}});
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(pointer))
      return offset_of_phi(*phi, begin);
    return unknown(64);
  }

  NodeId offset_of_phi(llvm::PHINode& phi, const llvm::Value* begin) {
    if (const auto known = values_.find(&phi); known != values_.end())
      return known->second;
    const llvm::Loop* const scope = scope_;
    const llvm::Loop* const loop = loops_.getLoopFor(phi.getParent());
    scope_ = loop;
    const NodeId node = offset_made_of(phi, begin, loop);
    scope_ = scope;
    values_[&phi] = node;
    return node;
  }

  NodeId offset_made_of(llvm::PHINode& phi, const llvm::Value* begin, const llvm::Loop* loop) {
    if (is_header(phi)) {
      const NodeId node = add({.kind = Node::Kind::Recurrence, .value = loop_numbers_.at(loop)});
      values_[&phi] = node; // the next one may refer to it
      std::vector<NodeId> first, next;
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        const bool from_inside = loop->contains(phi.getIncomingBlock(i));
        scope_ = from_inside ? loop : loop->getParentLoop();
        (from_inside ? next : first).push_back(offset_of(phi.getIncomingValue(i), begin));
      }
      scope_ = loop;
      if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&phi));
          sum && sum->isAffine() && sum->getLoop() == loop) {
        // The pointer grows by the same number of bytes each time.
        const NodeId iteration =
            add({.kind = Node::Kind::Iteration, .value = loop_numbers_.at(loop)});
        const NodeId bytes =
            binary(Operator::Multiply,
                   resized(node_of(sum->getStepRecurrence(evolution_)), 64, true), iteration, 64);
        kernel_.nodes[node] = {.kind = Node::Kind::Binary,
                               .what = Operator::Add,
                               .operands = {one_of(first, 64), bytes}};
      } else {
        kernel_.nodes[node].operands = {one_of(first, 64), one_of(next, 64)};
      }
      return node;
    }
    std::vector<NodeId> nodes;
    for (llvm::Value* incoming : phi.incoming_values())
      nodes.push_back(offset_of(incoming, begin));
    return one_of(nodes, 64);
  }

  const std::vector<llvm::BasicBlock*>& order_;
  const ItemShape& shape_;
  const std::vector<ReferencePointer>& pointers_;
  const llvm::DataLayout& layout_;
  ir::AnalysisManagers managers_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
  const llvm::Loop* scope_ = nullptr;
  StaticKernel kernel_;
  std::map<const llvm::Loop*, std::uint32_t> loop_numbers_;
  std::map<const llvm::SCEV*, NodeId> expressions_;
  std::map<const llvm::Value*, NodeId> values_;
};

} // namespace

StaticKernel extract(llvm::Function& item, const std::vector<llvm::BasicBlock*>& order,
                     const ItemShape& shape, const std::vector<ReferencePointer>& pointers) {
  return Extraction(item, order, shape, pointers).run();
}

} // namespace gputest::memory
