// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/accesses.h"

#include "ir/cuda_mark.h"
#include "ir/host.h"
#include "ir/lowered_names.h"
#include "ir/protected.h"
#include "templates/simulator/context.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace gputest::ir {
namespace {

// Whether it accesses the context, the block of arguments or, for work-group and sub-group
// functions, the slots.
bool is_simulators(const llvm::Value* pointer) {
  const llvm::Value* const object = llvm::getUnderlyingObject(pointer, 0);
  if (llvm::isa<llvm::Argument>(object))
    return true;
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(object);
  if (!load || is_cuda(*load->getModule()))
    return false;
  llvm::APInt offset(64, 0);
  const auto* const context =
      llvm::dyn_cast<llvm::Argument>(load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          load->getModule()->getDataLayout(), offset, true));
  return context && context->getArgNo() == 0 && offset == offsetof(gputest_context, slots);
}

// Returns the pointer before it was checked (instrument.cpp, templates/simulator/bounds.c).
const llvm::Value* unchecked(const llvm::Value* pointer) {
  constexpr std::pair<const char*, unsigned> kChecks[] = {
      {kMember, 0},
      {kChosen, 0},
      {"gputest_bounds", 1},
      {"gputest_member", 2},
      {"gputest_not_null", 1}}; // which argument
  while (true) {
    const llvm::Value* const at = pointer->stripPointerCasts();
    const auto* const check = std::ranges::find_if(
        kChecks, [&](const auto& one) { return protected_call(at, one.first) != nullptr; });
    if (check == std::end(kChecks))
      return pointer;
    pointer = protected_call(at, check->first)->getArgOperand(check->second);
  }
}

// Whether an exchange of the same place expects what the load reads, which tests it:
//
//     unsigned long long old = *place, expected;
//     do old = atomicCAS(place, expected = old, …); while (old != expected);
bool is_tested_by_exchange(const llvm::LoadInst& load) {
  const llvm::Value* const place = unchecked(load.getPointerOperand())->stripPointerCasts();
  std::vector<const llvm::Value*> values{&load};
  std::set<const llvm::Value*> seen;
  while (!values.empty()) {
    const llvm::Value* const value = values.back();
    values.pop_back();
    if (!seen.insert(value).second)
      continue;
    for (const llvm::User* const user : value->users())
      if (const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(user)) {
        if (exchange->getCompareOperand() == value &&
            unchecked(exchange->getPointerOperand())->stripPointerCasts() == place)
          return true;
      } else if (llvm::isa<llvm::PHINode, llvm::BitCastInst, llvm::FreezeInst>(user)) {
        values.push_back(user);
      }
  }
  return false;
}

class Collector {
public:
  Collector(llvm::Function& item, bool all)
      : all_(all), cuda_(is_cuda(*item.getParent())), layout_(item.getParent()->getDataLayout()),
        word_(llvm::Type::getInt64Ty(item.getContext())) {}

  void look_at(llvm::Instruction& instruction) {
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      add(instruction, 0, size_of(load->getType()), load->getAlign().value(),
          {.atomic = load->isAtomic() || load->isVolatile() || is_tested_by_exchange(*load)});
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      add(instruction, 1, size_of(store->getValueOperand()->getType()), store->getAlign().value(),
          {.write = true, .atomic = store->isAtomic() || (cuda_ && store->isVolatile())});
    if (auto* const operation = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      add(instruction, 0, size_of(operation->getType()), operation->getAlign().value(),
          kAtomicUpdate);
    if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      add(instruction, 0, size_of(exchange->getNewValOperand()->getType()),
          exchange->getAlign().value(), kAtomicUpdate);
    if (auto* const memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      add(instruction, 0, memory->getLength(), memory->getDestAlign().valueOrOne().value(),
          {.write = true});
      if (const auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(memory))
        add(instruction, 1, memory->getLength(), copy->getSourceAlign().valueOrOne().value(), {});
    }
  }

  std::vector<Access> found;

private:
  struct How {
    bool write = false, atomic = false;
  };
  static constexpr How kAtomicUpdate{.write = true, .atomic = true};

  llvm::Value* size_of(llvm::Type* type) const {
    return llvm::ConstantInt::get(word_, layout_.getTypeStoreSize(type).getFixedValue());
  }

  // An access at a constant place within a private variable is always right.
  bool is_inside_variable(const llvm::Value* pointer, const llvm::Value* size,
                          std::uint64_t alignment) const {
    llvm::APInt offset(64, 0);
    const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(
        pointer->stripAndAccumulateConstantOffsets(layout_, offset, true));
    const auto* const bytes = llvm::dyn_cast<llvm::ConstantInt>(size);
    if (!variable || !bytes || offset.isNegative() || offset.urem(alignment) != 0 ||
        variable->getAlign().value() < alignment)
      return false;
    const auto whole = variable->getAllocationSize(layout_);
    return whole && offset.getZExtValue() + bytes->getZExtValue() <= whole->getFixedValue();
  }

  void add(llvm::Instruction& instruction, unsigned operand, llvm::Value* size,
           std::uint64_t alignment, How how) {
    if (instruction.hasMetadata(kBeside))
      return;
    const llvm::Value* const pointer = instruction.getOperand(operand);
    if (!is_simulators(pointer) && (all_ || !is_inside_variable(pointer, size, alignment)))
      found.push_back({&instruction, operand, size, alignment, how.write, how.atomic});
  }

  bool all_, cuda_;
  const llvm::DataLayout& layout_;
  llvm::Type* word_;
};

int index_of(const Object& object, KernelShape& shape) {
  const auto same = std::ranges::find_if(shape.objects, [&](const Object& other) {
    return other.kind == object.kind && other.name == object.name &&
           other.parameter == object.parameter && other.size == object.size;
  });
  const auto index = static_cast<int>(same - shape.objects.begin());
  if (same == shape.objects.end())
    shape.objects.push_back(object);
  return index;
}

// The name in the source: "sum.part" is the variable `part` of `sum`, "part.i" one that was
// inlined.
std::string variable_name(const llvm::Value& variable) {
  const llvm::StringRef name = variable.getName();
  if (llvm::isa<llvm::GlobalVariable>(variable))
    return name.rsplit('.').second.empty() ? name.str() : name.rsplit('.').second.str();
  return name.split('.').first.str();
}

} // namespace

std::optional<unsigned> parameter_of(const llvm::Value* value, const KernelShape& shape) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(value);
  if (!load)
    return std::nullopt;
  const llvm::Function& item = *load->getFunction();
  llvm::APInt offset(64, 0);
  const llvm::Value* const base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      item.getParent()->getDataLayout(), offset, true);
  if (base != item.getArg(1))
    return std::nullopt;
  const auto found = std::ranges::find(shape.parameters, offset.getZExtValue(), &Parameter::offset);
  if (found == shape.parameters.end())
    return std::nullopt;
  return static_cast<unsigned>(found - shape.parameters.begin());
}

unsigned Access::space() const {
  const llvm::Value* at = pointer();
  if (at->getType()->getPointerAddressSpace() == kPrivateSpace &&
      !is_cuda(*instruction->getModule()))
    at = llvm::getUnderlyingObject(unchecked(at), 0);
  return at->getType()->isPointerTy() ? at->getType()->getPointerAddressSpace() : kPrivateSpace;
}

std::vector<Access> accesses_of(llvm::Function& item, bool all) {
  Collector collector(item, all);
  for (llvm::BasicBlock& block : item)
    for (llvm::Instruction& instruction : block)
      collector.look_at(instruction);
  return std::move(collector.found);
}

Origin origin_of(const llvm::Value* pointer, KernelShape& shape) {
  pointer = unchecked(pointer);
  llvm::SmallVector<const llvm::Value*, 4> values;
  llvm::getUnderlyingObjects(pointer, values, nullptr, 0);
  Origin origin;
  for (const llvm::Value* value : values) {
    int object = -1;
    if (const auto parameter = parameter_of(value, shape)) {
      const auto found = std::ranges::find_if(shape.objects, [&](const Object& other) {
        return other.kind == Object::Kind::Argument && other.parameter == *parameter;
      });
      if (found != shape.objects.end()) // a struct that begins with a pointer is not an object
        object = static_cast<int>(found - shape.objects.begin());
    } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
               load && load->hasMetadata("gputest.object")) {
      object = static_cast<int>(llvm::mdconst::extract<llvm::ConstantInt>(
                                    load->getMetadata("gputest.object")->getOperand(0))
                                    ->getZExtValue());
    } else if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(value)) {
      const auto size = variable->getAllocationSize(variable->getModule()->getDataLayout());
      if (size)
        object = index_of(
            {variable_name(*variable), Object::Kind::PrivateVariable, 0, size->getFixedValue()},
            shape);
    } else if (const auto* constant = llvm::dyn_cast<llvm::GlobalVariable>(value)) {
      object = index_of(
          {variable_name(*constant), Object::Kind::Constant, 0,
           constant->getParent()->getDataLayout().getTypeAllocSize(constant->getValueType())},
          shape);
    }
    if (object < 0 || (origin.object >= 0 && (origin.object != object || origin.begin != value)))
      return {};
    origin = {object, const_cast<llvm::Value*>(value)};
  }
  return origin;
}

AccessSet::AccessSet(llvm::Function& item, KernelShape& shape)
    : accesses_(accesses_of(item)), cuda_(shape.language == Language::Cuda) {
  for (const Access& access : accesses_) {
    origins_.push_back(origin_of(access.pointer(), shape));
    const int object = origins_.back().object;
    const auto kind =
        object >= 0 ? shape.objects[static_cast<unsigned>(object)].kind : Object::Kind::Argument;
    generic_.push_back(!cuda_ ? access.space() == kPrivateSpace && object < 0
                              : access.space() != kLocalSpace && access.space() != kConstantSpace &&
                                    (object < 0 || (access.space() != kGlobalSpace &&
                                                    kind != Object::Kind::PrivateVariable &&
                                                    kind != Object::Kind::Constant)));
    if (access.write && origins_.back().object < 0)
      writes_anywhere_ = true;
    if (access.write)
      written_.insert(origins_.back().object);
    if (cuda_ && access.write && origins_.back().object >= 0 &&
        shape.objects[static_cast<unsigned>(origins_.back().object)].kind == Object::Kind::Argument)
      writes_anywhere_ = true;
  }
  // A copy's write is not an access of a work-item, but work-items may read the result.
  for (llvm::BasicBlock& block : item)
    for (llvm::Instruction& instruction : block)
      if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() &&
          call->getCalledFunction()->getName() == kCopyFunction) {
        const int object = origin_of(call->getArgOperand(kCopyTo), shape).object;
        written_.insert(object);
        writes_anywhere_ = writes_anywhere_ || object < 0;
      }
}

bool AccessSet::anywhere(std::size_t access) const {
  return generic_[access];
}

bool AccessSet::shared(std::size_t access) const {
  if (anywhere(access) && origins_[access].object < 0)
    return writes_anywhere_;
  if (!anywhere(access) && accesses_[access].space() != kGlobalSpace &&
      accesses_[access].space() != kLocalSpace)
    return false;
  const int object = origins_[access].object;
  return writes_anywhere_ || object < 0 || written_.contains(object);
}

} // namespace gputest::ir
