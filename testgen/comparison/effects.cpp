// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/comparison/effects.h"

#include "templates/simulator/context.h"
#include "testgen/comparison/common_form.h"
#include "testgen/concolic/operations.h"
#include "testgen/solve/translated.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Operator.h>

namespace gputest::testgen {
namespace {

constexpr std::size_t kMostReads = 48; // places of one launch that are told apart
constexpr std::size_t kMostAccesses = 256;

constexpr std::uint64_t context_word(std::size_t offset) {
  return offset / 8;
}

// How many of the lowest bits are surely 0.
unsigned low_zeros(const Table& table, Label label) {
  const Node& node = table[label];
  const auto of = [&](Label part) { return low_zeros(table, part); };
  switch (node.op) {
  case Op::Constant:
    return node.number == 0 ? node.bits : static_cast<unsigned>(std::countr_zero(node.number));
  case Op::Mul:
    return std::min<unsigned>(node.bits, of(node.a) + of(node.b));
  case Op::Shl:
    return table[node.b].op == Op::Constant
               ? std::min<unsigned>(node.bits,
                                    of(node.a) + static_cast<unsigned>(table[node.b].number))
               : of(node.a);
  case Op::Add:
  case Op::Sub:
  case Op::Or:
    return std::min(of(node.a), of(node.b));
  case Op::Select:
    return std::min(of(node.b), of(node.c));
  case Op::ZExt:
  case Op::SExt:
    return of(node.a);
  default:
    return 0;
  }
}

struct BufferPlace {
  std::uint32_t argument = 0;
  Label offset = 0;
};

class Follower {
public:
  Follower(const StaticKernel& kernel, const NamedArguments& arguments, SharedNames& names)
      : item_(*kernel.item), shape_(kernel.shape), layout_(kernel.module->getDataLayout()),
        arguments_(arguments), names_(names), table_(names.statics.table), form_(names.statics) {}

  Effects follow() {
    const llvm::DominatorTree dominators(item_);
    if (!llvm::LoopInfo(dominators).empty())
      throw NotFollowed("it has a loop whose number of iterations is not constant");
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&item_);
    for (llvm::BasicBlock* block : order) {
      Label when = table_.constant(block == &item_.getEntryBlock(), 1);
      for (const llvm::BasicBlock* from : llvm::predecessors(block))
        if (reached_.contains(from))
          when = make(Op::Or, 1, when, way(*from, *block));
      reached_[block] = when;
      for (const llvm::Instruction& instruction : *block)
        step(instruction, when);
      if (table_.full())
        throw NotFollowed("it has too many expressions");
    }
    return std::move(effects_);
  }

private:
  Label make(Op op, unsigned bits, Label a, Label b = 0, Label c = 0) {
    return form_.make(op, bits, a, b, c);
  }

  Label context(std::uint64_t word) {
    constexpr std::uint64_t kOffset = context_word(offsetof(gputest_context, global_offset)),
                            kHere = context_word(offsetof(gputest_context, local_size)),
                            kAll = context_word(offsetof(gputest_context, enqueued_local_size));
    if (!names_.offsets && word >= kOffset && word < kOffset + 3)
      return table_.constant(0, 64);
    if (names_.uniform && word >= kHere && word < kHere + 3)
      word = kAll + (word - kHere);
    return names_.statics.context(word);
  }

  // ---- Values ----

  Label number(const llvm::Value* value) {
    const unsigned bits = width_of(*value->getType());
    if (bits && !value->getType()->isVectorTy() && !value->getType()->isPointerTy()) {
      if (const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(value))
        return table_.constant(constant->getZExtValue(), bits);
      if (const auto* const constant = llvm::dyn_cast<llvm::ConstantFP>(value))
        return table_.constant(constant->getValueAPF().bitcastToAPInt().getZExtValue(), bits);
      for (unsigned i = 0; i < 3; ++i)
        if (value == item_.getArg(2 + i))
          return names_.local_ids.at(i);
      if (const auto known = values_.find(value); known != values_.end())
        return known->second;
    }
    throw NotFollowed("it has a value that is no number of at most 64 bits");
  }

  Label way(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
    const Label taken = way_taken(
        table_, from, to, [&](const llvm::Value* value) { return number(value); },
        [&](Op op, Label a, Label b) { return make(op, 1, a, b); });
    if (!taken)
      throw NotFollowed("it goes on in an unusual way");
    return make(Op::And, 1, reached_.at(&from), taken);
  }

  // ---- Memory ----

  BufferPlace place(const llvm::Value* pointer) {
    if (const auto known = places_.find(pointer); known != places_.end())
      return known->second;
    return places_[pointer] = found_place(pointer);
  }

  BufferPlace found_place(const llvm::Value* pointer) {
    if (const auto* const cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer))
      return place(cast->getPointerOperand());
    if (const auto* const steps = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
      BufferPlace found = place(steps->getPointerOperand());
      llvm::MapVector<llvm::Value*, llvm::APInt> variable;
      llvm::APInt constant(64, 0);
      if (!steps->collectOffset(layout_, 64, variable, constant))
        throw NotFollowed("it computes an address in an unusual way");
      for (const auto& [index, scale] : variable) {
        Label label = number(index);
        label = form_.of(table_.make(Op::SExt, 64, label));
        found.offset = make(Op::Add, 64, found.offset,
                            make(Op::Mul, 64, label, table_.constant(scale.getZExtValue(), 64)));
      }
      found.offset = make(Op::Add, 64, found.offset, table_.constant(constant.getZExtValue(), 64));
      return found;
    }
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(pointer))
      if (const auto at = argument_offset(*load))
        for (std::size_t i = 0; i < shape_.parameters.size(); ++i)
          if (shape_.parameters[i].offset == *at)
            if (const auto buffer = arguments_.buffer(i))
              return {*buffer, table_.constant(0, 64)};
    if (const auto* const select = llvm::dyn_cast<llvm::SelectInst>(pointer)) {
      const BufferPlace yes = place(select->getTrueValue()), no = place(select->getFalseValue());
      if (yes.argument == no.argument)
        return {yes.argument,
                make(Op::Select, 64, number(select->getCondition()), yes.offset, no.offset)};
    }
    throw NotFollowed("it uses memory that is no buffer of both kernels");
  }

  // The offset in the block of arguments that a load reads.
  std::optional<std::uint64_t> argument_offset(const llvm::LoadInst& load) const {
    llvm::APInt offset(64, 0);
    const llvm::Value* const base =
        load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
    return base == item_.getArg(1) ? std::optional(offset.getZExtValue()) : std::nullopt;
  }

  BufferPlace accessed(const llvm::Value* pointer, unsigned bits) {
    const BufferPlace at = place(pointer);
    const unsigned unit = names_.units.try_emplace(at.argument, bits / 8).first->second;
    if (bits % 8 != 0 || unit != bits / 8)
      throw NotFollowed("it accesses a buffer in parts of several sizes");
    if ((1U << std::min(low_zeros(table_, at.offset), 8U)) < unit)
      throw NotFollowed("it may access parts of two elements at once");
    if (effects_.accesses.size() == kMostAccesses)
      throw NotFollowed("it has too many accesses of memory");
    return at;
  }

  Label read(const llvm::LoadInst& load, Label when) {
    const unsigned bits = width_of(*load.getType());
    const BufferPlace at = accessed(load.getPointerOperand(), bits);
    Label content = names_.memory.read(when, at.argument, at.offset, bits);
    for (const MemoryAccess& earlier : effects_.accesses) // what the work-item itself has written
      if (earlier.written && earlier.argument == at.argument)
        content =
            make(Op::Select, bits,
                 make(Op::And, 1, earlier.when, make(Op::Equal, 1, earlier.offset, at.offset)),
                 earlier.written, content);
    return content;
  }

  Label loaded(const llvm::LoadInst& load, Label when) {
    const unsigned bits = width_of(*load.getType());
    llvm::APInt offset(64, 0);
    const llvm::Value* const base =
        load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
    if (base == item_.getArg(0)) {
      const Label word = bits == 64 ? context(context_word(offset.getZExtValue())) : 0;
      if (!word)
        throw NotFollowed("it reads an unusual property of the launch");
      return word;
    }
    if (base != item_.getArg(1))
      return read(load, when);
    const std::uint64_t at = offset.getZExtValue();
    for (std::size_t i = 0; i < shape_.parameters.size(); ++i) {
      const ir::Parameter& parameter = shape_.parameters[i];
      if (at >= parameter.offset && at + bits / 8 <= parameter.offset + parameter.size)
        if (const Label value = arguments_.value(i, at - parameter.offset, bits / 8))
          return value;
    }
    throw NotFollowed("it reads an argument in parts that differ from the other kernel's");
  }

  // ---- Steps ----

  void step(const llvm::Instruction& instruction, Label when) {
    if (instruction.isTerminator() || instruction.isDebugOrPseudoInst() ||
        instruction.isLifetimeStartOrEnd() || llvm::isa<llvm::AllocaInst>(instruction))
      return;
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return write(*store, when);
    if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call && took_mark(*call, when))
      return;
    if (instruction.getType()->isPointerTy() && !instruction.mayHaveSideEffects())
      return; // place() reads it
    if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call && call->getIntrinsicID() == llvm::Intrinsic::assume)
      return;
    values_[&instruction] = value(instruction, when);
  }

  void write(const llvm::StoreInst& store, Label when) {
    if (!store.isSimple())
      throw NotFollowed("it has an atomic or volatile access");
    const Label content = number(store.getValueOperand());
    const BufferPlace at = accessed(store.getPointerOperand(), table_[content].bits);
    effects_.accesses.push_back({when, at.argument, at.offset, content});
  }

  Label value(const llvm::Instruction& instruction, Label when) {
    const unsigned bits = width_of(*instruction.getType());
    if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call && !llvm::isa<llvm::IntrinsicInst>(instruction))
      return called(*call, bits);
    if (!bits || instruction.getType()->isVectorTy())
      throw NotFollowed("it has values that are no numbers of at most 64 bits");
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (!load->isSimple())
        throw NotFollowed("it has an atomic or volatile access");
      return loaded(*load, when);
    }
    if (instruction.mayReadOrWriteMemory())
      throw NotFollowed("it has an atomic access, or copies memory");
    if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      Label joined = 0;
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        const Label incoming = number(phi->getIncomingValue(i));
        joined = joined ? make(Op::Select, bits, way(*phi->getIncomingBlock(i), *phi->getParent()),
                               incoming, joined)
                        : incoming;
      }
      return joined;
    }
    std::vector<Label> operands;
    const unsigned count = llvm::isa<llvm::CallBase>(instruction)
                               ? llvm::cast<llvm::CallBase>(instruction).arg_size()
                               : instruction.getNumOperands();
    for (unsigned i = 0; i < count; ++i)
      operands.push_back(number(instruction.getOperand(i)));
    if (llvm::isa<llvm::FreezeInst>(instruction))
      return operands[0];
    const Label label = form_.of(translated(table_, instruction, operands));
    if (!label)
      throw NotFollowed("it has an operation that cannot be followed");
    return label;
  }

  Label called(const llvm::CallBase& call, unsigned bits) {
    const llvm::Function* const function = call.getCalledFunction();
    const std::string name = function ? function->getName().str() : "";
    if (name == "gputest_barrier")
      throw NotFollowed("it has a barrier");
    // Functions of the simulator itself may wait for others (ir/lowered_names.h).
    if (!function || !bits || name.starts_with("gputest_") || !is_function_of_numbers(*function))
      throw NotFollowed("it calls what is no function of numbers alone");
    std::array<Label, 3> operands{};
    for (unsigned i = 0; i < call.arg_size(); ++i)
      operands.at(i) = number(call.getArgOperand(i));
    const std::uint64_t id =
        names_.functions.try_emplace(name, names_.functions.size()).first->second;
    return table_.make(Op::Call, bits, operands[0], operands[1], operands[2], id);
  }

  // What the checks see. Returns whether the call marks such a thing (static_kernel.h).
  bool took_mark(const llvm::CallBase& call, Label when) {
    const llvm::Function* const function = call.getCalledFunction();
    const llvm::StringRef name = function ? function->getName() : "";
    const auto constant = [&](unsigned operand) {
      return llvm::cast<llvm::ConstantInt>(call.getArgOperand(operand))->getZExtValue();
    };
    if (name == kCopies)
      throw NotFollowed("it copies memory as a whole");
    if (name == kReads) {
      const std::uint64_t bytes = constant(1);
      for (std::uint64_t i = 0; i < constant(2); ++i) {
        BufferPlace at = accessed(call.getArgOperand(0), static_cast<unsigned>(8 * bytes));
        at.offset = make(Op::Add, 64, at.offset, table_.constant(i * bytes, 64));
        effects_.accesses.push_back({when, at.argument, at.offset, 0});
      }
      return true;
    }
    if (name != kDivides && name != kShifts)
      return false;
    const Label operand = number(call.getArgOperand(0));
    const Label fault = name == kDivides ? make(Op::Equal, 1, operand, table_.constant(0, 64))
                                         : table_.make(Op::ULessEqual, 1,
                                                       table_.constant(constant(1), 64), operand);
    effects_.faults.push_back(make(Op::And, 1, when, fault));
    return true;
  }

  llvm::Function& item_;
  const ir::KernelShape& shape_;
  const llvm::DataLayout& layout_;
  const NamedArguments& arguments_;
  SharedNames& names_;
  Table& table_;
  std::map<const llvm::BasicBlock*, Label> reached_;
  std::map<const llvm::Value*, Label> values_;
  std::map<const llvm::Value*, BufferPlace> places_;
  CommonForm form_;
  Effects effects_;
};

} // namespace

Label InitialMemory::read(Label when, std::uint32_t argument, Label offset, unsigned bits) {
  for (const bool asks : {false, true})
    for (const Place& known : places_)
      if (known.argument == argument &&
          (known.offset == offset || (asks && same_(when, known.offset, offset))))
        return known.content;
  if (places_.size() == kMostReads)
    throw NotFollowed("it reads too many elements");
  return places_.emplace_back(Place{argument, offset, table_.add_input(bits)}).content;
}

std::vector<Label> InitialMemory::facts() {
  std::vector<Label> all;
  for (std::size_t i = 0; i < places_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (places_[i].argument == places_[j].argument)
        all.push_back(table_.make(
            Op::Or, 1,
            table_.negation(table_.make(Op::Equal, 1, places_[i].offset, places_[j].offset)),
            table_.make(Op::Equal, 1, places_[i].content, places_[j].content)));
  return all;
}

Effects effects_of(const StaticKernel& kernel, const NamedArguments& arguments,
                   SharedNames& names) {
  return Follower(kernel, arguments, names).follow();
}

} // namespace gputest::testgen
