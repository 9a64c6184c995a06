// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/instrument.h"

#include "ir/call.h"
#include "ir/error.h"
#include "ir/lowered_names.h"
#include "templates/simulator/context.h"
#include "testgen/concolic/chains.h"
#include "testgen/concolic/composed.h"
#include "testgen/concolic/dependence.h"
#include "testgen/concolic/operations.h"
#include "testgen/concolic/vector_labels.h"

#include <algorithm>
#include <cstddef>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>

namespace gputest::testgen {
namespace {

// The blocks on which `block` is control dependent, directly or through others (Ferrante,
// Ottenstein, Warren, TOPLAS 1987).
std::set<const llvm::BasicBlock*> blocks_that_decide(const llvm::BasicBlock& block,
                                                     const llvm::PostDominatorTree& later) {
  std::set<const llvm::BasicBlock*> found;
  std::vector<const llvm::BasicBlock*> work{&block};
  while (!work.empty()) {
    const llvm::BasicBlock* const reached = work.back();
    work.pop_back();
    for (const llvm::BasicBlock& from : *block.getParent()) {
      if (found.contains(&from) || later.properlyDominates(reached, &from))
        continue;
      for (const llvm::BasicBlock* next : llvm::successors(&from))
        if (later.dominates(reached, next) && found.insert(&from).second)
          work.push_back(&from);
    }
  }
  return found;
}

class Instrumentation : VectorLabels {
public:
  Instrumentation(llvm::Function& item, LibraryCalls& library, Traceable what)
      : VectorLabels(item), library_(library), what_(what) {}

  Instrumented run() {
    gather_variables();
    std::vector<llvm::Instruction*> instructions;
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&item_);
    for (llvm::BasicBlock* block : order)
      for (llvm::Instruction& instruction : *block)
        if (!instruction.isDebugOrPseudoInst())
          instructions.push_back(&instruction);
    find_homes(instructions);
    relevant_ =
        relevant_values(item_, instructions,
                        values_that_depend(item_, instructions, what_.launch_sizes), what_.outputs);
    depends_ = relevant_.values;
    chains_ = find_chains(instructions, depends_);
    begin(instructions);
    for (llvm::Instruction* instruction : instructions)
      if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(instruction); phi && depends(phi))
        add_phi(*phi);
    for (llvm::Instruction* instruction : instructions)
      visit(*instruction);
    for (const auto& [phi, labels] : phis_)
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        const Values incoming = labels_of(phi->getIncomingValue(i));
        for (std::size_t lane = 0; lane < labels.size(); ++lane)
          labels[lane]->addIncoming(incoming[lane], phi->getIncomingBlock(i));
      }
    std::string message;
    llvm::raw_string_ostream stream(message);
    if (llvm::verifyFunction(item_, &stream))
      throw ir::SimulatorFailure("following values broke the kernel: " + message);
    return std::move(result_);
  }

private:
  using VectorLabels::visit;

  // Before blocks are split.
  void find_homes(const std::vector<llvm::Instruction*>& instructions) {
    llvm::PostDominatorTree later(item_);
    later.updateDFSNumbers();
    const llvm::DominatorTree earlier(item_);
    const llvm::LoopInfo loops(earlier);
    for (const llvm::Instruction* instruction : instructions)
      if (const auto* const node = later.getNode(instruction->getParent()))
        homes_[instruction] = {.first = node->getDFSNumIn(),
                               .last = node->getDFSNumOut(),
                               .in_loop = loops.getLoopFor(instruction->getParent()) != nullptr};
    for (const llvm::Instruction* instruction : instructions)
      if (const auto place = warp_stop(*instruction))
        for (const llvm::BasicBlock* block : blocks_that_decide(*instruction->getParent(), later))
          if (const auto* const node = later.getNode(block))
            result_.stops[*place].insert(node->getDFSNumIn());
  }

  static std::optional<std::uint32_t> warp_stop(const llvm::Instruction& instruction) {
    if (!ir::is_call(instruction, ir::kWarpFunction))
      return std::nullopt;
    return static_cast<std::uint32_t>(
        llvm::cast<llvm::ConstantInt>(instruction.getOperand(0))->getZExtValue());
  }

  // To the begin, where everything can refer to them.
  void gather_variables() {
    std::vector<llvm::AllocaInst*> variables;
    for (llvm::Instruction& instruction : llvm::instructions(item_))
      if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          variable && llvm::isa<llvm::Constant>(variable->getArraySize()))
        variables.push_back(variable);
    llvm::BasicBlock& entry = item_.getEntryBlock();
    for (auto variable = variables.rbegin(); variable != variables.rend(); ++variable)
      (*variable)->moveBefore(entry, entry.begin());
  }

  void add_phi(llvm::PHINode& phi) {
    std::vector<llvm::PHINode*> labels;
    Builder builder(&phi);
    for (unsigned lane = 0; lane < lanes_of(*phi.getType()); ++lane)
      labels.push_back(builder.CreatePHI(label_type_, phi.getNumIncomingValues()));
    labels_[&phi] = Values(labels.begin(), labels.end());
    phis_.emplace_back(&phi, labels);
  }

  void begin(const std::vector<llvm::Instruction*>& instructions) {
    llvm::Instruction* first = &*item_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    Builder builder(first);
    auto* const calls =
        new llvm::GlobalVariable(module_, llvm::ArrayType::get(pointer_, 0), true,
                                 llvm::GlobalValue::ExternalLinkage, nullptr, "gputest_calls");
    const auto size = [&](unsigned dimension) {
      return builder.CreateLoad(word_, builder.CreateConstInBoundsGEP1_64(
                                           builder.getInt8Ty(), item_.getArg(0),
                                           offsetof(gputest_context, local_size) + 8 * dimension));
    };
    llvm::Value* const rows =
        builder.CreateAdd(builder.CreateMul(item_.getArg(4), size(1)), item_.getArg(3));
    llvm::Value* const linear =
        builder.CreateAdd(builder.CreateMul(rows, size(0)), item_.getArg(2));
    const Values arguments{item_.getArg(0), item_.getArg(1), linear, calls};
    who_ = ir::call_by_name(builder, "gputest_label_begin", label_type_, arguments);
    for (llvm::Instruction* instruction : instructions)
      if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(instruction);
          variable && keeps_labels(variable))
        if (const auto bytes = variable->getAllocationSize(layout_))
          fill(builder, instruction, none_, word(bytes->getFixedValue()));
  }

  void visit(llvm::Instruction& instruction) {
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return visit(*load);
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return visit(*store);
    if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      return visit(*call);
    if (auto* const operation = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return visit(*operation);
    if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return visit(*exchange);
    if (llvm::isa<llvm::PHINode>(instruction) ||
        std::ranges::none_of(instruction.operands(),
                             [&](const llvm::Use& use) { return depends(use.get()); }))
      return;
    if (auto* const branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
      visit(*branch);
    else if (auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
      visit(*choice);
    else if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
      visit(*select);
    else if (!depends(&instruction) || chains_.inner.contains(&instruction))
      return;
    else if (const auto chain = chains_.by_last.find(&instruction); chain != chains_.by_last.end())
      visit(instruction, chain->second);
    else if (auto* const gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
      visit(*gep);
    else if (auto* const comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction))
      visit(*comparison);
    else if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
      visit(*cast);
    else if (llvm::isa<llvm::FreezeInst>(instruction))
      labels_[&instruction] = labels_of(instruction.getOperand(0));
    else if (!visit_parts(instruction))
      compute(instruction);
  }

  void visit(llvm::BranchInst& branch) {
    const unsigned at = site(branch, TracedSite::Kind::Branch);
    const auto* const comparison = llvm::dyn_cast<llvm::CmpInst>(branch.getCondition());
    if (comparison && only_decides(*comparison))
      decide(branch, at, *comparison);
    else
      event(branch, at, branch.getCondition());
  }

  // Whether nobody but a branch asks for its label, which one operation makes.
  static bool only_decides(const llvm::CmpInst& comparison) {
    const auto how = comparison_of(comparison.getPredicate());
    const llvm::Type& type = *comparison.getOperand(0)->getType();
    return how && !how->second && !how->negated && width_of(type) && !type.isVectorTy() &&
           comparison.hasOneUse() && llvm::isa<llvm::BranchInst>(*comparison.user_begin());
  }

  void decide(llvm::BranchInst& branch, unsigned at, const llvm::CmpInst& comparison) {
    const auto how = comparison_of(comparison.getPredicate());
    llvm::Value *a = comparison.getOperand(0), *b = comparison.getOperand(1);
    if (how->swapped)
      std::swap(a, b);
    const unsigned width = width_of(*a->getType());
    const Values labels{label_of(a), label_of(b)};
    guarded(branch, labels, "gputest_label_decision", false, [&](Builder& builder) {
      return Values{number(static_cast<unsigned>(how->first)),
                    number(widths_of({width, width, 1})),
                    labels[0],
                    labels[1],
                    bits(builder, a),
                    bits(builder, b),
                    bits(builder, branch.getCondition()),
                    number(at),
                    who_};
    });
  }

  void visit(llvm::Instruction& last, const FoundChain& chain) {
    Values labels(Chain::kMostInputs, none_);
    for (std::size_t i = 0; i < chain.inputs.size(); ++i)
      labels[i] = label_of(chain.inputs[i]);
    set(last,
        guarded(*last.getNextNode(), labels, "gputest_label_chain", true, [&](Builder& builder) {
          Values arguments{number(result_.chains.size())};
          arguments.append(labels);
          for (unsigned i = 0; i < Chain::kMostInputs; ++i)
            arguments.push_back(i < chain.inputs.size() ? bits(builder, chain.inputs[i]) : word(0));
          return arguments;
        }));
    result_.chains.push_back(chain.chain);
  }

  void visit(llvm::SwitchInst& choice) {
    const unsigned at = site(choice, TracedSite::Kind::Switch);
    for (const auto& one : choice.cases())
      result_.sites[at].cases.push_back(one.getCaseValue()->getZExtValue());
    event(choice, at, choice.getCondition());
  }

  void visit(llvm::SelectInst& select) {
    llvm::Value* const condition = select.getCondition();
    if (select.getType()->isVectorTy() || !width_of(*select.getType()))
      return lose(select, "a choice between values of a type that is not followed");
    llvm::Value* const chooses = label_of(condition);
    llvm::Value *const a = label_of(select.getTrueValue()), *const b =
                                                                label_of(select.getFalseValue());
    if (chooses != none_ && !select.hasMetadata("gputest.concolic.library"))
      event(select, site(select, TracedSite::Kind::Select), condition);
    if (depends(&select))
      set(select, operation_of_three(*select.getNextNode(), Op::Select, width_of(*select.getType()),
                                     {chooses, a, b},
                                     {condition, select.getTrueValue(), select.getFalseValue()}));
  }

  void visit(llvm::CmpInst& comparison) {
    llvm::Value *a = comparison.getOperand(0), *b = comparison.getOperand(1);
    const unsigned width = width_of(*a->getType());
    const auto how = comparison_of(comparison.getPredicate());
    if (!how || only_decides(comparison)) // always the same, or done at the branch
      return;
    if (!width || a->getType()->isVectorTy())
      return lose(comparison, "a comparison of values of a type that is not followed");
    if (how->swapped)
      std::swap(a, b);
    llvm::Instruction& where = *comparison.getNextNode();
    const auto operation = [&](Op op) {
      Builder builder(&where);
      return binary(where, op, {width, width, 1}, label_of(a), label_of(b), bits(builder, a),
                    bits(builder, b));
    };
    llvm::Value* label = operation(how->first);
    if (how->second)
      label = binary(where, Op::Or, 1, label, operation(*how->second), word(0), word(0));
    if (how->negated)
      label = binary(where, Op::Xor, 1, label, none_, word(0), word(1));
    set(comparison, label);
    const bool decides = std::ranges::all_of(comparison.users(), [&](const llvm::User* user) {
      return llvm::isa<llvm::BranchInst>(user) ||
             (llvm::isa<llvm::SelectInst>(user) && user->getOperand(0) == &comparison);
    });
    if (!decides && !comparison.hasMetadata("gputest.concolic.library"))
      event(where, site(comparison, TracedSite::Kind::Comparison), &comparison);
  }

  void visit(llvm::CastInst& cast) {
    llvm::Type &from = *cast.getSrcTy(), &to = *cast.getDestTy();
    if (from.isVectorTy() || to.isVectorTy()) {
      if (llvm::isa<llvm::BitCastInst>(cast))
        return rearrange(cast);
      return lose(cast, "a conversion of vectors that is not followed");
    }
    const auto op = conversion_of(cast);
    if (!op || !width_of(from) || !width_of(to))
      return lose(cast, "a conversion of a type that is not followed");
    if (*op == Op::ZExt && width_of(from) == width_of(to))
      labels_[&cast] = labels_of(cast.getOperand(0));
    else
      set(cast, unary(*cast.getNextNode(), *op, width_of(to), label_of(cast.getOperand(0))));
  }

  void compute(llvm::Instruction& instruction) {
    const auto op = operation_of(instruction);
    const unsigned width = width_of(*instruction.getType());
    if (!op || !width || instruction.getType()->isVectorTy())
      return lose(instruction, "an operation that is not followed");
    llvm::Value* const a = instruction.getOperand(0);
    llvm::Instruction& where = *instruction.getNextNode();
    if (instruction.getNumOperands() == 1) {
      set(instruction, unary(where, *op, width, label_of(a)));
      return;
    }
    llvm::Value* const b = instruction.getOperand(1);
    Builder builder(&where);
    set(instruction,
        binary(where, *op, width, label_of(a), label_of(b), bits(builder, a), bits(builder, b)));
  }

  void visit(llvm::CallInst& call) {
    llvm::Function* const callee = call.getCalledFunction();
    if (!callee)
      return;
    if (auto* const memory = llvm::dyn_cast<llvm::MemIntrinsic>(&call))
      return visit(*memory);
    if (auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
      return visit(*intrinsic);
    const llvm::StringRef name = callee->getName();
    if (name.starts_with("gputest_label_"))
      return;
    unsigned opaque = 0;
    if (name.starts_with("gputest_opaque.") && !name.substr(15).getAsInteger(10, opaque))
      return opaque_call(call, opaque);
    forget_outputs(call);
    if (!call.getType()->isVoidTy())
      lose(call, "what a function of the simulator gives is not followed");
  }

  void opaque_call(llvm::CallInst& call, unsigned function) {
    if (!depends(&call))
      return;
    Values labels, values;
    std::uint64_t widths = std::uint64_t{width_of(*call.getType())} << 24;
    for (unsigned i = 0; i < 3; ++i) {
      llvm::Value* const argument = i < call.arg_size() ? call.getArgOperand(i) : nullptr;
      labels.push_back(argument ? label_of(argument) : none_);
      values.push_back(argument ? argument : word(0));
      widths |= std::uint64_t{argument ? width_of(*argument->getType()) : 0} << (8 * i);
    }
    set(call, ternary(*call.getNextNode(), "gputest_label_call", function, widths, labels, values));
  }

  void visit(llvm::IntrinsicInst& call) {
    if (!depends(&call))
      return;
    const unsigned width = width_of(*call.getType());
    if (!width || call.getType()->isVectorTy())
      return lose(call, "a built-in function of a type that is not followed");
    Values labels, values;
    for (unsigned i = 0; i < 3; ++i) {
      const bool given = i < call.arg_size();
      labels.push_back(given ? label_of(call.getArgOperand(i)) : none_);
      values.push_back(given ? call.getArgOperand(i) : word(0));
    }
    llvm::Instruction& where = *call.getNextNode();
    if (const auto composed = composed_operation(call.getIntrinsicID())) {
      set(call, ternary(where, "gputest_label_composed", static_cast<unsigned>(*composed), width,
                        labels, values));
      return;
    }
    if (const auto op = intrinsic_operation(call.getIntrinsicID())) {
      const bool one = operand_count(*op) == 1;
      Builder builder(&where);
      if (one)
        set(call, unary(where, *op, width, labels[0]));
      else if (operand_count(*op) == 2)
        set(call, binary(where, *op, width, labels[0], labels[1], bits(builder, values[0]),
                         bits(builder, values[1])));
      else
        set(call, operation_of_three(where, *op, width, labels, values));
      return;
    }
    llvm::Function& callee = *call.getCalledFunction();
    if (call.doesNotAccessMemory() && is_function_of_numbers(callee) &&
        std::ranges::none_of(callee.args(), [](const llvm::Argument& argument) {
          return argument.hasAttribute(llvm::Attribute::ImmArg);
        }))
      opaque_call(call, library_.add(callee));
    else
      lose(call, "a built-in function that is not followed");
  }

  llvm::Value* operation_of_three(llvm::Instruction& where, Op op, unsigned width,
                                  const Values& labels, const Values& values) {
    return ternary(where, "gputest_label_ternary", static_cast<unsigned>(op), width, labels,
                   values);
  }

  static unsigned operand_count(Op op) {
    return op == Op::FMulAdd ? 3 : op == Op::FMin || op == Op::FMax ? 2 : 1;
  }

  LibraryCalls& library_;
  Traceable what_;
  Chains chains_;
  std::vector<std::pair<llvm::PHINode*, std::vector<llvm::PHINode*>>> phis_;
};

} // namespace

Instrumented instrument(llvm::Function& item, LibraryCalls& library, Traceable what) {
  return Instrumentation(item, library, what).run();
}

} // namespace gputest::testgen
