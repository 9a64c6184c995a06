// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/chosen.h"

#include "ir/accesses.h"
#include "ir/call.h"
#include "ir/host.h"
#include "ir/placed.h"
#include "ir/protected.h"
#include "simulator/checks/protect.h"

#include <algorithm>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace gputest::simulator {
namespace {

// The bounds of a stored pointer: the pointer itself, by which a read knows that the entry is for
// what it has read, and the parts. One for each eight bytes of a variable.
constexpr std::uint64_t kFields = 6, kSlotBytes = 8;

// Variables of more bytes have no entries.
constexpr std::uint64_t kMostBytes = 1 << 16;

// Returns what a step or a cast is of; null: it is none.
llvm::Value* before(llvm::Value* value) {
  if (auto* const step = llvm::dyn_cast<llvm::GEPOperator>(value))
    return step->getPointerOperand();
  if (llvm::isa<llvm::AddrSpaceCastOperator, llvm::BitCastOperator, llvm::PtrToIntOperator,
                llvm::FreezeInst>(value))
    return llvm::cast<llvm::User>(value)->getOperand(0);
  if (auto* const back = llvm::dyn_cast<llvm::Operator>(value);
      back && back->getOpcode() == llvm::Instruction::IntToPtr)
    return back->getOperand(0);
  for (const char* kind : {ir::kMember, ir::kChosen})
    if (const llvm::CallInst* const call = ir::protected_call(value, kind))
      return call->getArgOperand(0);
  return nullptr;
}

// Other tools, such as the tracking of definedness, leave these alone.
template <typename Made> Made* quiet(Made* made) {
  if (auto* const instruction = llvm::dyn_cast<llvm::Instruction>(made)) {
    llvm::MDNode* const mark = llvm::MDNode::get(instruction->getContext(), {});
    instruction->setMetadata(llvm::LLVMContext::MD_nosanitize, mark);
    instruction->setMetadata(ir::kBeside, mark);
  }
  return made;
}

bool has_addresses(const llvm::Constant* constant) {
  if (constant->getType()->isPointerTy())
    return !constant->isNullValue();
  return llvm::any_of(constant->operands(), [](const llvm::Use& part) {
    return llvm::isa<llvm::ConstantAggregate>(part) || part->getType()->isPointerTy()
               ? has_addresses(llvm::cast<llvm::Constant>(part))
               : false;
  });
}

// Returns the pointer that a constant has at a byte, in whatever address space; null: none.
llvm::Constant* address_at(const llvm::GlobalVariable& constant, std::uint64_t at,
                           const llvm::DataLayout& layout) {
  for (unsigned space = 0; space <= ir::kConstantSpace; ++space)
    if (llvm::Constant* const value = llvm::ConstantFoldLoadFromConst(
            const_cast<llvm::Constant*>(constant.getInitializer()),
            llvm::PointerType::get(constant.getContext(), space), llvm::APInt(64, at), layout);
        value && llvm::isa<llvm::GlobalVariable>(llvm::getUnderlyingObject(value, 0)))
      return value;
  return nullptr;
}

bool is_table(const llvm::Value* value) {
  const auto* const constant = llvm::dyn_cast<llvm::GlobalVariable>(value);
  return constant && constant->isConstant() && constant->hasInitializer() &&
         has_addresses(constant->getInitializer());
}

std::uint64_t size_of(const llvm::AllocaInst& variable) {
  const auto size = variable.getAllocationSize(variable.getModule()->getDataLayout());
  return size ? size->getFixedValue() : 0;
}

llvm::Instruction* after(llvm::Value* leaf, llvm::Function& item) {
  auto* const instruction = llvm::dyn_cast<llvm::Instruction>(leaf);
  return !instruction || instruction->isTerminator() ? &*item.getEntryBlock().getFirstInsertionPt()
                                                     : instruction->getNextNode();
}

} // namespace

llvm::SmallVector<llvm::Value*, 4> leaves_of(llvm::Value* pointer) {
  llvm::SmallVector<llvm::Value*, 4> leaves;
  llvm::SmallSetVector<llvm::Value*, 8> values;
  values.insert(pointer);
  for (std::size_t i = 0; i < values.size(); ++i) {
    llvm::Value* const value = values[i];
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(value))
      values.insert(phi->op_begin(), phi->op_end());
    else if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(value))
      values.insert(select->op_begin() + 1, select->op_end());
    else if (llvm::Value* const from = before(value))
      values.insert(from);
    else
      leaves.push_back(value);
  }
  return leaves;
}

bool is_chosen(llvm::Value* pointer, bool holds_pointers) {
  const llvm::SmallVector<llvm::Value*, 4> leaves = leaves_of(pointer);
  return llvm::any_of(leaves, [&](llvm::Value* leaf) {
    if (llvm::isa<llvm::AllocaInst>(leaf))
      return leaves.size() > 1;
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(leaf))
      return variable->isConstant(); // all values may be equal: then no read is needed
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(leaf))
      return holds_pointers &&
             !llvm::isa<llvm::Argument>(llvm::getUnderlyingObject(load->getPointerOperand(), 0));
    return holds_pointers && llvm::isa<llvm::ExtractValueInst, llvm::ExtractElementInst>(leaf);
  });
}

bool stores_pointers(const llvm::Function& item) {
  return llvm::any_of(item.getParent()->globals(),
                      [](const auto& variable) { return is_table(&variable); }) ||
         llvm::any_of(llvm::instructions(item), [](const llvm::Instruction& instruction) {
           const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
           return store && !store->getValueOperand()->getType()->isIntOrIntVectorTy() &&
                  !store->getValueOperand()->getType()->isFPOrFPVectorTy() &&
                  !llvm::isa<llvm::ConstantPointerNull>(store->getValueOperand());
         });
}

ChosenBounds::ChosenBounds(llvm::Function& item, ir::KernelShape& shape)
    : item_(item), module_(*item.getParent()), shape_(shape), layout_(module_.getDataLayout()),
      pointer_(llvm::PointerType::getUnqual(item.getContext())),
      word_(llvm::Type::getInt64Ty(item.getContext())) {
  for (llvm::Instruction& instruction : llvm::instructions(item)) {
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        load && load->getType()->isPointerTy())
      loads_[load] = load->getPointerOperand();
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        store && store->getValueOperand()->getType()->isPointerTy())
      stores_.emplace_back(store, store->getPointerOperand());
    if (auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
      transfers_.push_back({copy, copy->getRawDest(), copy->getRawSource()});
  }
  find_holders();
}

bool ChosenBounds::any_known(llvm::Value* pointer) {
  return llvm::any_of(leaves_of(pointer), [&](llvm::Value* leaf) {
    if (ir::origin_of(leaf, shape_).object >= 0)
      return true;
    auto* const load = llvm::dyn_cast<llvm::LoadInst>(leaf);
    return load && loads_.contains(load) && may_hold(loads_[load]);
  });
}

ChosenBounds::Bounds ChosenBounds::of(llvm::Value* pointer, bool write) {
  return {part_of(pointer, kBegin), part_of(pointer, write ? kWritable : kReadable),
          part_of(pointer, kObject)};
}

// Grows from variables to which pointers are stored to those to which these are copied.
void ChosenBounds::find_holders() {
  const auto add = [&](llvm::Value* address) {
    bool grows = false;
    for (llvm::Value* leaf : leaves_of(address))
      if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(leaf);
          variable && size_of(*variable) <= kMostBytes)
        grows = holders_.insert(variable).second || grows;
    return grows;
  };
  for (const auto& [store, address] : stores_)
    if (!llvm::isa<llvm::ConstantPointerNull>(store->getValueOperand()))
      add(address);
  for (bool grows = true; grows;) {
    grows = false;
    for (const Transfer& transfer : transfers_)
      if (may_hold(transfer.from))
        grows = add(transfer.to) || grows;
  }
}

// Whether a leaf of `pointer`, or of where it is loaded from, is wanted.
bool ChosenBounds::any_leaf(llvm::Value* pointer, llvm::function_ref<bool(llvm::Value*)> wanted) {
  llvm::SmallSetVector<llvm::Value*, 8> pointers;
  pointers.insert(pointer);
  for (std::size_t i = 0; i < pointers.size(); ++i)
    for (llvm::Value* leaf : leaves_of(pointers[i])) {
      if (wanted(leaf))
        return true;
      if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(leaf);
          load && loads_.contains(load)) // its slots come with it
        pointers.insert(loads_[load]);
    }
  return false;
}

// Whether bounds may be known of the pointers that are where `pointer` points to.
bool ChosenBounds::may_hold(llvm::Value* pointer) {
  return any_leaf(pointer,
                  [&](llvm::Value* leaf) { return holders_.contains(leaf) || is_table(leaf); });
}

llvm::Type* ChosenBounds::type_of(Part part) const {
  return part == kBegin || part == kSlots ? pointer_
         : part == kObject                ? llvm::Type::getInt32Ty(item_.getContext())
                                          : word_;
}

llvm::Value* ChosenBounds::unknown(Part part) const {
  return part == kBegin || part == kSlots ? llvm::Constant::getNullValue(pointer_)
                                          : llvm::Constant::getAllOnesValue(type_of(part));
}

llvm::Value* ChosenBounds::part_of(llvm::Value* pointer, Part part) {
  while (llvm::Value* const from = before(pointer))
    pointer = from;
  if (const auto known = parts_.find({pointer, part}); known != parts_.end())
    return known->second;
  llvm::Value* made = nullptr;
  if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(pointer)) {
    return part_of_phi(*phi, part);
  } else if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(pointer);
             select && !select->getCondition()->getType()->isVectorTy()) {
    llvm::Value* const first = part_of(select->getTrueValue(), part);
    llvm::Value* const second = part_of(select->getFalseValue(), part);
    Builder builder(select);
    made = quiet(builder.CreateSelect(select->getCondition(), first, second));
  } else {
    made = part_of_leaf(pointer, part);
  }
  return parts_[{pointer, part}] = made;
}

llvm::Value* ChosenBounds::part_of_phi(llvm::PHINode& phi, Part part) {
  Builder builder(&phi);
  llvm::PHINode* const made = quiet(builder.CreatePHI(type_of(part), phi.getNumIncomingValues()));
  parts_[{&phi, part}] = made; // a loop comes back to it
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    made->addIncoming(part_of(phi.getIncomingValue(i), part), phi.getIncomingBlock(i));
  return made;
}

llvm::Value* ChosenBounds::part_of_leaf(llvm::Value* leaf, Part part) {
  if (part == kSlots && !llvm::isa<llvm::LoadInst>(leaf))
    return slots_of(leaf);
  const ir::Origin origin =
      leaf->getType()->isPointerTy() ? ir::origin_of(leaf, shape_) : ir::Origin();
  if (origin.object < 0 || part == kSlots) {
    auto* const load = llvm::dyn_cast<llvm::LoadInst>(leaf);
    return load && loads_.contains(load) && may_hold(loads_[load]) ? part_of_loaded(*load, part)
                                                                   : unknown(part);
  }
  Builder builder(after(leaf, item_));
  if (part == kObject)
    return builder.getInt32(static_cast<unsigned>(origin.object));
  const ir::Object& object = shape_.objects[static_cast<unsigned>(origin.object)];
  if (object.kind != ir::Object::Kind::PrivateVariable &&
      object.kind != ir::Object::Kind::Constant) {
    const ir::PlacedObject placed =
        ir::placed_object(builder, item_, static_cast<unsigned>(origin.object), part == kWritable);
    return part == kBegin ? placed.begin : placed.size;
  }
  if (part == kBegin)
    return quiet(builder.CreateAddrSpaceCast(leaf, pointer_));
  const auto* const constant = llvm::dyn_cast<llvm::GlobalVariable>(leaf);
  return builder.getInt64(part == kWritable && constant && constant->isConstant() ? 0
                                                                                  : object.size);
}

// Returns what holds the bounds of the pointers in a variable.
llvm::Value* ChosenBounds::slots_of(llvm::Value* leaf) {
  if (is_table(leaf))
    return table_of(*llvm::cast<llvm::GlobalVariable>(leaf));
  if (!holders_.contains(leaf))
    return unknown(kSlots);
  llvm::AllocaInst*& made = beside_[leaf];
  if (!made) {
    auto* const variable = llvm::cast<llvm::AllocaInst>(leaf);
    const std::uint64_t words = (size_of(*variable) / kSlotBytes + 1) * kFields;
    Builder builder(variable);
    made = quiet(builder.CreateAlloca(llvm::ArrayType::get(word_, words), nullptr,
                                      variable->getName() + ".bounds"));
    quiet(builder.CreateMemSet(made, builder.getInt8(0), words * 8, llvm::Align(8)));
  }
  return made;
}

// The same for a constant.
llvm::GlobalVariable* ChosenBounds::table_of(const llvm::GlobalVariable& constant) {
  llvm::GlobalVariable*& made = tables_[&constant];
  if (made)
    return made;
  const std::uint64_t size = layout_.getTypeAllocSize(constant.getValueType());
  auto* const entry = llvm::StructType::get(pointer_, pointer_, word_, word_, word_, pointer_);
  auto* const type = llvm::ArrayType::get(entry, size / kSlotBytes + 1);
  made = new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::InternalLinkage, nullptr,
                                  constant.getName() + ".bounds");
  std::vector<llvm::Constant*> entries;
  for (std::uint64_t at = 0; at <= size; at += kSlotBytes) {
    entries.push_back(llvm::Constant::getNullValue(entry));
    llvm::Constant* const value =
        at + kSlotBytes <= size ? address_at(constant, at, layout_) : nullptr;
    if (!value)
      continue;
    auto* const of = llvm::cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(value, 0));
    const int object = ir::origin_of(of, shape_).object;
    const std::uint64_t bytes = shape_.objects[static_cast<unsigned>(object)].size;
    const auto number = [&](std::uint64_t n) { return llvm::ConstantInt::get(word_, n); };
    entries.back() = llvm::ConstantStruct::get(
        entry, {llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(value, pointer_),
                llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(of, pointer_), number(bytes),
                number(of->isConstant() ? 0 : bytes), number(static_cast<unsigned>(object)),
                is_table(of) ? static_cast<llvm::Constant*>(table_of(*of))
                             : llvm::Constant::getNullValue(pointer_)});
  }
  tables_[&constant]->setInitializer(llvm::ConstantArray::get(type, entries));
  return tables_[&constant];
}

llvm::Value* ChosenBounds::field(Builder& builder, llvm::Value* entry, unsigned index) const {
  return quiet(builder.CreateGEP(word_, entry, builder.getInt64(index)));
}

llvm::Value* ChosenBounds::entry_of(Builder& builder, llvm::Value* pointer, llvm::Value* none) {
  llvm::Value* const slots = part_of(pointer, kSlots);
  llvm::Value* const begin = part_of(pointer, kBegin);
  llvm::Value* const size = part_of(pointer, kReadable);
  const auto number = [&](llvm::Value* address) {
    return quiet(builder.CreatePtrToInt(address, word_));
  };
  llvm::Value* const offset = quiet(builder.CreateSub(number(pointer), number(begin)));
  llvm::Value* const has = quiet(builder.CreateAnd(
      quiet(builder.CreateICmpULT(offset, size)),
      quiet(builder.CreateICmpNE(slots, llvm::Constant::getNullValue(pointer_)))));
  llvm::Value* const index =
      quiet(builder.CreateMul(quiet(builder.CreateLShr(offset, 3)), builder.getInt64(kFields)));
  return quiet(builder.CreateSelect(has, quiet(builder.CreateGEP(word_, slots, {index})), none));
}

llvm::Value* ChosenBounds::part_of_loaded(llvm::LoadInst& load, Part part) {
  Builder builder(load.getNextNode());
  if (!entries_.contains(&load)) {
    llvm::GlobalVariable* none = module_.getGlobalVariable("gputest_no_bounds", true);
    if (!none) {
      auto* const type = llvm::ArrayType::get(word_, kFields);
      none = new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::InternalLinkage,
                                      llvm::Constant::getNullValue(type), "gputest_no_bounds");
    }
    llvm::Value* const entry = entry_of(builder, loads_[&load], none);
    llvm::Value* const value = quiet(builder.CreateAlignedLoad(word_, entry, llvm::Align(8)));
    llvm::Value* const same =
        quiet(builder.CreateICmpEQ(value, quiet(builder.CreatePtrToInt(&load, word_))));
    llvm::Value* const valid =
        quiet(builder.CreateAnd(same, quiet(builder.CreateICmpNE(value, builder.getInt64(0)))));
    entries_[&load] = {entry, valid};
  }
  const auto [entry, valid] = entries_[&load];
  if (auto* const last = llvm::dyn_cast<llvm::Instruction>(valid))
    builder.SetInsertPoint(last->getNextNode());
  llvm::Value* const place = field(builder, entry, part + 1);
  llvm::Value* made = quiet(
      builder.CreateAlignedLoad(part == kObject ? word_ : type_of(part), place, llvm::Align(8)));
  if (part == kObject)
    made = quiet(builder.CreateTrunc(made, type_of(part)));
  return quiet(builder.CreateSelect(valid, made, unknown(part)));
}

// Whether entries exist for where `pointer` points to.
bool ChosenBounds::has_slots(llvm::Value* pointer) {
  return any_leaf(pointer, [&](llvm::Value* leaf) { return beside_.contains(leaf); });
}

void ChosenBounds::keep(llvm::StoreInst& store) {
  if (!sink_) {
    Builder builder(&*item_.getEntryBlock().getFirstInsertionPt());
    sink_ = quiet(builder.CreateAlloca(llvm::ArrayType::get(word_, kFields), nullptr));
  }
  const auto found =
      std::ranges::find(stores_, &store, &std::pair<llvm::StoreInst*, llvm::Value*>::first);
  llvm::Value* const value = store.getValueOperand();
  llvm::Value* parts[kParts];
  for (unsigned part = 0; part < kParts; ++part)
    parts[part] = part_of(value, static_cast<Part>(part));
  Builder builder(store.getNextNode());
  llvm::Value* const entry = entry_of(builder, found->second, sink_);
  const auto put = [&](llvm::Value* what, unsigned index) {
    quiet(builder.CreateAlignedStore(what, field(builder, entry, index), llvm::Align(8)));
  };
  put(quiet(builder.CreatePtrToInt(value, word_)), 0);
  for (unsigned part = 0; part < kParts; ++part)
    put(part == kObject ? quiet(builder.CreateZExt(parts[part], word_)) : parts[part], part + 1);
}

void ChosenBounds::keep(llvm::MemTransferInst& copy) {
  const auto found = std::ranges::find(transfers_, &copy, &Transfer::copy);
  Builder builder(copy.getNextNode());
  const auto plain = [&](llvm::Value* pointer) {
    return quiet(builder.CreateAddrSpaceCast(pointer, pointer_));
  };
  llvm::CallInst* const call = ir::call_by_name(
      builder, "gputest_copy_bounds", builder.getVoidTy(),
      {part_of(found->to, kSlots), plain(found->to), part_of(found->to, kBegin),
       part_of(found->to, kReadable), part_of(found->from, kSlots), plain(found->from),
       part_of(found->from, kBegin), part_of(found->from, kReadable),
       quiet(builder.CreateZExt(copy.getLength(), word_))});
  if (shape_.uninitialized)
    set_defined(*call);
}

// Bounds of a stored pointer may be in another variable's slots, which then need their stores, too.
void ChosenBounds::follow_stores() {
  std::set<llvm::Instruction*> done;
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [store, address] : stores_)
      if (!done.contains(store) && has_slots(address)) {
        done.insert(store);
        keep(*store);
        grows = true;
      }
    for (const Transfer& transfer : transfers_)
      if (!done.contains(transfer.copy) && has_slots(transfer.to)) {
        done.insert(transfer.copy);
        keep(*transfer.copy);
        grows = true;
      }
  }
}

} // namespace gputest::simulator
