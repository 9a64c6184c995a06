// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/instrument.h"

#include "ir/call.h"
#include "ir/error.h"
#include "ir/lowered_names.h"
#include "templates/simulator/context.h"
#include "testgen/concolic/composed.h"
#include "testgen/concolic/dependence.h"
#include "testgen/concolic/memory_labels.h"
#include "testgen/concolic/operations.h"

#include <algorithm>
#include <cstddef>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/Local.h>

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

class Instrumentation : MemoryLabels {
public:
  Instrumentation(llvm::Function& item, LibraryCalls& library, bool launch_sizes)
      : MemoryLabels(item), library_(library), launch_sizes_(launch_sizes) {}

  Instrumented run() {
    llvm::removeUnreachableBlocks(item_);
    gather_variables();
    std::vector<llvm::Instruction*> instructions;
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&item_);
    for (llvm::BasicBlock* block : order)
      for (llvm::Instruction& instruction : *block)
        if (!instruction.isDebugOrPseudoInst())
          instructions.push_back(&instruction);
    find_homes(instructions);
    depends_ = values_that_depend(item_, instructions, launch_sizes_);
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
  using MemoryLabels::visit;

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
      if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(instruction))
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
      event(*branch, site(*branch, TracedSite::Kind::Branch), branch->getCondition());
    else if (auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
      visit(*choice);
    else if (auto* const gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
      visit(*gep);
    else if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
      visit(*select);
    else if (auto* const comparison = llvm::dyn_cast<llvm::CmpInst>(&instruction))
      visit(*comparison);
    else if (auto* const cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
      visit(*cast);
    else if (llvm::isa<llvm::FreezeInst>(instruction))
      labels_[&instruction] = labels_of(instruction.getOperand(0));
    else if (!visit_parts(instruction))
      compute(instruction);
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
    set(select, operation_of_three(*select.getNextNode(), Op::Select, width_of(*select.getType()),
                                   {chooses, a, b},
                                   {condition, select.getTrueValue(), select.getFalseValue()}));
  }

  void visit(llvm::CmpInst& comparison) {
    llvm::Value *a = comparison.getOperand(0), *b = comparison.getOperand(1);
    const unsigned width = width_of(*a->getType());
    const auto how = comparison_of(comparison.getPredicate());
    if (!how) // always the same
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

  // Between a vector and a number, or vectors of other widths: through bits.
  void rearrange(llvm::CastInst& cast) {
    llvm::Type &from = *cast.getSrcTy(), &to = *cast.getDestTy();
    const unsigned width = width_of(from), result = width_of(to);
    if (!width || !result || std::max(width, result) % std::min(width, result) != 0)
      return lose(cast, "a conversion of vectors that is not followed");
    llvm::Instruction& where = *cast.getNextNode();
    const Values labels = labels_of(cast.getOperand(0));
    Values all;
    if (width == result) {
      all = labels;
    } else if (width > result) {
      for (llvm::Value* label : labels)
        for (unsigned low = 0; low < width; low += result)
          all.push_back(unary(where, Op::Extract, result, label, low));
    } else {
      const unsigned count = result / width;
      for (std::size_t first = 0; first < labels.size(); first += count) {
        llvm::Value* label = labels[first];
        Builder builder(&where);
        llvm::Value* value = bits(builder, element(builder, cast.getOperand(0), first));
        for (unsigned i = 1; i < count; ++i) {
          Builder here(&where);
          llvm::Value* const high = bits(here, element(here, cast.getOperand(0), first + i));
          label = binary(where, Op::Concat, {width, i * width, (i + 1) * width}, labels[first + i],
                         label, high, value);
          Builder after(&where);
          value = after.CreateOr(after.CreateShl(high, i * width), value);
        }
        all.push_back(label);
      }
    }
    labels_[&cast] = all;
  }

  static llvm::Value* element(Builder& builder, llvm::Value* value, std::uint64_t index) {
    return value->getType()->isVectorTy() ? builder.CreateExtractElement(value, index) : value;
  }

  // Vectors and what exchanges give. False: it is something else.
  bool visit_parts(llvm::Instruction& instruction) {
    const auto constant_index = [&](const llvm::Value* index) -> std::optional<std::uint64_t> {
      const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(index);
      if (!number)
        lose(instruction, "a component of a vector whose number is computed");
      return number ? std::optional(number->getZExtValue()) : std::nullopt;
    };
    if (auto* const extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
      const Values labels = labels_of(extract->getVectorOperand());
      if (const auto index = constant_index(extract->getIndexOperand());
          index && *index < labels.size())
        set(*extract, labels[*index]);
    } else if (auto* const insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
      Values labels = labels_of(insert->getOperand(0));
      if (const auto index = constant_index(insert->getOperand(2)); index && *index < labels.size())
        labels[*index] = label_of(insert->getOperand(1));
      labels_[insert] = labels;
    } else if (auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
      Values both = labels_of(shuffle->getOperand(0));
      const Values second = labels_of(shuffle->getOperand(1));
      both.append(second.begin(), second.end());
      Values labels;
      for (const int from : shuffle->getShuffleMask())
        labels.push_back(from < 0 ? none_ : both[static_cast<std::size_t>(from)]);
      labels_[shuffle] = labels;
    } else if (auto* const member = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
      const Values labels = labels_of(member->getAggregateOperand());
      if (member->getNumIndices() == 1 && member->getIndices()[0] < labels.size())
        set(*member, labels[member->getIndices()[0]]);
    } else {
      return false;
    }
    return true;
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
  bool launch_sizes_;
  std::vector<std::pair<llvm::PHINode*, std::vector<llvm::PHINode*>>> phis_;
};

} // namespace

Instrumented instrument(llvm::Function& item, LibraryCalls& library, bool launch_sizes) {
  return Instrumentation(item, library, launch_sizes).run();
}

} // namespace gputest::testgen
