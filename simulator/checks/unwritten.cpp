// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/unwritten.h"

#include "ir/accesses.h"
#include "ir/call.h"
#include "ir/host.h"
#include "ir/places.h"
#include "ir/protected.h"
#include "simulator/checks/report.h"
#include "simulator/checks/value_sources.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <optional>

namespace gputest::simulator {
namespace {

constexpr const char* kUsed = "gputest.used";
constexpr std::uint64_t kLargestStruct = 4096; // bytes; padding of larger ones is not known
constexpr std::size_t kMostNamed = 3;          // variables in a message

llvm::Type* pointed_to(const llvm::Value* pointer) {
  pointer = pointer->stripPointerCasts();
  if (const auto* const step = llvm::dyn_cast<llvm::GEPOperator>(pointer))
    return step->getResultElementType();
  if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(pointer))
    return variable->getAllocatedType();
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer);
  return variable ? variable->getValueType() : nullptr;
}

// Returns for each byte whether it is that of a member according to Clang; none: Clang does not
// say.
std::vector<bool> bytes_of_members(const llvm::Instruction& copy, std::uint64_t size) {
  const llvm::MDNode* const members = copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
  std::vector<bool> bytes(members ? size : 0);
  for (unsigned i = 0; members && i + 2 < members->getNumOperands(); i += 3) {
    const auto number = [&](unsigned operand) {
      return llvm::mdconst::extract<llvm::ConstantInt>(members->getOperand(operand))
          ->getZExtValue();
    };
    for (std::uint64_t at = number(i), end = at + number(i + 1); at < std::min(end, size); ++at)
      bytes[at] = true;
  }
  return bytes;
}

// Returns what IR says about the bytes of a struct that is copied to or from `pointer`; "":
// nothing.
std::string bytes_behind(llvm::Value* pointer, std::uint64_t size, std::uint64_t alignment,
                         const llvm::DataLayout& layout) {
  llvm::Type* const type = pointed_to(pointer);
  return type && type->isSized() && layout.getTypeAllocSize(type).getFixedValue() == size &&
                 !type->isArrayTy()
             ? ir::bytes_in(type, layout, alignment)
             : "";
}

// Writes zeros to bytes from `offset` behind `to`, of which `bytes` tells what they are.
void clear_bytes(llvm::IRBuilder<>& builder, llvm::Value* to, std::uint64_t offset,
                 const std::string& bytes, bool (*is_cleared)(ir::ByteOf byte)) {
  const auto clears = [&](std::size_t at) {
    return is_cleared(static_cast<ir::ByteOf>(bytes[at]));
  };
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t end = at;
    while (end < bytes.size() && clears(end))
      ++end;
    if (end > at)
      builder.CreateMemSet(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), to, offset + at),
                           builder.getInt8(0), end - at, {});
    at = std::max(end, at + 1);
  }
}

// Whether clear_padding() has written the variable's padding.
bool has_clear_padding(const llvm::AllocaInst& variable) {
  return !variable.isArrayAllocation() &&
         variable.getDataLayout().getTypeAllocSize(variable.getAllocatedType()).getFixedValue() <=
             kLargestStruct;
}

// A bit-field is written with the rest of its integer: x = (x & mask) | value. Returns the
// operation with the mask, or null if the store writes none. What others of the same integer hold
// need not be written.
llvm::Instruction* rest_of_bits(const llvm::StoreInst& store) {
  const llvm::Value* const pointer = store.getPointerOperand();
  const auto* const step = llvm::dyn_cast<llvm::GEPOperator>(pointer);
  const llvm::Type* const type = pointed_to(pointer);
  if (!(type && type->isStructTy()) && !(step && step->getSourceElementType()->isStructTy()))
    return nullptr;
  const auto* both = llvm::dyn_cast<llvm::BinaryOperator>(store.getValueOperand());
  if (both && both->getOpcode() == llvm::Instruction::Or)
    both = llvm::dyn_cast<llvm::BinaryOperator>(both->getOperand(0));
  const auto* const load = both && both->getOpcode() == llvm::Instruction::And &&
                                   llvm::isa<llvm::ConstantInt>(both->getOperand(1))
                               ? llvm::dyn_cast<llvm::LoadInst>(both->getOperand(0))
                               : nullptr;
  return load && load->getPointerOperand() == pointer ? const_cast<llvm::BinaryOperator*>(both)
                                                      : nullptr;
}

struct Copied {
  std::uint64_t begin, size;
};

// Returns the parts that must be written: all that is not padding. Memory of variables has padding
// that counts as written (define_padding()). Of other memory, types say where padding is.
std::vector<Copied> parts_of(const llvm::MemTransferInst& copy, std::uint64_t size,
                             bool is_variable, const llvm::DataLayout& layout) {
  const std::vector<bool> members = bytes_of_members(copy, size);
  std::string bytes(size, static_cast<char>(ir::ByteOf::Value));
  if (!is_variable) {
    const std::uint64_t alignment =
        std::max(copy.getDestAlign().valueOrOne(), copy.getSourceAlign().valueOrOne()).value();
    bytes = bytes_behind(copy.getRawDest(), size, alignment, layout);
    if (bytes.empty())
      bytes = bytes_behind(copy.getRawSource(), size, alignment, layout);
  }
  std::vector<Copied> parts;
  for (std::uint64_t at = 0; at < bytes.size(); ++at) {
    if (bytes[at] != static_cast<char>(ir::ByteOf::Value) || (!members.empty() && !members[at]))
      continue;
    if (parts.empty() || parts.back().begin + parts.back().size != at)
      parts.push_back({at, 0});
    ++parts.back().size;
  }
  return parts;
}

struct Use {
  const char* text;
  std::vector<const llvm::Value*> values;
};

Use use_of(const llvm::Instruction& instruction) {
  if (const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
    return {"decides what comes next", {branch->getCondition()}};
  if (const auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
    return {"decides what comes next", {choice->getCondition()}};
  if (const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction))
    return {"is part of an address", {pointer}};
  if (llvm::isa<llvm::BinaryOperator>(instruction))
    return {"is a divisor", {instruction.getOperand(1)}};
  std::vector<const llvm::Value*> operands(instruction.operand_values().begin(),
                                           instruction.operand_values().end());
  if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      call && call->getCalledFunction()) {
    const llvm::StringRef name = call->getCalledFunction()->getName();
    operands.pop_back(); // the function
    if (name.starts_with("gputest_output."))
      return {"is stored to global memory", std::move(operands)};
    if (name.starts_with(kDecides))
      return {"decides what comes next", std::move(operands)};
    if (name.starts_with("gputest_updated."))
      return {"is read by an atomic function", std::move(operands)};
    return {"is given to a function", std::move(operands)};
  }
  return {"is used by an atomic function", std::move(operands)};
}

bool may_use(const llvm::Instruction& instruction) {
  if (const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
    return branch->isConditional();
  const unsigned code = instruction.getOpcode();
  return llvm::isa<llvm::SwitchInst, llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst,
                   llvm::AtomicCmpXchgInst>(instruction) ||
         code == llvm::Instruction::SDiv || code == llvm::Instruction::UDiv ||
         code == llvm::Instruction::SRem || code == llvm::Instruction::URem ||
         (llvm::isa<llvm::CallInst>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction));
}

// `origin` and `cause`: as ValueSources has them; empty: not known.
unsigned message_about(ir::KernelShape& shape, const std::vector<std::string>& names,
                       const char* use, const std::string& origin = "",
                       const std::string& cause = "") {
  std::string all;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
    all += fmt::format("{}'{}'", i == 0 ? " of " : " or ", names[i]);
  return number_of_message(
      shape, {"uninitialized",
              fmt::format("uses a value{} here that nobody has written: it {}{}", all, use, origin),
              cause});
}

// Structs and arrays of up to this many values get them one by one.
constexpr std::size_t kMostValues = 64;

// Whether the optimiser may replace the memory by values. Then it takes a value that is unwritten
// in one way alone for that of the other ways. Memory that stays is tracked by bytes.
bool may_become_values(const llvm::Instruction& pointer,
                       llvm::SmallPtrSetImpl<const llvm::Instruction*>& seen);

// The same if a pointer to the memory is stored, for example in a parameter of a function.
bool stays_known(const llvm::Value* variable,
                 llvm::SmallPtrSetImpl<const llvm::Instruction*>& seen) {
  return llvm::isa<llvm::AllocaInst>(variable) &&
         llvm::all_of(variable->users(), [&](const llvm::User* user) {
           const auto& instruction = *llvm::cast<llvm::Instruction>(user);
           if (llvm::isa<llvm::LoadInst>(instruction))
             return may_become_values(instruction, seen);
           const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
           return (store && store->getPointerOperand() == variable) ||
                  instruction.isLifetimeStartOrEnd();
         });
}

bool may_become_values(const llvm::Instruction& pointer,
                       llvm::SmallPtrSetImpl<const llvm::Instruction*>& seen) {
  return !seen.insert(&pointer).second || llvm::all_of(pointer.uses(), [&](const llvm::Use& use) {
    const auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
    if (const auto* const step = llvm::dyn_cast<llvm::GetElementPtrInst>(&user))
      return step->hasAllConstantIndices() && may_become_values(user, seen);
    if (llvm::isa<llvm::CastInst, llvm::PHINode, llvm::SelectInst>(user))
      return user.getType()->isPointerTy() && may_become_values(user, seen);
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&user))
      return use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex()
                 ? !store->isAtomic()
                 : stays_known(store->getPointerOperand(), seen);
    if (const auto* const memory = llvm::dyn_cast<llvm::MemIntrinsic>(&user))
      return llvm::isa<llvm::ConstantInt>(memory->getLength());
    return llvm::isa<llvm::LoadInst>(user) || user.isLifetimeStartOrEnd();
  });
}

} // namespace

bool has_no_fourth(const llvm::ShuffleVectorInst& shuffle) {
  const int fourth = shuffle.getShuffleMask()[3];
  const auto width = static_cast<int>(
      llvm::cast<llvm::FixedVectorType>(shuffle.getOperand(0)->getType())->getNumElements());
  return fourth < 0 || (fourth >= width && llvm::isa<llvm::UndefValue>(shuffle.getOperand(1)));
}

std::vector<ir::ValueInType> values_of(const llvm::AllocaInst& variable) {
  llvm::SmallPtrSet<const llvm::Instruction*, 32> seen;
  if (variable.isArrayAllocation() ||
      (!variable.getAllocatedType()->isSingleValueType() && !may_become_values(variable, seen)))
    return {};
  return ir::values_in(variable.getAllocatedType(), variable.getDataLayout(),
                       variable.getAlign().value(), kMostValues);
}

void clear_padding(llvm::IRBuilder<>& builder, llvm::AllocaInst& variable) {
  llvm::Type* const type = variable.getAllocatedType();
  const std::uint64_t size = variable.getDataLayout().getTypeAllocSize(type).getFixedValue();
  if (type->isSingleValueType() || !has_clear_padding(variable))
    return;
  const std::string bytes =
      ir::bytes_in(type, variable.getDataLayout(), variable.getAlign().value());
  for (std::uint64_t at = 0; !ir::has_values_only(bytes) && at + bytes.size() <= size;
       at += bytes.size())
    clear_bytes(builder, &variable, at, bytes,
                [](ir::ByteOf byte) { return byte != ir::ByteOf::Value; });
}

void define_padding(llvm::Function& item) {
  const llvm::DataLayout& layout = item.getParent()->getDataLayout();
  std::vector<llvm::MemTransferInst*> copies;
  std::vector<llvm::StoreInst*> stores;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
      copies.push_back(copy);
    else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      stores.push_back(store);
  for (llvm::StoreInst* store : stores) {
    llvm::IRBuilder<> builder(store);
    if (auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(store->getValueOperand());
        shuffle && shuffle->getShuffleMask().size() == 4 && has_no_fourth(*shuffle))
      store->setOperand(0, builder.CreateInsertElement(
                               shuffle,
                               llvm::Constant::getNullValue(shuffle->getType()->getElementType()),
                               std::uint64_t{3}));
    if (llvm::Instruction* const rest = rest_of_bits(*store)) {
      builder.SetInsertPoint(rest);
      rest->setOperand(0, builder.CreateFreeze(rest->getOperand(0)));
    }
  }
  for (llvm::MemTransferInst* copy : copies) {
    const auto* const size = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    const auto* const from =
        llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(copy->getRawSource(), 0));
    if (!size || size->getZExtValue() > kLargestStruct || (from && has_clear_padding(*from)) ||
        !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(copy->getRawDest(), 0)))
      continue;
    llvm::IRBuilder<> builder(copy->getNextNode());
    clear_bytes(builder, copy->getRawDest(), 0,
                bytes_behind(copy->getRawDest(), size->getZExtValue(),
                             copy->getDestAlign().valueOrOne().value(), layout),
                [](ir::ByteOf byte) { return byte == ir::ByteOf::Padding; });
  }
}

void check_output_copies(llvm::Function& item, ir::KernelShape& shape) {
  const llvm::DataLayout& layout = item.getParent()->getDataLayout();
  std::vector<llvm::MemTransferInst*> copies;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction);
        copy && copy->getDestAddressSpace() == ir::kGlobalSpace &&
        copy->getSourceAddressSpace() != ir::kConstantSpace)
      copies.push_back(copy);
  for (llvm::MemTransferInst* copy : copies) {
    llvm::IRBuilder<> builder(copy);
    llvm::Value* const from = builder.CreateAddrSpaceCast(copy->getRawSource(), builder.getPtrTy());
    const llvm::Value* const base = llvm::getUnderlyingObject(copy->getRawSource(), 0);
    std::vector<std::string> names;
    bool is_variable = false;
    if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(base)) {
      names.push_back(name_of(*variable));
      is_variable = has_clear_padding(*variable);
    } else if (const int number = ir::origin_of(copy->getRawSource(), shape).object; number >= 0) {
      const ir::Object& object = shape.objects[static_cast<unsigned>(number)];
      names.push_back(object.name);
      is_variable = object.kind == ir::Object::Kind::LocalVariable && object.size > 0;
    }
    std::erase(names, "");
    const unsigned message = message_about(shape, names, "is stored to global memory");
    const auto check = [&](llvm::Value* begin, llvm::Value* size) {
      llvm::CallInst* const call = ir::call_by_name(
          builder, "gputest_copied_out", builder.getVoidTy(),
          {item.getArg(0), begin, size, builder.getInt32(ir::site_of(*copy, shape)),
           builder.getInt32(message)});
      call->setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(item.getContext(), {}));
    };
    const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
    if (length && length->getZExtValue() <= kLargestStruct)
      for (const Copied& part : parts_of(*copy, length->getZExtValue(), is_variable, layout))
        check(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), from, part.begin),
              builder.getInt64(part.size));
    else if (is_variable)
      check(from, builder.CreateZExt(copy->getLength(), builder.getInt64Ty()));
  }
}

void mark_choices(llvm::Function& item) {
  std::vector<llvm::SelectInst*> choices;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (auto* const choice = llvm::dyn_cast<llvm::SelectInst>(&instruction);
        choice && choice->getCondition()->getType()->isIntegerTy() &&
        !choice->hasMetadata(ir::kLibrary))
      choices.push_back(choice);
  for (llvm::SelectInst* choice : choices) {
    llvm::IRBuilder<> builder(choice);
    llvm::CallInst* const call =
        ir::call_by_name(builder, kDecides, builder.getVoidTy(), {choice->getCondition()});
    llvm::Function& decides = *call->getCalledFunction();
    decides.setOnlyAccessesInaccessibleMemory(); // it stays, and memory keeps its values
    decides.setDoesNotThrow();
    decides.addFnAttr(llvm::Attribute::WillReturn);
    decides.addParamAttr(0, llvm::Attribute::NoUndef);
    call->addParamAttr(0, llvm::Attribute::NoUndef);
  }
}

void leave_followed_choices(llvm::Function& item) {
  const auto is_mark = [](const llvm::User* user) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    return call && ir::is_call(*call, kDecides);
  };
  std::vector<llvm::Instruction*> followed;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (is_mark(&instruction) && !llvm::all_of(instruction.getOperand(0)->users(), is_mark))
      followed.push_back(&instruction);
  for (llvm::Instruction* mark : followed)
    mark->eraseFromParent();
}

void mark_uses(llvm::Function& item) {
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (may_use(instruction) && !instruction.hasMetadata(llvm::LLVMContext::MD_nosanitize))
      instruction.setMetadata(kUsed, llvm::MDNode::get(item.getContext(), {}));
}

UseReport report_of_use(const llvm::Instruction& at, ir::KernelShape& shape) {
  const llvm::BasicBlock* block = at.getParent();
  const llvm::Instruction* next = at.getNextNode();
  for (std::size_t steps = 0; block && steps < 64; ++steps) {
    for (; next; next = next->getNextNode())
      if (next->hasMetadata(kUsed)) {
        const Use use = use_of(*next);
        const ValueSources sources(use.values, *next, shape);
        return {message_about(shape, sources.names(), use.text, sources.text(), sources.cause()),
                sources.read()};
      }
    // A check goes on in the last successor of its branch.
    const llvm::Instruction* const end = block->getTerminator();
    block = end->getNumSuccessors() > 0 ? end->getSuccessor(end->getNumSuccessors() - 1) : nullptr;
    next = block ? &block->front() : nullptr;
  }
  return {message_about(shape, {},
                        "decides what comes next, is part of an address, or is stored to global "
                        "memory"),
          nullptr};
}

} // namespace gputest::simulator
