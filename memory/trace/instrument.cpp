// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/trace/instrument.h"

#include "ir/accesses.h"
#include "ir/analysis_managers.h"
#include "ir/call.h"
#include "ir/host.h"
#include "ir/lowered_names.h"
#include "ir/places.h"
#include "memory/trace/extract.h"
#include "memory/trace/private_arrays.h"
#include "memory/trace/texels.h"
#include "memory/trace/unrolling.h"
#include "memory/trace/waits.h"
#include "templates/simulator/context.h"

#include <algorithm>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <ranges>
#include <utility>

namespace gputest::memory {
namespace {

using Builder = llvm::IRBuilder<>;
using ir::Object;

// Loops get one header each, and blocks that always follow each other become one.
void tidy(llvm::Function& item) {
  llvm::removeUnreachableBlocks(item);
  {
    const llvm::DominatorTree dominators(item);
    const llvm::LoopInfo loops(dominators);
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&item);
    if (llvm::containsIrreducibleCFG<llvm::BasicBlock*>(order, loops)) {
      ir::AnalysisManagers analyses;
      llvm::FunctionPassManager passes;
      passes.addPass(llvm::LowerSwitchPass());
      passes.addPass(llvm::FixIrreduciblePass());
      passes.run(item, analyses.functions);
    }
  }
  for (auto block = item.begin(); block != item.end();) {
    llvm::BasicBlock& current = *block++;
    llvm::MergeBlockIntoPredecessor(&current);
  }
}

// Whether a GPU's compiler makes no instruction of it.
bool is_free(const llvm::Instruction& instruction) {
  if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return call->isAssumeLikeIntrinsic();
  return instruction.isDebugOrPseudoInst() || llvm::isa<llvm::PHINode>(instruction) ||
         llvm::isa<llvm::AllocaInst>(instruction) || llvm::isa<llvm::BitCastInst>(instruction) ||
         llvm::isa<llvm::AddrSpaceCastInst>(instruction) ||
         llvm::isa<llvm::PtrToIntInst>(instruction) || llvm::isa<llvm::IntToPtrInst>(instruction);
}

bool divides_by_variable(const llvm::Instruction& instruction) {
  return instruction.isIntDivRem() && instruction.getType()->isIntegerTy() &&
         !llvm::isa<llvm::Constant>(instruction.getOperand(1));
}

// Reads of the context and of the block of arguments, such as the begins of __local variables, are
// constants of the launch.
bool is_simulators(const llvm::Instruction& instruction) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (!load)
    return false;
  const auto* const of =
      llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load->getPointerOperand()));
  return load->hasMetadata(llvm::LLVMContext::MD_invariant_load) || (of && of->getArgNo() < 2);
}

bool is_stored(const llvm::Instruction& value, const llvm::Instruction& by) {
  const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&by);
  return store && store->getValueOperand() == &value;
}

// The slots by which threads of a warp ask each other (ir/kernels/work_items.cpp): registers.
bool is_slot(const llvm::Instruction& instruction) {
  const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
  const auto* const slots =
      pointer ? llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(pointer, 0)) : nullptr;
  if (!slots)
    return false;
  llvm::APInt offset(64, 0);
  const auto* const context =
      llvm::dyn_cast<llvm::Argument>(slots->getPointerOperand()->stripAndAccumulateConstantOffsets(
          slots->getModule()->getDataLayout(), offset, true));
  return context && context->getArgNo() == 0 && offset == offsetof(gputest_context, slots);
}

// Those reads, and instructions that only compute their addresses.
std::set<const llvm::Instruction*> slots_of(llvm::Function& item) {
  std::set<const llvm::Instruction*> slots;
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&item);
  const std::vector<llvm::BasicBlock*> blocks(order.begin(), order.end());
  for (llvm::BasicBlock* const block : std::views::reverse(blocks))
    for (const llvm::Instruction& instruction : std::views::reverse(*block)) {
      const bool only = !instruction.use_empty() && !instruction.mayHaveSideEffects() &&
                        !llvm::isa<llvm::PHINode>(instruction) &&
                        std::ranges::all_of(instruction.users(), [&](const llvm::User* user) {
                          const auto* const by = llvm::dyn_cast<llvm::Instruction>(user);
                          return by && slots.contains(by) && !is_stored(instruction, *by);
                        });
      if (only || is_slot(instruction))
        slots.insert(&instruction);
    }
  return slots;
}

class Instrumentation {
public:
  Instrumentation(llvm::Function& item, ir::KernelShape& shape)
      : item_(item), shape_(shape), word_(llvm::Type::getInt64Ty(item.getContext())),
        pointer_(llvm::PointerType::getUnqual(item.getContext())) {}

  InstrumentedItem run() {
    tidy(item_);
    describe_blocks();
    // By instruction: a copy has two accesses.
    std::map<const llvm::Instruction*, std::vector<ir::Access>> accesses;
    arrays_ = private_arrays(item_);
    result_.images = images_of(shape_);
    std::set<std::pair<const llvm::Instruction*, unsigned>> anywhere; // not at a constant place
    for (const ir::Access& access : ir::accesses_of(item_))
      anywhere.insert({access.instruction, access.operand});
    for (const ir::Access& access : ir::accesses_of(item_, /*all=*/true)) {
      const bool constant = !anywhere.contains({access.instruction, access.operand});
      if (constant && !array_of(access))
        continue;
      accesses[access.instruction].push_back(access);
      if (constant)
        at_constant_places_.insert(access.instruction);
    }
    slots_ = slots_of(item_);
    std::vector<llvm::BasicBlock*> order;
    for (const auto& [block, number] : numbers_)
      order.push_back(block);
    less_often_ = made_less_often(item_, order, is_simulators);
    add_all_objects(); // their order is that of their places in memory, whatever is accessed first
    for (auto& [block, number] : numbers_)
      visit(*block, result_.shape.blocks[number], accesses);
    tell_own();
    add_images();
    result_.kernel = extract(item_, order, result_.shape, pointers_);
    add_waits(item_, order, steps_, result_.references, result_.shape);
    for (auto& [block, number] : numbers_) {
      Builder builder(&*block->getFirstInsertionPt());
      ir::call_by_name(builder, kBlockFunction, builder.getVoidTy(),
                       {llvm::ConstantInt::get(word_, number)});
    }
    Builder builder(&*item_.getEntryBlock().getFirstInsertionPt());
    ir::call_by_name(builder, kBeginFunction, builder.getVoidTy(), {item_.getArg(0)});
    return std::move(result_);
  }

private:
  void describe_blocks() {
    const llvm::DominatorTree dominators(item_);
    const llvm::LoopInfo loops(dominators);
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&item_);
    std::map<const llvm::Loop*, std::uint32_t> loop_numbers;
    for (llvm::BasicBlock* block : order) {
      Block described;
      const auto number = static_cast<std::uint32_t>(numbers_.size());
      described.place = number;
      if (loops.isLoopHeader(block)) {
        described.header_of = static_cast<std::int64_t>(loop_numbers.size());
        loop_numbers[loops.getLoopFor(block)] = static_cast<std::uint32_t>(loop_numbers.size());
        result_.shape.loop_places.push_back(number);
      }
      for (const llvm::Loop* loop = loops.getLoopFor(block); loop; loop = loop->getParentLoop())
        described.loops.insert(described.loops.begin(), loop_numbers.at(loop));
      result_.shape.blocks.push_back(std::move(described));
      numbers_.emplace_back(block, number);
    }
  }

  void visit(llvm::BasicBlock& block, Block& described,
             const std::map<const llvm::Instruction*, std::vector<ir::Access>>& accesses) {
    std::vector<llvm::Instruction*> instructions;
    for (llvm::Instruction& instruction : block)
      instructions.push_back(&instruction);
    std::uint64_t compute = 0;
    LessOften less;
    std::set<const llvm::Value*> divisors; // of the block
    steps_.emplace_back();
    for (llvm::Instruction* instruction : instructions) {
      if (is_simulators(*instruction) || slots_.contains(instruction))
        continue;
      const auto known = accesses.find(instruction);
      if (known != accesses.end()) {
        bool any = false;
        // Where arrays are in registers, one access of the instruction counts for all.
        bool counts = std::ranges::none_of(
            known->second, [&](const ir::Access& access) { return !is_private(access); });
        for (const ir::Access& access : known->second)
          any = add(access, described, compute, less, counts) || any;
        compute += any ? 0 : 1; // an access of a private variable moves a register
        continue;
      }
      if (const auto kind = texel_access(*instruction)) {
        described.steps.push_back({.compute = std::exchange(compute, 0),
                                   .less = std::exchange(less, {}),
                                   .kind = BlockStep::Kind::Access,
                                   .texels = true,
                                   .plain = false});
        add_texels(llvm::cast<llvm::CallInst>(*instruction), *kind, described.steps.back());
        continue;
      }
      const auto* const called = llvm::dyn_cast<llvm::CallInst>(instruction);
      if (called && called->getCalledFunction() &&
          called->getCalledFunction()->getName() == ir::kBarrierFunction) {
        described.steps.push_back({.compute = std::exchange(compute, 0),
                                   .less = std::exchange(less, {}),
                                   .kind = BlockStep::Kind::Barrier});
        steps_.back().push_back(instruction);
      } else if (divides_by_variable(*instruction)) {
        const bool in_front = made(*instruction) == Made::InFront;
        ++(in_front ? less.divisions.in_front : less.divisions.always);
        if (divisors.insert(instruction->getOperand(1)).second)
          ++(in_front || stays(*instruction->getOperand(1), described)
                 ? less.divisions.divisors_in_front
                 : less.divisions.divisors);
      } else if (!is_free(*instruction)) {
        const Made often = made(*instruction);
        ++(often == Made::Always     ? compute
           : often == Made::Unrolled ? less.unrolled
           : often == Made::InFront  ? less.in_front
                                     : less.fused);
      }
    }
    described.compute = compute;
    described.less = less;
  }

  Made made(const llvm::Instruction& instruction) const {
    const auto known = less_often_.find(&instruction);
    return known == less_often_.end() ? Made::Always : known->second;
  }

  // Whether a value that the block uses is the same in all iterations of the loop around it.
  bool stays(const llvm::Value& value, const Block& block) const {
    const auto* const from = llvm::dyn_cast<llvm::Instruction>(&value);
    if (block.loops.empty() || !from || made(*from) == Made::InFront)
      return true;
    const auto own = std::ranges::find(numbers_, from->getParent(),
                                       &std::pair<llvm::BasicBlock*, std::uint32_t>::first);
    return !result_.shape.blocks[own->second].is_in(block.loops.back());
  }

  // The private array that it is in, if that may be in memory.
  const PrivateArray* array_of(const ir::Access& access) const {
    const auto* const variable =
        llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(access.pointer(), 0));
    const auto known = arrays_.find(variable);
    return known == arrays_.end() || !llvm::isa<llvm::ConstantInt>(access.size) ? nullptr
                                                                                : &known->second;
  }

  bool is_private(const ir::Access& access) {
    const ir::Origin origin = ir::origin_of(access.pointer(), shape_);
    return origin.object >= 0 && shape_.objects[static_cast<unsigned>(origin.object)].kind ==
                                     Object::Kind::PrivateVariable;
  }

  // Returns false for a private variable that is a register. `counts`: for a private array, whether
  // its instruction counts where it is in registers; becomes false.
  bool add(const ir::Access& access, Block& described, std::uint64_t& compute, LessOften& less,
           bool& counts) {
    const ir::Origin origin = ir::origin_of(access.pointer(), shape_);
    const bool known = origin.object >= 0;
    const bool own = is_private(access);
    const PrivateArray* const array = own ? array_of(access) : nullptr;
    if (own && !array)
      return false;
    const auto* const size = llvm::dyn_cast<llvm::ConstantInt>(access.size);
    const model::CodePlace site = ir::place_of(*access.instruction);
    Reference reference{.file = site.file,
                        .line = site.line,
                        .column = site.column,
                        .kind = access.write ? Reference::Kind::Write : Reference::Kind::Read,
                        .object = known ? object_of(origin.object) : -1,
                        .local = access.space() == ir::kLocalSpace,
                        .constant = access.space() == ir::kConstantSpace,
                        .size = size ? static_cast<std::uint32_t>(size->getZExtValue()) : 0};
    if (llvm::isa<llvm::AtomicRMWInst>(access.instruction) ||
        llvm::isa<llvm::AtomicCmpXchgInst>(access.instruction)) {
      reference.kind = Reference::Kind::Atomic;
      reference.waits = !access.instruction->use_empty();
    }
    if (array)
      result_.indexed[origin.object] = std::max(result_.indexed[origin.object], array->indexed);
    if (known && access.space() == ir::kConstantSpace)
      result_.constants.insert(origin.object);
    std::optional<Made> as_register;
    if (std::exchange(counts, false))
      as_register = at_constant_places_.contains(access.instruction) ? made(*access.instruction)
                                                                     : Made::Always;
    const bool plain = known && size;
    described.steps.push_back({.compute = std::exchange(compute, 0),
                               .less = std::exchange(less, {}),
                               .kind = BlockStep::Kind::Access,
                               .reference = static_cast<std::uint32_t>(result_.references.size()),
                               .own = own,
                               .as_register = own ? as_register : std::nullopt,
                               .plain = plain});
    steps_.back().push_back(access.instruction);
    result_.references.push_back(std::move(reference));
    pointers_.push_back({.pointer = access.pointer(), .begin = known ? origin.begin : nullptr});
    Builder builder(access.instruction);
    llvm::Value* const at = builder.CreateAddrSpaceCast(access.pointer(), pointer_);
    if (plain)
      ir::call_by_name(
          builder, kOffsetFunction, builder.getVoidTy(),
          {builder.CreateSub(
              builder.CreatePtrToInt(at, word_),
              builder.CreatePtrToInt(builder.CreateAddrSpaceCast(origin.begin, pointer_), word_))});
    else
      ir::call_by_name(builder, kPlaceFunction, builder.getVoidTy(),
                       {at, builder.CreateZExtOrTrunc(access.size, word_)});
    if (!known)
      note_own(access.pointer());
    return true;
  }

  // Private arrays that a pointer may point to.
  void note_own(const llvm::Value* pointer) {
    llvm::SmallVector<const llvm::Value*, 4> from;
    llvm::getUnderlyingObjects(pointer, from, nullptr, 0);
    for (const llvm::Value* one : from)
      if (const auto array = arrays_.find(llvm::dyn_cast<llvm::AllocaInst>(one));
          array != arrays_.end())
        chosen_.insert(array->first);
  }

  // The recorder learns where these are.
  void tell_own() {
    std::vector<llvm::AllocaInst*> chosen; // in the order of the code
    for (llvm::BasicBlock& block : item_)
      for (llvm::Instruction& instruction : block)
        if (auto* const array = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
            array && chosen_.contains(array))
          chosen.push_back(array);
    for (llvm::AllocaInst* array : chosen) {
      const int object = ir::origin_of(array, shape_).object;
      const PrivateArray& known = arrays_.at(array);
      result_.indexed[object] = std::max(result_.indexed[object], known.indexed);
      Builder builder(array->getNextNode());
      ir::call_by_name(
          builder, kOwnFunction, builder.getVoidTy(),
          {builder.CreateAddrSpaceCast(array, pointer_), llvm::ConstantInt::get(word_, known.size),
           llvm::ConstantInt::get(word_, static_cast<std::uint64_t>(object_of(object)))});
    }
  }

  void add_texels(llvm::CallInst& call, Reference::Kind kind, BlockStep& step) {
    const model::CodePlace site = ir::place_of(call);
    step.reference = static_cast<std::uint32_t>(result_.references.size());
    steps_.back().push_back(&call);
    result_.references.push_back(
        {.file = site.file, .line = site.line, .column = site.column, .kind = kind});
    pointers_.push_back({.pointer = call.getArgOperand(0), .begin = nullptr});
    image_calls_.emplace_back(step.reference, &call);
    Builder builder(call.getNextNode());
    ir::call_by_name(builder, kTexelsFunction, builder.getVoidTy(),
                     {builder.CreateAddrSpaceCast(call.getArgOperand(0), pointer_),
                      build_image_of(builder, call, shape_, result_.images)});
  }

  // All other objects are known.
  void add_images() {
    result_.shape.first_image = static_cast<std::uint32_t>(result_.objects.size());
    for (const auto& [reference, call] : image_calls_)
      if (const auto image = image_of(*call, shape_, result_.images))
        result_.references[reference].object = static_cast<int>(result_.shape.first_image + *image);
  }

  // Arguments come first, in their order.
  void add_all_objects() {
    for (std::size_t i = 0; i < shape_.objects.size(); ++i)
      if (shape_.objects[i].kind != Object::Kind::PrivateVariable &&
          shape_.objects[i].kind != Object::Kind::Constant)
        object_of(static_cast<int>(i));
  }

  int object_of(int index) {
    const auto same = std::ranges::find(result_.objects, index);
    const auto number = static_cast<int>(same - result_.objects.begin());
    if (same == result_.objects.end())
      result_.objects.push_back(index);
    return number;
  }

  llvm::Function& item_;
  ir::KernelShape& shape_;
  llvm::Type *word_, *pointer_;
  std::vector<std::pair<llvm::BasicBlock*, std::uint32_t>> numbers_; // in order
  std::set<const llvm::Instruction*> slots_;
  std::map<const llvm::AllocaInst*, PrivateArray> arrays_;
  std::set<const llvm::AllocaInst*> chosen_; // by pointers to several objects
  std::vector<std::pair<std::uint32_t, const llvm::CallInst*>> image_calls_; // with references
  std::set<const llvm::Instruction*> at_constant_places_; // accesses of these arrays
  std::map<const llvm::Instruction*, Made> less_often_;
  std::vector<ReferencePointer> pointers_; // by reference
  InstructionsOfSteps steps_;
  InstrumentedItem result_;
};

} // namespace

InstrumentedItem instrument(llvm::Function& item, ir::KernelShape& shape) {
  return Instrumentation(item, shape).run();
}

} // namespace gputest::memory
