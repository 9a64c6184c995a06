// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/equivalence/defined.h"

#include "frontend/llvm_version.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <string>
#include <vector>

namespace gputest::passes {
namespace {

constexpr llvm::StringRef kAccess = "gputest_access";
constexpr llvm::StringRef kAssume = "gputest_assume";
constexpr llvm::StringRef kUnreachable = "gputest_unreachable";
constexpr llvm::StringRef kDivisor = "gputest_divisor.";
constexpr llvm::StringRef kAmount = "gputest_amount.";

std::vector<llvm::Instruction*> instructions_of(llvm::Function& function) {
  std::vector<llvm::Instruction*> all;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    all.push_back(&instruction);
  return all;
}

// Whether all these bytes are within one variable.
bool is_within_variable(llvm::Value& address, llvm::Value& size, const llvm::DataLayout& layout) {
  const auto* const bytes = llvm::dyn_cast<llvm::ConstantInt>(&size);
  if (!bytes)
    return false;
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
  const llvm::Value* const base =
      address.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  llvm::Type* type = nullptr;
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(base);
      variable && !variable->isArrayAllocation())
    type = variable->getAllocatedType();
  else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base))
    type = global->getValueType();
  else if (const auto* argument = llvm::dyn_cast<llvm::Argument>(base))
    type = argument->getParamByValType(); // null: it points to anything
  if (!type || !type->isSized())
    return false;
  const std::uint64_t all = layout.getTypeAllocSize(type);
  const std::uint64_t count = bytes->getZExtValue();
  return !offset.isNegative() && count <= all && offset.ule(all - count);
}

class Definer {
public:
  explicit Definer(llvm::Module& module) : module_(module), layout_(module.getDataLayout()) {}

  void run(llvm::Function& function) {
    for (llvm::Instruction* instruction : instructions_of(function))
      define(*instruction);
  }

private:
  void define(llvm::Instruction& instruction) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (load->isSimple())
        access(instruction, *load->getPointerOperand(), *size_of(*load->getType()));
      // The promises of the types.
      for (const unsigned promise :
           {llvm::LLVMContext::MD_range, llvm::LLVMContext::MD_nonnull,
            llvm::LLVMContext::MD_dereferenceable, llvm::LLVMContext::MD_dereferenceable_or_null,
            llvm::LLVMContext::MD_align, llvm::LLVMContext::MD_noundef})
        load->setMetadata(promise, nullptr);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (store->isSimple())
        access(instruction, *store->getPointerOperand(),
               *size_of(*store->getValueOperand()->getType()));
    } else if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      access(instruction, *memory->getRawDest(), *memory->getLength());
      if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
        access(instruction, *copy->getRawSource(), *memory->getLength());
    } else if (llvm::isa<llvm::UnreachableInst>(instruction)) {
      llvm::IRBuilder<>(&instruction).CreateCall(effect(kUnreachable, {}));
    } else if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      define(*operation);
    } else if (const auto* promise = llvm::dyn_cast<llvm::AssumeInst>(&instruction)) {
      llvm::IRBuilder<> builder(&instruction);
      builder.CreateCall(effect(kAssume, {builder.getInt1Ty()}), {promise->getArgOperand(0)});
      instruction.eraseFromParent();
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
               call && call->isConvergent()) {
      call->addFnAttr(llvm::Attribute::NoMerge);
    }
  }

  void define(llvm::BinaryOperator& operation) {
    llvm::Type& type = *operation.getType();
    if (type.isFPOrFPVectorTy()) {
      llvm::IRBuilder<> builder(&operation);
      llvm::CallInst* const call =
          builder.CreateCall(function(fmt::format("gputest_{}.", operation.getOpcodeName()), type,
                                      {&type, &type}, llvm::MemoryEffects::none()),
                             {operation.getOperand(0), operation.getOperand(1)});
      operation.replaceAllUsesWith(call);
      operation.eraseFromParent();
    } else if (operation.isIntDivRem()) {
      operation.setOperand(1, llvm::IRBuilder<>(&operation)
                                  .CreateCall(function(kDivisor.str(), type, {&type},
                                                       llvm::MemoryEffects::inaccessibleMemOnly()),
                                              {operation.getOperand(1)}));
    } else if (operation.isShift()) {
      operation.setOperand(
          1, llvm::IRBuilder<>(&operation)
                 .CreateCall(function(kAmount.str(), type, {&type}, llvm::MemoryEffects::none()),
                             {operation.getOperand(1)}));
    }
  }

  llvm::Value* size_of(llvm::Type& type) const {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()),
                                  layout_.getTypeStoreSize(&type));
  }

  void access(llvm::Instruction& before, llvm::Value& address, llvm::Value& size) {
    if (is_within_variable(address, size, layout_))
      return;
    llvm::IRBuilder<> builder(&before);
    builder.CreateCall(effect(kAccess, {builder.getPtrTy(), builder.getInt64Ty()}),
                       {builder.CreatePointerBitCastOrAddrSpaceCast(&address, builder.getPtrTy()),
                        builder.CreateZExtOrTrunc(&size, builder.getInt64Ty())});
  }

  llvm::FunctionCallee effect(llvm::StringRef name, llvm::ArrayRef<llvm::Type*> parameters) {
    llvm::Function& one =
        declare(name.str(), *llvm::Type::getVoidTy(module_.getContext()), parameters,
                llvm::MemoryEffects::inaccessibleMemOnly(), name != kUnreachable);
    if (name == kAccess && !one.hasParamAttribute(0, llvm::Attribute::ReadNone)) {
      one.addParamAttr(0, frontend::llvm_version::captures_nothing(module_.getContext()));
      one.addParamAttr(0, llvm::Attribute::ReadNone);
    }
    return &one;
  }

  // One for each type.
  llvm::FunctionCallee function(const std::string& name, llvm::Type& result,
                                llvm::ArrayRef<llvm::Type*> parameters,
                                llvm::MemoryEffects effects) {
    std::string of;
    llvm::raw_string_ostream stream(of);
    result.print(stream, false, /*NoDetails=*/true);
    return &declare(name + of, result, parameters, effects, true);
  }

  llvm::Function& declare(const std::string& name, llvm::Type& result,
                          llvm::ArrayRef<llvm::Type*> parameters, llvm::MemoryEffects effects,
                          bool returns) {
    if (llvm::Function* const known = module_.getFunction(name))
      return *known;
    llvm::Function* const made =
        llvm::Function::Create(llvm::FunctionType::get(&result, parameters, false),
                               llvm::GlobalValue::ExternalLinkage, name, module_);
    made->setMemoryEffects(effects);
    made->addFnAttr(llvm::Attribute::NoUnwind);
    if (returns)
      made->addFnAttr(llvm::Attribute::WillReturn);
    return *made;
  }

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
};

// Promises about arguments and results, which no mutant keeps.
template <typename One> void forget_promises(One& one, llvm::LLVMContext& context, unsigned count) {
  llvm::AttributeMask promises;
  for (const llvm::Attribute::AttrKind promise :
       {llvm::Attribute::NoAlias, llvm::Attribute::NonNull, llvm::Attribute::Dereferenceable,
        llvm::Attribute::DereferenceableOrNull, llvm::Attribute::NoUndef, llvm::Attribute::Range})
    promises.addAttribute(promise);
  llvm::AttributeList attributes = one.getAttributes().removeRetAttributes(context, promises);
  for (unsigned i = 0; i < count; ++i)
    attributes = attributes.removeParamAttributes(context, i, promises);
  one.setAttributes(attributes);
}

// Mathematical functions, whose results depend on their arguments alone.
bool is_pure(const llvm::Function& function) {
  return function.isDeclaration() && function.getName().starts_with("__nv_") &&
         !function.getReturnType()->isVoidTy() &&
         llvm::none_of(function.args(),
                       [](const llvm::Argument& one) { return one.getType()->isPointerTy(); });
}

} // namespace

void give_variables_values(llvm::Function& function) {
  llvm::Module& module = *function.getParent();
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      variables.push_back(variable);
  for (llvm::AllocaInst* variable : variables) {
    llvm::Type* type = variable->getAllocatedType();
    auto* unknown = new llvm::GlobalVariable(
        module, type, /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage, nullptr,
        "gputest_unknown." + std::to_string(module.global_size()));
    llvm::IRBuilder<> builder(variable->getNextNode());
    if (type->isAggregateType()) {
      builder.CreateMemCpy(variable, variable->getAlign(), unknown, variable->getAlign(),
                           module.getDataLayout().getTypeAllocSize(type));
    } else {
      llvm::LoadInst* value = builder.CreateLoad(type, unknown);
      value->setMetadata(llvm::LLVMContext::MD_invariant_load,
                         llvm::MDNode::get(module.getContext(), {}));
      builder.CreateStore(value, variable);
    }
  }
}

void define(llvm::Module& module) {
  Definer definer(module);
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    functions.push_back(&function);
  for (llvm::Function* function : functions) {
    forget_promises(*function, module.getContext(), static_cast<unsigned>(function->arg_size()));
    for (llvm::Instruction& instruction : llvm::instructions(*function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        forget_promises(*call, module.getContext(), call->arg_size());
    if (is_pure(*function))
      change_function_and_calls(*function, [](auto& one) {
        one.removeFnAttr(llvm::Attribute::Convergent);
        one.addFnAttr(llvm::Attribute::NoUnwind);
        one.addFnAttr(llvm::Attribute::WillReturn);
        one.setMemoryEffects(llvm::MemoryEffects::none());
      });
    definer.run(*function);
  }
}

llvm::PreservedAnalyses ForgetKnown::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (llvm::Instruction* instruction : instructions_of(function)) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(instruction);
    const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
      continue;
    const llvm::StringRef name = callee->getName();
    if (name == kAccess) {
      if (!is_within_variable(*call->getArgOperand(0), *call->getArgOperand(1), layout))
        continue;
    } else if (name.starts_with(kDivisor) || name.starts_with(kAmount)) {
      llvm::Value* const value = call->getArgOperand(0);
      if (!value->getType()->isIntegerTy())
        continue;
      const unsigned width = value->getType()->getIntegerBitWidth();
      const llvm::ConstantRange range = llvm::computeConstantRange(value, /*ForSigned=*/false);
      const bool is_right = name.starts_with(kDivisor)
                                ? !range.contains(llvm::APInt(width, 0)) &&
                                      !range.contains(llvm::APInt::getAllOnes(width))
                                : range.getUnsignedMax().ult(width);
      if (!is_right)
        continue;
      call->replaceAllUsesWith(value);
    } else {
      continue;
    }
    call->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace gputest::passes
