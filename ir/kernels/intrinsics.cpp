// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/intrinsics.h"

#include "frontend/llvm_version.h"
#include "ir/call.h"
#include "ir/cuda/ptx/inline.h"
#include "ir/cuda/special_registers.h"
#include "ir/lowered_names.h"
#include "ir/places.h"
#include "templates/simulator/context.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gputest::ir {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr unsigned kAlignmentOfMalloc = 16; // in device code of CUDA

class IntrinsicLowering {
public:
  explicit IntrinsicLowering(llvm::Module& module) : module_(module) { fill_table(); }

  void run() {
    std::vector<llvm::CallInst*> calls;
    for (llvm::Function& function : module_)
      for (llvm::Instruction& instruction : llvm::instructions(function))
        if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          calls.push_back(call);
    for (llvm::CallInst* call : calls)
      lower(*call);
    narrow_scopes();
    for (llvm::Function& function : module_)
      end_behind_traps(function);
  }

private:
  // Clang 19 does not know that these end the kernel, so loops seem to go on behind them.
  static void end_behind_traps(llvm::Function& function) {
    bool changed = false;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (is_call(instruction, "gputest_trap") || is_call(instruction, "gputest_assert")) {
          llvm::changeToUnreachable(instruction.getNextNode());
          changed = true;
          break;
        }
    if (changed)
      llvm::removeUnreachableBlocks(function);
  }

  // gputest_block_scope() comes before an atomic operation that only the thread's block takes part
  // in.
  void narrow_scopes() {
    llvm::Function* const mark = module_.getFunction("gputest_block_scope");
    if (!mark)
      return;
    const llvm::SyncScope::ID scope = module_.getContext().getOrInsertSyncScopeID(kBlockScope);
    for (llvm::User* user : llvm::make_early_inc_range(mark->users())) {
      auto* const call = llvm::cast<llvm::CallInst>(user);
      for (llvm::Instruction* next = call->getNextNode(); next; next = next->getNextNode())
        if (next->isAtomic()) {
          set_scope(*next, scope);
          break;
        }
      call->eraseFromParent();
    }
    mark->eraseFromParent();
  }

  static void set_scope(llvm::Instruction& instruction, llvm::SyncScope::ID scope) {
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      load->setSyncScopeID(scope);
    else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      store->setSyncScopeID(scope);
    else if (auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      update->setSyncScopeID(scope);
    else if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      exchange->setSyncScopeID(scope);
  }

  using Meaning = std::function<llvm::Value*(Builder&, llvm::CallInst&)>;

  llvm::Value* work_item(Builder& builder, llvm::StringRef name, unsigned dimension) const {
    return call_by_name(builder, name, builder.getInt32Ty(), {builder.getInt32(dimension)});
  }

  // How many threads of the block say so, and how many there are above.
  llvm::Value* vote(Builder& builder, llvm::CallInst& call) const {
    return call_by_name(
        builder, "gputest_block_vote", builder.getInt64Ty(),
        {builder.CreateZExt(builder.CreateIsNotNull(call.getArgOperand(call.arg_size() - 1)),
                            builder.getInt64Ty())});
  }

  static llvm::Value* nothing(Builder&, llvm::CallInst&) { return nullptr; }

  llvm::Value* wrapping(Builder& builder, llvm::CallInst& call,
                        llvm::AtomicRMWInst::BinOp operation) const {
    return builder.CreateAtomicRMW(operation, call.getArgOperand(0), call.getArgOperand(1),
                                   llvm::Align(4), llvm::AtomicOrdering::Monotonic);
  }

  void fill_table() {
    const auto set = [&](const char* name, Meaning meaning) { table_[name] = std::move(meaning); };
    const Meaning wait = [](Builder& builder, llvm::CallInst&) -> llvm::Value* {
      call_barrier(builder);
      return nullptr;
    };
    set(frontend::llvm_version::kBlockBarrier, wait);
    set(frontend::llvm_version::kBlockCount, [this](Builder& builder, llvm::CallInst& call) {
      return builder.CreateTrunc(vote(builder, call), builder.getInt32Ty());
    });
    set(frontend::llvm_version::kBlockAny, [this](Builder& builder, llvm::CallInst& call) {
      return builder.CreateZExt(
          builder.CreateIsNotNull(builder.CreateTrunc(vote(builder, call), builder.getInt32Ty())),
          call.getType());
    });
    set(frontend::llvm_version::kBlockAll, [this](Builder& builder, llvm::CallInst& call) {
      llvm::Value* const votes = vote(builder, call);
      return builder.CreateZExt(
          builder.CreateICmpEQ(
              builder.CreateTrunc(votes, builder.getInt32Ty()),
              builder.CreateTrunc(builder.CreateLShr(votes, 32), builder.getInt32Ty())),
          call.getType());
    });
    for (const char* name : {"cta", "gl", "sys"})
      table_[fmt::format("llvm.nvvm.membar.{}", name)] = [name](Builder& builder,
                                                                llvm::CallInst&) -> llvm::Value* {
        call_by_name(
            builder, kFenceFunction, builder.getVoidTy(),
            {builder.getInt32(name == llvm::StringRef("cta") ? kFenceOfBlock : kSequentialFence)});
        return nullptr;
      };
    set("llvm.nvvm.atomic.load.inc.32", [this](Builder& builder, llvm::CallInst& call) {
      return wrapping(builder, call, llvm::AtomicRMWInst::UIncWrap);
    });
    set("llvm.nvvm.atomic.load.dec.32", [this](Builder& builder, llvm::CallInst& call) {
      return wrapping(builder, call, llvm::AtomicRMWInst::UDecWrap);
    });
    set("llvm.trap", [](Builder& builder, llvm::CallInst&) -> llvm::Value* {
      call_by_name(builder, "gputest_trap", builder.getVoidTy());
      return nullptr;
    });
    set("llvm.debugtrap", nothing);
    set("llvm.nvvm.texsurf.handle.internal", [](Builder& builder, llvm::CallInst& call) {
      return builder.CreateAlignedLoad(call.getType(), call.getArgOperand(0), llvm::Align(4));
    });
    rename("vprintf", "gputest_vprintf");
    // The message names the thread.
    set("__assertfail", [this](Builder& builder, llvm::CallInst& call) -> llvm::Value* {
      std::vector<llvm::Value*> arguments(call.arg_begin(), call.arg_begin() + 4);
      for (const char* of : {"_Z12get_group_idj", "_Z12get_local_idj"})
        for (unsigned dimension = 0; dimension < 3; ++dimension)
          arguments.push_back(work_item(builder, of, dimension));
      call_by_name(builder, "gputest_assert", builder.getVoidTy(), arguments);
      return nullptr;
    });
    table_["malloc"] = [](Builder& builder, llvm::CallInst& call) {
      llvm::Value* const size = call.getArgOperand(0);
      return call_by_name(builder, "gputest_malloc", call.getType(),
                          {size, llvm::ConstantInt::get(size->getType(), kAlignmentOfMalloc)});
    };
    rename("__cuda_syscall_aligned_malloc", "gputest_malloc"); // size and alignment
    rename("free", "gputest_free");
  }

  void rename(const char* name, const char* other) {
    table_[name] = [other](Builder& builder, llvm::CallInst& call) {
      return call_by_name(builder, other, call.getType(),
                          std::vector<llvm::Value*>(call.arg_begin(), call.arg_end()));
    };
  }

  void lower(llvm::CallInst& call) {
    if (call.isInlineAsm()) {
      lower_assembly(call);
      return;
    }
    const llvm::Function* const callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration())
      return;
    const llvm::StringRef name = callee->getName();
    if (name.starts_with("llvm.nvvm.ldg.global") || name.starts_with("llvm.nvvm.ldu.global")) {
      Builder builder(&call);
      replace(call, builder.CreateAlignedLoad(call.getType(), call.getArgOperand(0),
                                              llvm::MaybeAlign(1)));
      return;
    }
    if (llvm::StringRef which = name; which.consume_front("llvm.nvvm.read.ptx.sreg.")) {
      Builder builder(&call);
      if (llvm::Value* const value = special_register(builder, register_of(which)))
        replace(call, builder.CreateZExtOrTrunc(value, call.getType()));
      return;
    }
    auto meaning = table_.find(name.str());
    if (meaning == table_.end()) // overloaded: llvm.nvvm.atomic.load.inc.32.p0
      meaning = table_.find(name.rsplit('.').first.str());
    if (meaning == table_.end() || frontend::llvm_version::is_numbered_barrier(call))
      return; // the host has it, too, or a kernel that calls it is refused
    Builder builder(&call);
    replace(call, meaning->second(builder, call));
  }

  static std::string register_of(llvm::StringRef intrinsic) { // PTX has clock_hi for clock.hi
    if (intrinsic.starts_with("cluster."))                    // and cluster_ctaid.x
      return "cluster_" + intrinsic.drop_front(8).str();
    return intrinsic.starts_with("clock.") || intrinsic.starts_with("lanemask.")
               ? llvm::join(llvm::split(intrinsic, '.'), "_")
               : intrinsic.str();
  }

  static void replace(llvm::CallInst& call, llvm::Value* value) {
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(value ? value : llvm::UndefValue::get(call.getType()));
    call.eraseFromParent();
  }

  // A kernel with PTX that ptx/instructions.h does not know is refused with its name.
  void lower_assembly(llvm::CallInst& call) {
    std::string text(llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString());
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == ';'; });
    Builder builder(&call);
    if (text == "trap")
      replace(call, call_by_name(builder, "gputest_trap", builder.getVoidTy()));
    else
      translate_ptx(call);
  }

  llvm::Module& module_;
  std::map<std::string, Meaning> table_;
};

} // namespace

void lower_intrinsics(llvm::Module& module) {
  IntrinsicLowering(module).run();
}

} // namespace gputest::ir
