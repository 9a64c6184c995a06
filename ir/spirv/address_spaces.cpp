// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/spirv/address_spaces.h"

#include "frontend/llvm_version.h"
#include "ir/error.h"
#include "ir/frontend.h"

#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <string>
#include <vector>

namespace gputest::ir {
namespace {

constexpr unsigned kPrivate = 0, kGeneric = 4; // of SPIR
constexpr const char* kSame = "gputest_same_pointer_";

bool becomes_nothing(const llvm::Type* from, const llvm::Type* to) {
  if (!from->isPointerTy() || !to->isPointerTy())
    return false;
  const unsigned first = from->getPointerAddressSpace(), second = to->getPointerAddressSpace();
  return (first == kPrivate && second == kGeneric) || (first == kGeneric && second == kPrivate);
}

// Casts between private pointers and pointers to any memory become calls, because their types
// will be the same.
void call_casts(llvm::Module& module) {
  llvm::SmallVector<llvm::Constant*> constants;
  for (llvm::GlobalVariable& variable : module.globals())
    for (llvm::User* const user : variable.users())
      if (auto* const cast = llvm::dyn_cast<llvm::ConstantExpr>(user);
          cast && cast->getOpcode() == llvm::Instruction::AddrSpaceCast)
        constants.push_back(cast);
  llvm::convertUsersOfConstantsToInstructions(constants);
  std::vector<llvm::AddrSpaceCastInst*> casts;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
          cast && becomes_nothing(cast->getSrcTy(), cast->getDestTy()))
        casts.push_back(cast);
  for (llvm::AddrSpaceCastInst* const cast : casts) {
    llvm::IRBuilder<> builder(cast);
    const llvm::FunctionCallee same =
        module.getOrInsertFunction(fmt::format("{}{}", kSame, cast->getDestAddressSpace()),
                                   cast->getDestTy(), cast->getSrcTy());
    cast->replaceAllUsesWith(builder.CreateCall(same, {cast->getOperand(0)}));
    cast->eraseFromParent();
  }
}

void forget_casts(llvm::Module& module) {
  for (const unsigned space : {kPrivate, kGeneric}) {
    llvm::Function* const same = module.getFunction(fmt::format("{}{}", kSame, space));
    if (!same)
      continue;
    for (llvm::User* const user : llvm::make_early_inc_range(same->users())) {
      auto* const call = llvm::cast<llvm::CallInst>(user);
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
    same->eraseFromParent();
  }
}

// LLVM has no way to give types other address spaces but its text, where a type is in no string.
std::string with_other_spaces(llvm::StringRef text) {
  constexpr llvm::StringLiteral kConstant = "addrspace(2)", kAny = "addrspace(4)";
  std::string result;
  bool in_string = false;
  while (!text.empty()) {
    if (!in_string && text.starts_with(kConstant)) {
      result += kAny;
      text = text.drop_front(kConstant.size());
    } else if (!in_string && text.starts_with(kAny)) {
      text = text.drop_front(kAny.size());
    } else {
      in_string ^= text.front() == '"';
      result += text.front();
      text = text.drop_front();
    }
  }
  return result;
}

} // namespace

std::unique_ptr<llvm::Module> for_nvptx(std::unique_ptr<llvm::Module> module) {
  llvm::LLVMContext& context = module->getContext();
  call_casts(*module);
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, nullptr);
  module.reset();
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> other =
      llvm::parseAssemblyString(with_other_spaces(text), error, context);
  if (!other)
    throw SimulatorFailure(fmt::format("the translation of SPIR-V cannot be read again: {}",
                                       error.getMessage().str()));
  forget_casts(*other);
  other->setTargetTriple(frontend::llvm_version::TargetName("nvptx64-unknown-unknown"));
  other->setDataLayout("e-i64:64-i128:128-v16:16-v32:32-n16:32:64");
  return other;
}

} // namespace gputest::ir
