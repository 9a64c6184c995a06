// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/protect.h"

#include "ir/accesses.h"
#include "ir/optimise.h"
#include "simulator/checks/chosen.h"

#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <utility>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr const char *kUse = "gputest_use.", *kOperation = "gputest_operation.";

llvm::CallInst* call_of(Builder& builder, const std::string& name, llvm::Type* result,
                        llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  std::vector<llvm::Type*> types;
  std::string full = name;
  llvm::raw_string_ostream stream(full);
  for (llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
    argument->getType()->print(stream);
    stream << '.';
  }
  auto* const function = llvm::cast<llvm::Function>(
      module.getOrInsertFunction(full, llvm::FunctionType::get(result, types, false)).getCallee());
  // LLVM only knows that the function does not change memory, so calls stay.
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::WillReturn);
  return builder.CreateCall(function, arguments);
}

// Finds variables that are written and never read.
class WriteOnly {
public:
  bool holds(const llvm::Value* pointer) {
    const auto* const variable =
        llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, 0));
    if (!variable)
      return false;
    const auto [known, is_new] = known_.try_emplace(variable, false);
    if (is_new)
      known->second = is_never_read(*variable);
    return known_[variable];
  }

private:
  static bool is_never_read(const llvm::Value& pointer) {
    return llvm::all_of(pointer.users(), [&](const llvm::User* user) {
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
        return store->getValueOperand() != &pointer && !store->isVolatile();
      if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user))
        return copy->getRawSource() != &pointer;
      if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user))
        return llvm::isa<llvm::MemSetInst>(intrinsic) || intrinsic->isLifetimeStartOrEnd() ||
               intrinsic->isDebugOrPseudoInst();
      return (llvm::isa<llvm::GEPOperator>(user) || llvm::isa<llvm::AddrSpaceCastOperator>(user)) &&
             is_never_read(*user);
    });
  }

  llvm::DenseMap<const llvm::AllocaInst*, bool> known_;
};

class Protector {
public:
  Protector(llvm::Function& item, const Checks& checks)
      : item_(item), layout_(item.getParent()->getDataLayout()), checks_(checks) {}

  void run() {
    const auto need = [&](bool Needs::* what) {
      return std::ranges::any_of(checks_, [&](const Check* one) { return one->needs.*what; });
    };
    if (need(&Needs::places)) {
      add_members();
      add_components();
    }
    hide_operations();
    if (need(&Needs::reads))
      use_what_is_read();
  }

private:
  // Adds a use for reads on which only a branch depends.
  void use_what_is_read() {
    WriteOnly write_only;
    llvm::SetVector<const llvm::Instruction*> needed;
    for (const llvm::Instruction& instruction : llvm::instructions(item_))
      if (has_effect(instruction, write_only))
        needed.insert(&instruction);
    for (std::size_t i = 0; i < needed.size(); ++i)
      for (const llvm::Value* operand : needed[i]->operands())
        if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand))
          needed.insert(instruction);
    for (const ir::Access& access : ir::accesses_of(item_)) {
      if (access.write || needed.contains(access.instruction))
        continue;
      if (auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(access.instruction))
        copy->setVolatile(llvm::ConstantInt::getTrue(item_.getContext()));
      if (!llvm::isa<llvm::LoadInst>(access.instruction))
        continue;
      Builder builder(access.instruction->getNextNode());
      call_of(builder, kUse, builder.getVoidTy(), {access.instruction});
    }
  }

  static bool has_effect(const llvm::Instruction& instruction, WriteOnly& write_only) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return store->isVolatile() || !write_only.holds(store->getPointerOperand());
    if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
      return !write_only.holds(memory->getRawDest());
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        intrinsic && (intrinsic->isLifetimeStartOrEnd() || intrinsic->isDebugOrPseudoInst()))
      return false;
    return llvm::isa<llvm::ReturnInst>(instruction) ||
           (instruction.mayHaveSideEffects() && !llvm::isa<llvm::LoadInst>(instruction));
  }

  // Finds the innermost array member of a struct into which `pointer` points.
  struct Inside {
    llvm::Value* begin = nullptr;
    std::uint64_t size = 0;
  };
  std::optional<Inside> member_of(llvm::Value* pointer, llvm::Instruction& before) const {
    for (llvm::Value* at = pointer;;) {
      if (auto* const cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(at)) {
        at = cast->getPointerOperand();
        continue;
      }
      auto* const step = llvm::dyn_cast<llvm::GEPOperator>(at);
      if (!step)
        return std::nullopt;
      unsigned found = 0, operand = 1;
      std::uint64_t size = 0;
      for (auto type = llvm::gep_type_begin(step), end = llvm::gep_type_end(step); type != end;
           ++type, ++operand) {
        llvm::StructType* const whole = type.getStructTypeOrNull();
        const auto* const array = llvm::dyn_cast<llvm::ArrayType>(type.getIndexedType());
        if (!whole || !array)
          continue;
        // `char rest[1]` at the end of a struct has as many elements as there is memory.
        const auto* const index = llvm::cast<llvm::ConstantInt>(type.getOperand());
        if (index->getZExtValue() + 1 == whole->getNumElements() && array->getNumElements() <= 1)
          continue;
        found = operand;
        size = layout_.getTypeAllocSize(type.getIndexedType());
      }
      if (found) {
        Builder builder(&before);
        const llvm::SmallVector<llvm::Value*> indices(step->idx_begin(), step->idx_begin() + found);
        return Inside{
            builder.CreateGEP(step->getSourceElementType(), step->getPointerOperand(), indices),
            size};
      }
      at = step->getPointerOperand();
    }
  }

  // Finds the variable that an access at a constant place is of.
  std::optional<Inside> variable_of(const ir::Access& access) const {
    llvm::APInt offset(64, 0);
    llvm::Value* const base =
        access.pointer()->stripAndAccumulateConstantOffsets(layout_, offset, true);
    if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(base))
      if (const auto size = variable->getAllocationSize(layout_))
        return Inside{base, size->getFixedValue()};
    if (auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(base))
      return Inside{base, layout_.getTypeAllocSize(variable->getValueType())};
    return std::nullopt;
  }

  // Finds the rows that the access's own subscripts choose an element of: in `a[y][x]` the row
  // `a[y]`. Pointer arithmetic, as in `*(a[y] + x)` or `p[x]` after `p = a[y]`, may leave a row.
  std::vector<Inside> rows_of(const ir::Access& access) const {
    std::vector<Inside> rows;
    auto* step = llvm::dyn_cast<llvm::GEPOperator>(access.pointer());
    while (step && step->getNumIndices() > 1) {
      bool is_member = ends_at_member(*step); // what the operand indexes; it has a check as such
      const llvm::Type* whole = nullptr;
      unsigned operand = 1;
      for (auto type = llvm::gep_type_begin(step), end = llvm::gep_type_end(step); type != end;
           ++type, ++operand) {
        const auto* const array =
            llvm::dyn_cast_or_null<llvm::ArrayType>(std::exchange(whole, type.getIndexedType()));
        const bool of_member = std::exchange(is_member, operand > 1 ? type.isStruct() : is_member);
        if (!array || of_member || array->getNumElements() <= 1)
          continue;
        const std::uint64_t size = layout_.getTypeAllocSize(const_cast<llvm::ArrayType*>(array));
        Builder builder(access.instruction);
        const llvm::SmallVector<llvm::Value*> indices(step->idx_begin(),
                                                      step->idx_begin() + (operand - 1));
        const Inside row{
            builder.CreateGEP(step->getSourceElementType(), step->getPointerOperand(), indices),
            size};
        if (!stays_inside(access, row) && !is_whole(row))
          rows.push_back(row);
      }
      const auto* const first = llvm::dyn_cast<llvm::ConstantInt>(*step->idx_begin());
      step = first && first->isZero() ? llvm::dyn_cast<llvm::GEPOperator>(step->getPointerOperand())
                                      : nullptr;
    }
    return rows;
  }

  static bool ends_at_member(const llvm::GEPOperator& step) {
    const auto* const base = llvm::dyn_cast<llvm::GEPOperator>(step.getPointerOperand());
    if (!base)
      return false;
    bool ends = false;
    for (auto type = llvm::gep_type_begin(base); type != llvm::gep_type_end(base); ++type)
      ends = type.isStruct();
    return ends;
  }

  // Whether it is a variable, which has a check of its own.
  bool is_whole(const Inside& inside) const {
    const llvm::Value* const begin = inside.begin->stripPointerCasts();
    if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(begin))
      return variable->getAllocationSize(layout_) == llvm::TypeSize::getFixed(inside.size);
    const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(begin);
    return variable && layout_.getTypeAllocSize(variable->getValueType()) == inside.size;
  }

  void add_members() {
    const bool holds_pointers = stores_pointers(item_);
    for (const ir::Access& access : ir::accesses_of(item_, true)) {
      std::vector<Inside> all = rows_of(access);
      std::optional<Inside> inside = member_of(access.pointer(), *access.instruction);
      if (inside && stays_inside(access, *inside))
        inside.reset();
      if (!inside)
        inside = variable_of(access);
      if (inside && !(stays_inside(access, *inside) && is_aligned(access)))
        all.push_back(*inside);
      Builder builder(access.instruction);
      if (all.empty() && !inside && is_chosen(access.pointer(), holds_pointers))
        access.instruction->setOperand(
            access.operand,
            call_of(builder, ir::kChosen, access.pointer()->getType(), {access.pointer()}));
      for (const Inside& one : all)
        access.instruction->setOperand(
            access.operand, call_of(builder, ir::kMember, access.pointer()->getType(),
                                    {access.pointer(), one.begin, builder.getInt64(one.size)}));
    }
  }

  bool stays_inside(const ir::Access& access, const Inside& inside) const {
    const auto* const size = llvm::dyn_cast<llvm::ConstantInt>(access.size);
    llvm::APInt at(64, 0), begin(64, 0);
    const llvm::Value* const base =
        access.pointer()->stripAndAccumulateConstantOffsets(layout_, at, true);
    if (!size || base != inside.begin->stripAndAccumulateConstantOffsets(layout_, begin, true))
      return false;
    at -= begin;
    return at.isNonNegative() && at.getZExtValue() + size->getZExtValue() <= inside.size;
  }

  bool is_aligned(const ir::Access& access) const {
    llvm::APInt at(64, 0);
    const llvm::Value* const base =
        access.pointer()->stripAndAccumulateConstantOffsets(layout_, at, true);
    return at.urem(access.alignment) == 0 &&
           base->getPointerAlignment(layout_).value() >= access.alignment;
  }

  // v[i]
  void add_components() {
    std::vector<std::pair<llvm::Instruction*, unsigned>> indices;
    for (llvm::Instruction& instruction : llvm::instructions(item_))
      if (!instruction.hasMetadata(ir::kLibrary)) {
        if (llvm::isa<llvm::ExtractElementInst>(instruction))
          indices.emplace_back(&instruction, 1);
        if (llvm::isa<llvm::InsertElementInst>(instruction))
          indices.emplace_back(&instruction, 2);
      }
    for (const auto& [instruction, operand] : indices) {
      llvm::Value* const index = instruction->getOperand(operand);
      const std::uint64_t count =
          llvm::cast<llvm::FixedVectorType>(instruction->getOperand(0)->getType())
              ->getNumElements();
      if (const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(index);
          constant && constant->getValue().ult(count))
        continue;
      Builder builder(instruction);
      llvm::CallInst* const call =
          call_of(builder, ir::kComponent, index->getType(), {index, builder.getInt64(count)});
      set_defined(*call);
      instruction->setOperand(operand, call);
    }
  }

  bool is_looked_at(const llvm::BinaryOperator& operation) const {
    return std::ranges::any_of(checks_, [&](const Check* check) {
      return check->needs.operation && check->needs.operation(operation);
    });
  }

  void hide_operations() {
    std::vector<llvm::BinaryOperator*> operations;
    for (llvm::Instruction& instruction : llvm::instructions(item_))
      if (auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
          operation && !operation->hasMetadata(ir::kLibrary) && is_looked_at(*operation))
        operations.push_back(operation);
    for (llvm::BinaryOperator* operation : operations) {
      Builder builder(operation);
      llvm::Value* right = operation->getOperand(1);
      if (operation->isShift())
        right = llvm::cast<llvm::Instruction>(right)->getOperand(0);
      llvm::CallInst* const call =
          call_of(builder, kOperation + std::to_string(operation->getOpcode()) + ".",
                  operation->getType(), {operation->getOperand(0), right});
      operation->replaceAllUsesWith(call);
      operation->eraseFromParent();
    }
  }

  llvm::Function& item_;
  const llvm::DataLayout& layout_;
  const Checks& checks_;
};

// Restores the operation of `call` and, for a shift, the mask that keeps the amount within the
// width.
llvm::BinaryOperator* operation_of(llvm::CallInst& call, llvm::StringRef name) {
  unsigned opcode = 0;
  name.drop_front(llvm::StringRef(kOperation).size()).consumeInteger(10, opcode);
  const auto kind = static_cast<llvm::Instruction::BinaryOps>(opcode);
  llvm::Value* right = call.getArgOperand(1);
  const auto insert = [&](llvm::BinaryOperator* operation) {
    operation->setDebugLoc(call.getDebugLoc());
    operation->insertBefore(&call);
    return operation;
  };
  if (llvm::Instruction::isShift(kind)) // not folded even for constants, because it may be a fault
                                        // to find
    right = insert(llvm::BinaryOperator::CreateAnd(
        right,
        llvm::ConstantInt::get(right->getType(), call.getType()->getScalarSizeInBits() - 1)));
  llvm::BinaryOperator* const operation =
      insert(llvm::BinaryOperator::Create(kind, call.getArgOperand(0), right));
  if (kind == llvm::Instruction::Add || kind == llvm::Instruction::Sub ||
      kind == llvm::Instruction::Mul)
    operation->setHasNoSignedWrap();
  return operation;
}

} // namespace

void protect(llvm::Function& item, const Checks& checks) {
  ir::promote_variables(item);
  Protector(item, checks).run();
}

std::vector<llvm::BinaryOperator*> unprotect(llvm::Function& item) {
  std::vector<llvm::BinaryOperator*> operations;
  std::vector<llvm::CallInst*> done;
  for (llvm::Instruction& instruction : llvm::instructions(item)) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || !call->getCalledFunction())
      continue;
    const llvm::StringRef name = call->getCalledFunction()->getName();
    if (name.starts_with(kUse) || name.starts_with(kOperation))
      done.push_back(call);
  }
  for (llvm::CallInst* call : done) {
    const llvm::StringRef name = call->getCalledFunction()->getName();
    if (name.starts_with(kOperation)) {
      operations.push_back(operation_of(*call, name));
      call->replaceAllUsesWith(operations.back());
    }
    call->eraseFromParent();
  }
  return operations;
}

void set_defined(llvm::CallInst& call) {
  for (unsigned i = 0; i < call.arg_size(); ++i)
    call.addParamAttr(i, llvm::Attribute::NoUndef);
  if (!call.getType()->isVoidTy())
    call.addRetAttr(llvm::Attribute::NoUndef);
}

} // namespace gputest::simulator
