#include "testgen/concolic/instrument.h"

#include "frontend/llvm_version.h"
#include "ir/error.h"
#include "ir/host.h"
#include "ir/places.h"
#include "templates/simulator/context.h"
#include "testgen/concolic/composed.h"
#include "testgen/concolic/operations.h"
#include "testgen/concolic/recorder.h"
#include "testgen/concolic/shadow.h"

#include <algorithm>
#include <cstddef>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <map>
#include <set>

namespace gputest::testgen {
namespace {

using Builder = llvm::IRBuilder<>;
using Values = llvm::SmallVector<llvm::Value*, 4>;

// Elements of a vector, or members of what an exchange gives.
unsigned lanes_of(const llvm::Type& type) {
  if (const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(&type))
    return vector->getNumElements();
  if (const auto* const structure = llvm::dyn_cast<llvm::StructType>(&type))
    return structure->getNumElements();
  return 1;
}

class Instrumentation {
public:
  Instrumentation(llvm::Function& item, LibraryCalls& library, bool launch_sizes)
      : item_(item), module_(*item.getParent()), context_(item.getContext()),
        layout_(module_.getDataLayout()), library_(library), launch_sizes_(launch_sizes),
        label_type_(llvm::Type::getInt32Ty(context_)), word_(llvm::Type::getInt64Ty(context_)),
        pointer_(llvm::PointerType::getUnqual(context_)),
        none_(llvm::ConstantInt::get(label_type_, 0)) {}

  Instrumented run() {
    llvm::removeUnreachableBlocks(item_);
    gather_variables();
    std::vector<llvm::Instruction*> instructions;
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&item_);
    for (llvm::BasicBlock* block : order)
      for (llvm::Instruction& instruction : *block)
        if (!instruction.isDebugOrPseudoInst())
          instructions.push_back(&instruction);
    find_what_may_depend(instructions);
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
      throw simulator::SimulatorFailure("following values broke the kernel: " + message);
    return std::move(result_);
  }

private:
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

  // -- What may depend on inputs at all ----------------------------------------------------------

  bool is_argument_pointer(const llvm::LoadInst& load) const {
    return load.getType()->isPointerTy() &&
           llvm::getUnderlyingObject(load.getPointerOperand(), 0) == item_.getArg(1);
  }

  // The word of the context that is read; none: it is not the context.
  std::optional<std::uint64_t> context_word(const llvm::LoadInst& load) const {
    llvm::APInt offset(64, 0);
    if (load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true) !=
        item_.getArg(0))
      return std::nullopt;
    return offset.getZExtValue() / 8;
  }

  bool is_source(const llvm::Instruction& instruction) const {
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (const auto word = context_word(*load))
        return launch_sizes_ && *word < kLaunchWords &&
               (*word < offsetof(gputest_context, work_dim) / 8 ||
                *word >= offsetof(gputest_context, local_size) / 8);
      if (is_argument_pointer(*load))
        return false;
      const llvm::Value* const object = llvm::getUnderlyingObject(load->getPointerOperand(), 0);
      if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object))
        return !variable->isConstant();
      if (const auto* const inner = llvm::dyn_cast<llvm::LoadInst>(object))
        return !context_word(*inner) || !load->getType()->isPointerTy();
      return true;
    }
    return llvm::isa<llvm::AtomicRMWInst>(instruction) ||
           llvm::isa<llvm::AtomicCmpXchgInst>(instruction);
  }

  void find_what_may_depend(const std::vector<llvm::Instruction*>& instructions) {
    std::vector<llvm::Instruction*> work;
    const auto add = [&](llvm::Instruction* instruction) {
      if (!instruction->getType()->isVoidTy() && depends_.insert(instruction).second)
        work.push_back(instruction);
    };
    for (llvm::Instruction* instruction : instructions)
      if (is_source(*instruction))
        add(instruction);
    while (!work.empty()) {
      const llvm::Instruction* const instruction = work.back();
      work.pop_back();
      for (const llvm::User* user : instruction->users())
        if (auto* const next =
                const_cast<llvm::Instruction*>(llvm::dyn_cast<llvm::Instruction>(user)))
          add(next);
    }
  }

  bool depends(const llvm::Value* value) const { return depends_.contains(value); }

  // -- Labels ------------------------------------------------------------------------------------

  Values labels_of(const llvm::Value* value) const {
    const auto known = labels_.find(value);
    return known != labels_.end() ? known->second : Values(lanes_of(*value->getType()), none_);
  }
  llvm::Value* label_of(const llvm::Value* value) const { return labels_of(value)[0]; }

  void set(const llvm::Value& value, llvm::Value* label) { labels_[&value] = {label}; }

  void add_phi(llvm::PHINode& phi) {
    std::vector<llvm::PHINode*> labels;
    Builder builder(&phi);
    for (unsigned lane = 0; lane < lanes_of(*phi.getType()); ++lane)
      labels.push_back(builder.CreatePHI(label_type_, phi.getNumIncomingValues()));
    labels_[&phi] = Values(labels.begin(), labels.end());
    phis_.emplace_back(&phi, labels);
  }

  llvm::Value* bits(Builder& builder, llvm::Value* value) const {
    llvm::Type* const type = value->getType();
    if (type->isPointerTy())
      return builder.CreatePtrToInt(value, word_);
    if (type->isFloatingPointTy())
      value = builder.CreateBitCast(value, builder.getIntNTy(width_of(*type)));
    return builder.CreateZExtOrTrunc(value, word_);
  }

  llvm::Value* number(std::uint64_t value) const {
    return llvm::ConstantInt::get(label_type_, value);
  }
  llvm::Value* word(std::uint64_t value) const { return llvm::ConstantInt::get(word_, value); }

  llvm::FunctionCallee native(const char* name, llvm::Type* result,
                              llvm::ArrayRef<llvm::Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (llvm::Value* argument : arguments)
      types.push_back(argument->getType());
    llvm::FunctionCallee callee =
        module_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
    llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
    return callee;
  }

  // Is done before `where`, if one of the labels is not 0. `make` gives the arguments.
  template <typename Make>
  llvm::Value* guarded(llvm::Instruction& where, llvm::ArrayRef<llvm::Value*> conditions,
                       const char* name, bool result, Make&& make) {
    Builder builder(&where);
    llvm::Value* any = nullptr;
    for (llvm::Value* condition : conditions)
      if (condition != none_)
        any = any ? builder.CreateOr(any, condition) : condition;
    if (!any)
      return none_;
    llvm::BasicBlock* const before = where.getParent();
    llvm::Instruction* const rare =
        llvm::SplitBlockAndInsertIfThen(builder.CreateICmpNE(any, none_), &where, false,
                                        llvm::MDBuilder(context_).createBranchWeights(1, 100));
    Builder inner(rare);
    inner.SetCurrentDebugLocation(where.getDebugLoc());
    const Values arguments = make(inner);
    llvm::CallInst* const call = inner.CreateCall(
        native(name, result ? label_type_ : llvm::Type::getVoidTy(context_), arguments), arguments);
    if (!result)
      return none_;
    Builder after(where.getParent(), where.getParent()->begin());
    llvm::PHINode* const phi = after.CreatePHI(label_type_, 2);
    phi->addIncoming(call, rare->getParent());
    phi->addIncoming(none_, before);
    return phi;
  }

  llvm::Value* shadow(Builder& builder, llvm::Value* pointer) const {
    llvm::Value* const at = builder.CreateAnd(builder.CreatePtrToInt(pointer, word_), kShadowMask);
    return builder.CreateIntToPtr(builder.CreateAdd(builder.CreateShl(at, 2), word(kShadow)),
                                  pointer_);
  }

  // -- Sites -------------------------------------------------------------------------------------

  unsigned site(const llvm::Instruction& instruction, TracedSite::Kind kind, bool write = false) {
    TracedSite site;
    site.kind = kind;
    site.place = simulator::place_of(instruction);
    site.library = instruction.hasMetadata("gputest.concolic.library");
    site.write = write;
    result_.sites.push_back(std::move(site));
    return static_cast<unsigned>(result_.sites.size() - 1);
  }

  void lose(const llvm::Instruction& instruction, const char* what) {
    if (std::ranges::none_of(instruction.operands(),
                             [&](const llvm::Use& use) { return depends(use.get()); }))
      return;
    const std::string text = simulator::place_prefix(simulator::place_of(instruction)) + what;
    if (std::ranges::find(result_.lost, text) == result_.lost.end())
      result_.lost.push_back(text);
  }

  // -- Instructions ------------------------------------------------------------------------------

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
    who_ = builder.CreateCall(native("gputest_label_begin", label_type_, arguments), arguments);
    for (llvm::Instruction* instruction : instructions)
      if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(instruction))
        if (const auto bytes = variable->getAllocationSize(layout_))
          fill(builder, instruction, none_, word(bytes->getFixedValue()));
  }

  void fill(Builder& builder, llvm::Value* to, llvm::Value* label, llvm::Value* bytes) {
    const Values arguments{builder.CreatePointerBitCastOrAddrSpaceCast(to, pointer_), label,
                           builder.CreateZExtOrTrunc(bytes, word_)};
    builder.CreateCall(native("gputest_label_fill", builder.getVoidTy(), arguments), arguments);
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

  // An event after `where` has its condition, before what it decides.
  void event(llvm::Instruction& where, unsigned site, llvm::Value* condition) {
    llvm::Value* const label = label_of(condition);
    guarded(where, {label}, "gputest_label_event", false, [&](Builder& builder) {
      return Values{number(site), who_, label, bits(builder, condition)};
    });
  }

  void visit(llvm::SwitchInst& choice) {
    const unsigned at = site(choice, TracedSite::Kind::Switch);
    for (const auto& one : choice.cases())
      result_.sites[at].cases.push_back(one.getCaseValue()->getZExtValue());
    event(choice, at, choice.getCondition());
  }

  void visit(llvm::LoadInst& load) {
    if (!depends(&load))
      return;
    if (const auto context = context_word(load)) {
      Builder builder(&load);
      llvm::Constant* const labels =
          module_.getOrInsertGlobal("gputest_launch_labels", llvm::ArrayType::get(label_type_, 0));
      set(load, builder.CreateLoad(label_type_, builder.CreateConstInBoundsGEP1_64(
                                                    label_type_, labels, *context)));
      return;
    }
    set(load, loaded(load, load.getPointerOperand(), *load.getType()));
  }

  // The label of what is about to be read.
  llvm::Value* loaded(llvm::Instruction& where, llvm::Value* pointer, llvm::Type& type) {
    const std::uint64_t bytes = layout_.getTypeStoreSize(&type).getFixedValue();
    if (!width_of(type) || type.isVectorTy() || width_of(type) != 8 * bytes ||
        (bytes & (bytes - 1)) != 0) {
      lose(where, "a value of a type that is not followed is read");
      return none_;
    }
    Builder builder(&where);
    llvm::Value* any = none_;
    const llvm::Value* const object = llvm::getUnderlyingObject(pointer, 0);
    const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    if (!variable || !variable->isConstant()) {
      llvm::Value* const labels = builder.CreateAlignedLoad(
          llvm::FixedVectorType::get(label_type_, static_cast<unsigned>(bytes)),
          shadow(builder, pointer), llvm::Align(4));
      any = bytes == 1 ? builder.CreateExtractElement(labels, std::uint64_t{0})
                       : builder.CreateOrReduce(labels);
    }
    llvm::Value* const place = label_of(pointer);
    if (place == none_)
      return guarded(where, {any}, "gputest_label_load", true, [&](Builder& inner) {
        return Values{inner.CreatePointerBitCastOrAddrSpaceCast(pointer, pointer_), number(bytes)};
      });
    const unsigned at = site(where, TracedSite::Kind::Address);
    return guarded(where, {any, place}, "gputest_label_read", true, [&](Builder& inner) {
      llvm::Value* begin = llvm::ConstantPointerNull::get(pointer_);
      std::uint64_t size = 0;
      if (variable) {
        begin = const_cast<llvm::Value*>(object);
        size = layout_.getTypeAllocSize(variable->getValueType());
      } else if (const auto* const own = llvm::dyn_cast<llvm::AllocaInst>(object)) {
        begin = const_cast<llvm::Value*>(object);
        size = own->getAllocationSize(layout_).value_or(llvm::TypeSize::getFixed(0));
      }
      return Values{inner.CreatePointerBitCastOrAddrSpaceCast(pointer, pointer_),
                    number(bytes),
                    place,
                    number(at),
                    who_,
                    inner.CreatePointerBitCastOrAddrSpaceCast(begin, pointer_),
                    word(size)};
    });
  }

  // Where something is about to be written.
  void written_at(llvm::Instruction& where, llvm::Value* pointer, std::uint64_t bytes) {
    llvm::Value* const place = label_of(pointer);
    if (place == none_)
      return;
    const unsigned at = site(where, TracedSite::Kind::Address, true);
    guarded(where, {place}, "gputest_label_write", false, [&](Builder& inner) {
      return Values{inner.CreatePointerBitCastOrAddrSpaceCast(pointer, pointer_), number(bytes),
                    place, number(at), who_};
    });
  }

  void put(Builder& builder, llvm::Value* pointer, llvm::Value* label, std::uint64_t bytes) {
    if (bytes > 8 || (bytes & (bytes - 1)) != 0) {
      fill(builder, pointer, none_, word(bytes));
      return;
    }
    const auto count = static_cast<unsigned>(bytes);
    auto* const type = llvm::FixedVectorType::get(label_type_, count);
    llvm::Value* labels = llvm::Constant::getNullValue(type);
    if (label != none_) {
      std::vector<llvm::Constant*> places;
      for (unsigned i = 0; i < count; ++i)
        places.push_back(llvm::ConstantInt::get(label_type_, std::uint64_t{i} << kByteShift));
      labels = builder.CreateSelect(builder.CreateICmpNE(label, none_),
                                    builder.CreateOr(builder.CreateVectorSplat(count, label),
                                                     llvm::ConstantVector::get(places)),
                                    labels);
    }
    builder.CreateAlignedStore(labels, shadow(builder, pointer), llvm::Align(4));
  }

  // The context and the block of arguments are the simulator's.
  bool has_shadow(const llvm::Value* pointer) const {
    return !llvm::isa<llvm::Argument>(llvm::getUnderlyingObject(pointer, 0));
  }

  void visit(llvm::StoreInst& store) {
    llvm::Value* const pointer = store.getPointerOperand();
    if (!has_shadow(pointer))
      return;
    llvm::Type& type = *store.getValueOperand()->getType();
    const std::uint64_t bytes = layout_.getTypeStoreSize(&type).getFixedValue();
    written_at(store, pointer, bytes);
    llvm::Value* label = none_;
    if (!type.isVectorTy() && width_of(type) == 8 * bytes)
      label = label_of(store.getValueOperand());
    else
      lose(store, "a value of a type that is not followed is written");
    Builder builder(&store);
    put(builder, pointer, label, bytes);
  }

  void visit(llvm::GetElementPtrInst& gep) {
    llvm_version::Strides indices;
    llvm::APInt offset(64, 0);
    if (gep.getType()->isVectorTy() || !gep.collectOffset(layout_, 64, indices, offset))
      return lose(gep, "a pointer of a type that is not followed is computed");
    llvm::Instruction& where = *gep.getNextNode();
    // What was added so far, with its value.
    Builder builder(&where);
    llvm::Value* label = label_of(gep.getPointerOperand());
    llvm::Value* value = bits(builder, gep.getPointerOperand());
    const auto add = [&](llvm::Value* other_label, llvm::Value* other) {
      if (label != none_ || other_label != none_)
        label = binary(where, Op::Add, 64, 64, label, other_label, value, other);
      Builder after(&where);
      value = after.CreateAdd(value, other);
    };
    for (const auto& [index, scale] : indices) {
      Builder here(&where);
      const unsigned width = width_of(*index->getType());
      llvm::Value* wide = here.CreateSExtOrTrunc(index, word_);
      llvm::Value* index_label = label_of(index);
      if (index_label != none_ && width != 64)
        index_label = unary(where, width < 64 ? Op::SExt : Op::Trunc, 64, index_label);
      Builder again(&where);
      llvm::Value* const by = llvm::ConstantInt::get(context_, scale);
      if (index_label != none_)
        index_label = binary(where, Op::Mul, 64, 64, index_label, none_, wide, by);
      Builder last(&where);
      add(index_label, last.CreateMul(wide, by));
    }
    if (!offset.isZero())
      add(none_, llvm::ConstantInt::get(context_, offset));
    set(gep, label);
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
    set(select,
        ternary(*select.getNextNode(), Op::Select, width_of(*select.getType()), {chooses, a, b},
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
      return binary(where, op, width, 1, label_of(a), label_of(b), bits(builder, a),
                    bits(builder, b));
    };
    llvm::Value* label = operation(how->first);
    if (how->second)
      label = binary(where, Op::Or, 1, 1, label, operation(*how->second), word(0), word(0));
    if (how->negated)
      label = binary(where, Op::Xor, 1, 1, label, none_, word(0), word(1));
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
          label = concatenated(where, width, i * width, labels[first + i], label, high, value);
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
    set(instruction, binary(where, *op, width, width, label_of(a), label_of(b), bits(builder, a),
                            bits(builder, b)));
  }

  llvm::Value* unary(llvm::Instruction& where, Op op, unsigned width, llvm::Value* a,
                     std::uint64_t extra = 0) {
    return guarded(where, {a}, "gputest_label_unary", true, [&](Builder&) {
      return Values{number(static_cast<unsigned>(op)), number(width), a, word(extra)};
    });
  }

  llvm::Value* binary(llvm::Instruction& where, Op op, unsigned width, unsigned result,
                      llvm::Value* a, llvm::Value* b, llvm::Value* value_a, llvm::Value* value_b) {
    return guarded(where, {a, b}, "gputest_label_binary", true, [&](Builder&) {
      return Values{number(static_cast<unsigned>(op)),
                    number(width | width << 8 | result << 16),
                    a,
                    b,
                    value_a,
                    value_b};
    });
  }

  llvm::Value* concatenated(llvm::Instruction& where, unsigned high, unsigned low, llvm::Value* a,
                            llvm::Value* b, llvm::Value* value_a, llvm::Value* value_b) {
    return guarded(where, {a, b}, "gputest_label_binary", true, [&](Builder&) {
      return Values{number(static_cast<unsigned>(Op::Concat)),
                    number(high | low << 8 | (high + low) << 16),
                    a,
                    b,
                    value_a,
                    value_b};
    });
  }

  llvm::Value* ternary(llvm::Instruction& where, Op op, unsigned width, const Values& labels,
                       const Values& values) {
    return guarded(where, labels, "gputest_label_ternary", true, [&](Builder& builder) {
      return Values{number(static_cast<unsigned>(op)),
                    number(width),
                    labels[0],
                    labels[1],
                    labels[2],
                    bits(builder, values[0]),
                    bits(builder, values[1]),
                    bits(builder, values[2])};
    });
  }

  // -- Calls -------------------------------------------------------------------------------------

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

  // What it may have written.
  void forget_outputs(llvm::CallInst& call) {
    for (llvm::Value* argument : call.args()) {
      if (!argument->getType()->isPointerTy())
        continue;
      auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(
          const_cast<llvm::Value*>(llvm::getUnderlyingObject(argument, 0)));
      if (!variable)
        continue;
      Builder builder(call.getNextNode());
      if (const auto bytes = variable->getAllocationSize(layout_))
        fill(builder, variable, none_, word(bytes->getFixedValue()));
      lose(call, "what a function of the simulator writes is not followed");
    }
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
    set(call,
        guarded(*call.getNextNode(), labels, "gputest_label_call", true, [&](Builder& builder) {
          return Values{number(function),
                        number(widths),
                        labels[0],
                        labels[1],
                        labels[2],
                        bits(builder, values[0]),
                        bits(builder, values[1]),
                        bits(builder, values[2])};
        }));
  }

  void visit(llvm::MemIntrinsic& memory) {
    Builder builder(&memory);
    llvm::Value* const to = memory.getRawDest();
    if (const auto* const set = llvm::dyn_cast<llvm::MemSetInst>(&memory)) {
      fill(builder, to, label_of(set->getValue()), memory.getLength());
      return;
    }
    auto& transfer = llvm::cast<llvm::MemTransferInst>(memory);
    const Values arguments{
        builder.CreatePointerBitCastOrAddrSpaceCast(to, pointer_),
        builder.CreatePointerBitCastOrAddrSpaceCast(transfer.getRawSource(), pointer_),
        builder.CreateZExtOrTrunc(memory.getLength(), word_)};
    builder.CreateCall(native("gputest_label_move", builder.getVoidTy(), arguments), arguments);
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
      set(call, guarded(where, labels, "gputest_label_composed", true, [&](Builder& builder) {
            return Values{number(static_cast<unsigned>(*composed)),
                          number(width),
                          labels[0],
                          labels[1],
                          labels[2],
                          bits(builder, values[0]),
                          bits(builder, values[1]),
                          bits(builder, values[2])};
          }));
      return;
    }
    if (const auto op = intrinsic_operation(call.getIntrinsicID())) {
      const bool one = operand_count(*op) == 1;
      Builder builder(&where);
      if (one)
        set(call, unary(where, *op, width, labels[0]));
      else if (operand_count(*op) == 2)
        set(call, binary(where, *op, width, width, labels[0], labels[1], bits(builder, values[0]),
                         bits(builder, values[1])));
      else
        set(call, ternary(where, *op, width, labels, values));
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

  static unsigned operand_count(Op op) {
    return op == Op::FMulAdd ? 3 : op == Op::FMin || op == Op::FMax ? 2 : 1;
  }

  // -- Atomics -----------------------------------------------------------------------------------

  void visit(llvm::AtomicRMWInst& operation) {
    llvm::Value* const pointer = operation.getPointerOperand();
    llvm::Type& type = *operation.getType();
    const std::uint64_t bytes = layout_.getTypeStoreSize(&type).getFixedValue();
    llvm::Value* const old = loaded(operation, pointer, type);
    written_at(operation, pointer, bytes);
    set(operation, old);
    llvm::Value* const operand = operation.getValOperand();
    llvm::Value* const label = label_of(operand);
    llvm::Instruction& where = *operation.getNextNode();
    const unsigned width = width_of(type);
    llvm::Value* result = none_;
    const auto binary_of = [&](Op op) {
      Builder builder(&where);
      return binary(where, op, width, width, old, label, bits(builder, &operation),
                    bits(builder, operand));
    };
    using R = llvm::AtomicRMWInst;
    switch (operation.getOperation()) {
    case R::Xchg:
      result = label;
      break;
    case R::Add:
      result = binary_of(Op::Add);
      break;
    case R::Sub:
      result = binary_of(Op::Sub);
      break;
    case R::And:
      result = binary_of(Op::And);
      break;
    case R::Or:
      result = binary_of(Op::Or);
      break;
    case R::Xor:
      result = binary_of(Op::Xor);
      break;
    case R::FAdd:
      result = binary_of(Op::FAdd);
      break;
    case R::FSub:
      result = binary_of(Op::FSub);
      break;
    case R::Max:
    case R::Min:
    case R::UMax:
    case R::UMin: {
      const Composed kind = operation.getOperation() == R::Max    ? Composed::SMax
                            : operation.getOperation() == R::Min  ? Composed::SMin
                            : operation.getOperation() == R::UMax ? Composed::UMax
                                                                  : Composed::UMin;
      result = guarded(where, {old, label}, "gputest_label_composed", true, [&](Builder& builder) {
        return Values{
            number(static_cast<unsigned>(kind)), number(width),          old,    label, none_,
            bits(builder, &operation),           bits(builder, operand), word(0)};
      });
      break;
    }
    default:
      lose(operation, "an atomic operation that is not followed");
      break;
    }
    Builder builder(&where);
    put(builder, pointer, result, bytes);
  }

  void visit(llvm::AtomicCmpXchgInst& exchange) {
    llvm::Value* const pointer = exchange.getPointerOperand();
    llvm::Type& type = *exchange.getCompareOperand()->getType();
    const std::uint64_t bytes = layout_.getTypeStoreSize(&type).getFixedValue();
    const unsigned width = width_of(type);
    llvm::Value* const old = loaded(exchange, pointer, type);
    written_at(exchange, pointer, bytes);
    llvm::Instruction& where = *exchange.getNextNode();
    Builder builder(&where);
    llvm::Value* const was = builder.CreateExtractValue(&exchange, 0);
    llvm::Value* const done = builder.CreateExtractValue(&exchange, 1);
    llvm::Value* const equal =
        binary(where, Op::Equal, width, 1, old, label_of(exchange.getCompareOperand()),
               bits(builder, was), bits(builder, exchange.getCompareOperand()));
    labels_[&exchange] = {old, equal};
    const unsigned at = site(exchange, TracedSite::Kind::Exchange);
    guarded(where, {equal}, "gputest_label_event", false,
            [&](Builder& inner) { return Values{number(at), who_, equal, bits(inner, done)}; });
    Builder after(&where);
    llvm::Value* const result =
        after.CreateSelect(done, label_of(exchange.getNewValOperand()), old);
    put(after, pointer, result, bytes);
  }

  llvm::Function& item_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  const llvm::DataLayout& layout_;
  LibraryCalls& library_;
  bool launch_sizes_;
  llvm::IntegerType *label_type_, *word_;
  llvm::PointerType* pointer_;
  llvm::Constant* none_;
  llvm::Value* who_ = nullptr; // the work-item's number
  std::set<const llvm::Value*> depends_;
  std::map<const llvm::Value*, Values> labels_; // not there: 0
  std::vector<std::pair<llvm::PHINode*, std::vector<llvm::PHINode*>>> phis_;
  Instrumented result_;
};

} // namespace

Instrumented instrument(llvm::Function& item, LibraryCalls& library, bool launch_sizes) {
  return Instrumentation(item, library, launch_sizes).run();
}

} // namespace gputest::testgen
