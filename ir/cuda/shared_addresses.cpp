// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/shared_addresses.h"

#include "ir/analysis_managers.h"
#include "ir/call.h"
#include "ir/host.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <set>
#include <string>
#include <vector>

namespace gputest::ir {
namespace {

constexpr const char* kSharedAt = "gputest_shared_at";
constexpr std::uint64_t kMostShared = 256 << 10; // an upper bound of the bytes of dynamic memory

std::uint64_t size_of(const llvm::GlobalVariable& variable) {
  return variable.isDeclaration() ? kMostShared
                                  : variable.getParent()
                                        ->getDataLayout()
                                        .getTypeAllocSize(variable.getValueType())
                                        .getFixedValue();
}

// Returns whether the address is in the variable, and the pointer with the variable's upper bits.
std::pair<llvm::Value*, llvm::Value*> within(llvm::IRBuilder<>& builder,
                                             llvm::GlobalVariable& variable, llvm::Value* address) {
  llvm::Value* const offset = builder.CreateSub(
      address, builder.CreateTrunc(builder.CreatePtrToInt(&variable, builder.getInt64Ty()),
                                   builder.getInt32Ty()));
  return {builder.CreateICmpULT(offset, builder.getInt32(static_cast<unsigned>(size_of(variable)))),
          builder.CreateGEP(builder.getInt8Ty(), &variable,
                            builder.CreateSExt(offset, builder.getInt64Ty()))};
}

// Returns the used variables of an address space.
std::vector<llvm::GlobalVariable*> in_use(llvm::Module& module, unsigned space) {
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == space && !variable.use_empty()) {
      // Dynamic memory comes last: its size is not known.
      variables.insert(variable.isDeclaration() ? variables.end() : variables.begin(), &variable);
    }
  return variables;
}

std::vector<llvm::CallInst*> calls_of(const llvm::Function* function) {
  std::vector<llvm::CallInst*> calls;
  if (function)
    for (const llvm::User* user : function->users())
      calls.push_back(llvm::cast<llvm::CallInst>(const_cast<llvm::User*>(user)));
  return calls;
}

void point_to_variables(llvm::Module& module) {
  const std::vector<llvm::GlobalVariable*> variables = in_use(module, kLocalSpace);
  for (llvm::CallInst* call : calls_of(module.getFunction(kSharedAt))) {
    llvm::IRBuilder<> builder(call);
    llvm::Value* pointer = nullptr;
    for (auto variable = variables.rbegin(); variable != variables.rend(); ++variable) {
      const auto [is_there, place] = within(builder, **variable, call->getArgOperand(0));
      pointer = pointer ? builder.CreateSelect(is_there, place, pointer) : place;
    }
    // Without variables, the kernel cannot have such an address.
    call->replaceAllUsesWith(pointer ? pointer : llvm::Constant::getNullValue(call->getType()));
    call->eraseFromParent();
  }
}

// The object that a pointer points into, also if its address was an integer for a while.
const llvm::Value* object_of(const llvm::Value* pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointer);
  const auto* const cast = llvm::dyn_cast<llvm::IntToPtrInst>(object);
  const llvm::Value* number = cast ? cast->getOperand(0) : nullptr;
  while (const auto* const operation = llvm::dyn_cast_or_null<llvm::BinaryOperator>(number)) {
    const bool is_first = !llvm::isa<llvm::Constant>(operation->getOperand(0));
    if (is_first && !llvm::isa<llvm::Constant>(operation->getOperand(1)))
      return object; // either may be the address
    number = operation->getOperand(is_first ? 0 : 1);
  }
  const auto* const address = llvm::dyn_cast_or_null<llvm::PtrToIntInst>(number);
  return address ? object_of(address->getOperand(0)) : object;
}

// Replaces __isShared() and its like. A pointer that is neither to a variable nor to private memory
// is global.
void tell_spaces(llvm::Module& module) {
  std::set<llvm::Function*> askers;
  for (const char* space : {"shared", "const", "local", "global"})
    for (llvm::CallInst* call :
         calls_of(module.getFunction(std::string("llvm.nvvm.isspacep.") + space)))
      askers.insert(call->getFunction());
  AnalysisManagers analyses;
  for (llvm::Function* asker : askers) { // pointers in variables become values
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    passes.run(*asker, analyses.functions);
  }
  for (const char* space : {"shared", "const", "local", "global"})
    for (llvm::CallInst* call :
         calls_of(module.getFunction(std::string("llvm.nvvm.isspacep.") + space))) {
      llvm::IRBuilder<> builder(call);
      llvm::Value* const pointer = call->getArgOperand(0);
      llvm::Value* const address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
      const auto is_of = [&](unsigned of) {
        llvm::Value* result = builder.getFalse();
        for (llvm::GlobalVariable* variable : in_use(module, of)) {
          llvm::Value* const offset =
              builder.CreateSub(address, builder.CreatePtrToInt(variable, builder.getInt64Ty()));
          result = builder.CreateOr( // past its last element, too
              result, builder.CreateICmpULE(offset, builder.getInt64(size_of(*variable))));
        }
        return result;
      };
      const bool is_local = llvm::isa<llvm::AllocaInst>(object_of(pointer));
      const llvm::StringRef which = space;
      llvm::Value* const is =
          which == "local"    ? builder.getInt1(is_local)
          : which == "shared" ? is_of(kLocalSpace)
          : which == "const"  ? is_of(kConstantSpace)
          : is_local          ? builder.getFalse()
                              : builder.CreateNot(builder.CreateOr(
                           builder.CreateIsNull(address),
                           builder.CreateOr(is_of(kLocalSpace), is_of(kConstantSpace))));
      call->replaceAllUsesWith(is);
      call->eraseFromParent();
    }
}

} // namespace

llvm::Value* shared_at(llvm::IRBuilder<>& builder, llvm::Value* address) {
  llvm::CallInst* const call = call_by_name(
      builder, kSharedAt, llvm::PointerType::get(builder.getContext(), kLocalSpace), {address});
  call->setDoesNotAccessMemory();
  return call;
}

bool is_shared_at(const llvm::Instruction& instruction) {
  return is_call(instruction, kSharedAt);
}

void find_shared_addresses(llvm::Module& module) {
  point_to_variables(module);
  tell_spaces(module);
}

} // namespace gputest::ir
