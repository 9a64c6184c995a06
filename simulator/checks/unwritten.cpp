#include "simulator/checks/unwritten.h"

#include "ir/accesses.h"
#include "ir/call.h"
#include "ir/host.h"
#include "ir/places.h"
#include "simulator/checks/report.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <optional>
#include <string>
#include <vector>

namespace gputest::simulator {
namespace {

constexpr const char *kBytes = "gputest.bytes", *kUsed = "gputest.used",
                     *kVariable = "gputest.variable";
constexpr std::uint64_t kLargestStruct = 4096; // bytes; larger ones must be written as a whole
constexpr std::size_t kMostNamed = 3;          // variables in a message

// Sets the bytes of values, which begin at `offset`.
void add_bytes(llvm::Type* type, std::uint64_t offset, const llvm::DataLayout& layout,
               std::vector<bool>& bytes) {
  if (auto* const structure = llvm::dyn_cast<llvm::StructType>(type)) {
    if (structure->hasName() && structure->getName().starts_with("union."))
      return;
    const llvm::StructLayout& places = *layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      llvm::Type* const element = structure->getElementType(i);
      // Clang writes padding after the last member as bytes, if the alignment of the type is not
      // that of its members.
      const auto* const array = llvm::dyn_cast<llvm::ArrayType>(element);
      const bool padding = i > 0 && i + 1 == structure->getNumElements() && array &&
                           array->getElementType()->isIntegerTy(8);
      if (!padding)
        add_bytes(element, offset + places.getElementOffset(i).getFixedValue(), layout, bytes);
    }
  } else if (const auto* const array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t step = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i)
      add_bytes(array->getElementType(), offset + i * step, layout, bytes);
  } else {
    const std::uint64_t end = offset + layout.getTypeStoreSize(type).getFixedValue();
    for (std::uint64_t i = offset; i < end && i < bytes.size(); ++i)
      bytes[i] = true;
  }
}

llvm::Type* pointed_to(const llvm::Value* pointer) {
  pointer = pointer->stripPointerCasts();
  if (const auto* const step = llvm::dyn_cast<llvm::GEPOperator>(pointer))
    return step->getResultElementType();
  if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(pointer))
    return variable->getAllocatedType();
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer);
  return variable ? variable->getValueType() : nullptr;
}

// Returns the bytes of members according to Clang. A member of several bytes that Clang calls chars
// may be a union. `is_known`: such a member counts.
std::optional<std::vector<bool>> bytes_of_members(const llvm::Instruction& copy, std::uint64_t size,
                                                  bool is_known) {
  const llvm::MDNode* const members = copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
  if (!members)
    return std::nullopt;
  std::vector<bool> bytes(size);
  for (unsigned i = 0; i + 2 < members->getNumOperands(); i += 3) {
    const auto number = [&](unsigned operand) {
      return llvm::mdconst::extract<llvm::ConstantInt>(members->getOperand(operand))
          ->getZExtValue();
    };
    const std::uint64_t begin = number(i), length = number(i + 1);
    const auto* const tag = llvm::dyn_cast<llvm::MDNode>(members->getOperand(i + 2));
    const auto* const type = tag && tag->getNumOperands() > 1
                                 ? llvm::dyn_cast<llvm::MDNode>(tag->getOperand(1))
                                 : nullptr;
    const auto* const name = type && type->getNumOperands() > 0
                                 ? llvm::dyn_cast<llvm::MDString>(type->getOperand(0))
                                 : nullptr;
    const bool chars = !name || name->getString() == "omnipotent char";
    for (std::uint64_t at = begin; (is_known || !chars || length == 1) && at < begin + length; ++at)
      if (at < size)
        bytes[at] = true;
  }
  return bytes;
}

// Returns the bytes that must be written; nullopt: all.
std::optional<std::vector<bool>> bytes_of(const llvm::MemTransferInst& copy,
                                          const llvm::DataLayout& layout) {
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  if (!length || length->getZExtValue() > kLargestStruct)
    return std::nullopt;
  const std::uint64_t size = length->getZExtValue();
  llvm::Type* type = nullptr;
  for (const llvm::Value* pointer : {copy.getRawDest(), copy.getRawSource()})
    if (llvm::Type* const found = pointed_to(pointer);
        found && found->isSized() && layout.getTypeAllocSize(found).getFixedValue() == size)
      type = found;
  std::optional<std::vector<bool>> bytes = bytes_of_members(copy, size, type != nullptr);
  if (type) {
    std::vector<bool> values(size);
    add_bytes(type, 0, layout, values);
    for (std::size_t i = 0; bytes && i < size; ++i)
      values[i] = values[i] && (*bytes)[i];
    bytes = std::move(values);
  }
  if (bytes && std::ranges::count(*bytes, false) == 0)
    return std::nullopt;
  return bytes;
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

// Returns the variable's name; "": it is a temporary object of the compiler's.
std::string name_of(const llvm::AllocaInst& variable) {
  const std::string name = variable.getName().split('.').first.str();
  for (const char* own : {"tmp", "ref", "agg", "retval", "coerce", "cond", "cleanup", "saved"})
    if (name == own)
      return "";
  return name;
}

// Returns the names of the variables that the values may come from, the nearest first.
std::vector<std::string> sources_of(const std::vector<const llvm::Value*>& values,
                                    KernelShape& shape) {
  std::vector<std::string> near, global;
  llvm::SmallPtrSet<const llvm::Value*, 32> seen;
  std::vector<const llvm::Value*> queue = values;
  const auto add = [](std::vector<std::string>& names, const std::string& name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end())
      names.push_back(name);
  };
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(queue[i]);
    if (!instruction || !seen.insert(instruction).second)
      continue;
    if (const llvm::MDNode* const named = instruction->getMetadata(kVariable)) {
      add(near, llvm::cast<llvm::MDString>(named->getOperand(0))->getString().str());
      continue;
    }
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      const llvm::Value* const base = llvm::getUnderlyingObject(load->getPointerOperand(), 0);
      if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(base)) {
        add(near, name_of(*variable));
      } else if (const int object = origin_of(load->getPointerOperand(), shape).object;
                 object >= 0) {
        const Object& from = shape.objects[static_cast<unsigned>(object)];
        const bool on_chip = from.kind == Object::Kind::LocalVariable ||
                             load->getPointerAddressSpace() == kLocalSpace;
        if (on_chip)
          add(near, from.name);
        else if (from.kind == Object::Kind::Argument && shape.language == Language::Cuda)
          add(global, from.name);
      }
      continue;
    }
    for (const llvm::Value* operand : instruction->operand_values())
      queue.push_back(operand);
  }
  return near.empty() ? global : near;
}

unsigned message_about(KernelShape& shape, const std::vector<std::string>& names, const char* use) {
  std::string all;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
    all += fmt::format("{}'{}'", i == 0 ? " of " : " or ", names[i]);
  return number_of_message(
      shape, {"uninitialized",
              fmt::format("uses a value{} here that nobody has written: it {}", all, use)});
}

} // namespace

void note_padding(llvm::Function& item) {
  llvm::LLVMContext& context = item.getContext();
  for (llvm::Instruction& instruction : llvm::instructions(item)) {
    auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction);
    if (!copy || copy->isVolatile())
      continue;
    const auto bytes = bytes_of(*copy, item.getParent()->getDataLayout());
    if (!bytes)
      continue;
    std::vector<llvm::Metadata*> ranges;
    const auto number = [&](std::size_t value) {
      ranges.push_back(llvm::ConstantAsMetadata::get(
          llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value)));
    };
    for (std::size_t at = 0; at < bytes->size();) {
      std::size_t end = at;
      while (end < bytes->size() && (*bytes)[end])
        ++end;
      if (end > at) {
        number(at);
        number(end - at);
      }
      at = std::max(end, at + 1);
    }
    copy->setMetadata(kBytes, llvm::MDNode::get(context, ranges));
    copy->setVolatile(llvm::ConstantInt::getTrue(context));
  }
}

void check_output_copies(llvm::Function& item, KernelShape& shape) {
  std::vector<llvm::MemTransferInst*> copies;
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
      copies.push_back(copy);
  for (llvm::MemTransferInst* copy : copies) {
    const llvm::MDNode* const ranges = copy->getMetadata(kBytes);
    if (ranges)
      copy->setVolatile(llvm::ConstantInt::getFalse(item.getContext()));
    if (copy->getDestAddressSpace() != kGlobalSpace ||
        copy->getSourceAddressSpace() == kConstantSpace)
      continue;
    llvm::IRBuilder<> builder(copy);
    llvm::Value* const from = builder.CreateAddrSpaceCast(copy->getRawSource(), builder.getPtrTy());
    const llvm::Value* const base = llvm::getUnderlyingObject(copy->getRawSource(), 0);
    std::vector<std::string> names;
    if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(base))
      names.push_back(name_of(*variable));
    else if (const int object = origin_of(copy->getRawSource(), shape).object; object >= 0)
      names.push_back(shape.objects[static_cast<unsigned>(object)].name);
    std::erase(names, "");
    const unsigned message = message_about(shape, names, "is stored to global memory");
    const auto check = [&](llvm::Value* begin, llvm::Value* size) {
      llvm::CallInst* const call =
          call_by_name(builder, "gputest_copied_out", builder.getVoidTy(),
                       {item.getArg(0), begin, size, builder.getInt32(site_of(*copy, shape)),
                        builder.getInt32(message)});
      call->setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(item.getContext(), {}));
    };
    for (unsigned i = 0; ranges && i + 1 < ranges->getNumOperands(); i += 2) {
      const auto number = [&](unsigned operand) {
        return llvm::mdconst::extract<llvm::ConstantInt>(ranges->getOperand(operand));
      };
      check(
          builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), from, number(i)->getZExtValue()),
          number(i + 1));
    }
    if (!ranges)
      check(from, builder.CreateZExt(copy->getLength(), builder.getInt64Ty()));
  }
}

void mark_uses(llvm::Function& item) {
  for (llvm::Instruction& instruction : llvm::instructions(item))
    if (may_use(instruction) && !instruction.hasMetadata(llvm::LLVMContext::MD_nosanitize))
      instruction.setMetadata(kUsed, llvm::MDNode::get(item.getContext(), {}));
}

unsigned message_of_use(const llvm::Instruction& at, KernelShape& shape) {
  const llvm::BasicBlock* block = at.getParent();
  const llvm::Instruction* next = at.getNextNode();
  for (std::size_t steps = 0; block && steps < 64; ++steps) {
    for (; next; next = next->getNextNode())
      if (next->hasMetadata(kUsed)) {
        const Use use = use_of(*next);
        return message_about(shape, sources_of(use.values, shape), use.text);
      }
    // A check goes on in the last successor of its branch.
    const llvm::Instruction* const end = block->getTerminator();
    block = end->getNumSuccessors() > 0 ? end->getSuccessor(end->getNumSuccessors() - 1) : nullptr;
    next = block ? &block->front() : nullptr;
  }
  return message_about(shape, {},
                       "decides what comes next, is part of an address, or is stored to global "
                       "memory");
}

void set_variable(llvm::Instruction& value, const llvm::AllocaInst& variable) {
  llvm::LLVMContext& context = value.getContext();
  if (const std::string name = name_of(variable); !name.empty())
    value.setMetadata(kVariable, llvm::MDNode::get(context, {llvm::MDString::get(context, name)}));
}

} // namespace gputest::simulator
