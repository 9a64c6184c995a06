// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/inline.h"

#include "frontend/cuda/special_registers.h"
#include "frontend/cuda/toolkit.h"
#include "ir/cuda/ptx/body.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

namespace gputest::ir {
namespace {

// A function whose parameters are the inputs and whose results are the outputs.
class InlinePtx {
public:
  explicit InlinePtx(llvm::CallInst& call)
      : call_(call), function_(*llvm::Function::Create(
                         call.getFunctionType(), llvm::GlobalValue::InternalLinkage,
                         call.getModule()->getDataLayout().getProgramAddressSpace(), "inline.ptx",
                         call.getModule())) {
    text_ = llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString();
    constexpr llvm::StringRef unique = "${:uid}"; // %=
    for (std::size_t at = 0; (at = text_.find(unique, at)) != std::string::npos;)
      text_.replace(at, unique.size(), "uid");
    std::ranges::replace(text_, frontend::cuda::kRegisterMark, '%');
    if (const llvm::DebugLoc& place = call.getDebugLoc();
        place && frontend::cuda::is_of_library(place->getFilename())) {
      order("ld", "acquire");
      order("st", "release");
    }
    blank_comments(text_);
    text_ += "\n;"; // the last statement may lack its end
  }

  bool run() {
    try {
      PtxBody body(function_, [](llvm::IRBuilder<>&, const char*) {});
      make_slots(body);
      body.translate(text_, {});
      give_outputs(body);
      body.finish();
    } catch (const PtxFault&) {
      function_.eraseFromParent();
      return false;
    }
    call_.setCalledFunction(&function_);
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(call_, info);
    function_.eraseFromParent();
    return true;
  }

private:
  // CUB to 2.2 publishes what a block has found, and looks at what others have, with .cg and fences
  // of the block alone, also before it overwrites what others have read. It means order by that.
  void order(llvm::StringRef instruction, llvm::StringRef how) {
    const std::string plain = (instruction + ".cg.").str();
    if (text_.starts_with(plain))
      text_.replace(0, plain.size(), (instruction + "." + how + ".cg.").str());
  }

  llvm::Type* output_type(unsigned index) const {
    auto* const parts = llvm::dyn_cast<llvm::StructType>(call_.getType());
    return parts ? parts->getElementType(index) : call_.getType();
  }

  llvm::AllocaInst* add(PtxBody& body, llvm::Type* type) {
    names_.push_back(fmt::format("${}", slots_.size()));
    slots_.push_back(body.values().make(type, names_.back()));
    return slots_.back();
  }

  void make_slots(PtxBody& body) {
    unsigned argument = 0;
    std::map<std::size_t, llvm::Constant*> constants;
    const auto& assembly = *llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
    for (const llvm::InlineAsm::ConstraintInfo& one : assembly.ParseConstraints()) {
      if (one.Type == llvm::InlineAsm::isOutput) {
        add(body, output_type(outputs_++));
      } else if (one.Type == llvm::InlineAsm::isInput) {
        llvm::Value* const value = function_.getArg(argument);
        if (auto* const constant = llvm::dyn_cast<llvm::Constant>(call_.getArgOperand(argument++)))
          constants[slots_.size()] = constant; // unless it is the initial value of an output
        const bool starts_output = !one.Codes.empty() && llvm::isDigit(one.Codes[0][0]);
        if (starts_output)
          constants.erase(slots_.size());
        llvm::AllocaInst* const slot =
            starts_output ? slots_.at(static_cast<unsigned>(std::stoi(one.Codes[0])))
                          : add(body, value->getType());
        body.builder().CreateStore(body.values().converted(value, slot->getAllocatedType()), slot);
      }
    }
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (const auto known = constants.find(i); known != constants.end())
        body.values().add_constant(names_[i], known->second);
      else
        body.values().add_register(names_[i], slots_[i]);
  }

  void give_outputs(PtxBody& body) {
    llvm::IRBuilder<>& builder = body.builder();
    if (outputs_ == 0) {
      builder.CreateRetVoid();
      return;
    }
    llvm::Value* result = llvm::UndefValue::get(call_.getType());
    for (unsigned i = 0; i < outputs_; ++i) {
      llvm::Value* const value = builder.CreateLoad(slots_[i]->getAllocatedType(), slots_[i]);
      result = call_.getType()->isStructTy() ? builder.CreateInsertValue(result, value, i) : value;
    }
    builder.CreateRet(result);
  }

  llvm::CallInst& call_;
  llvm::Function& function_;
  std::string text_;
  std::vector<std::string> names_; // of slots: outputs, then inputs
  std::vector<llvm::AllocaInst*> slots_;
  unsigned outputs_ = 0;
};

} // namespace

bool translate_ptx(llvm::CallInst& call) {
  return InlinePtx(call).run();
}

} // namespace gputest::ir
