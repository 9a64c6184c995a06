#include "ir/cuda/intrinsics.h"

#include "ir/call.h"
#include "ir/places.h"
#include "templates/simulator/context.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

// CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE: __syncthreads orders both.
constexpr unsigned kAllFences = 3;

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
  }

private:
  using Meaning = std::function<llvm::Value*(Builder&, llvm::CallInst&)>;

  llvm::Value* work_item(Builder& builder, llvm::StringRef name, unsigned dimension) const {
    return call_by_name(builder, name, builder.getInt32Ty(), {builder.getInt32(dimension)});
  }

  llvm::Value* thread(Builder& builder) const {
    return call_by_name(builder, "_Z19get_local_linear_idv", builder.getInt32Ty());
  }
  llvm::Value* lane(Builder& builder) const { return builder.CreateAnd(thread(builder), 31); }

  llvm::Value* clock(Builder& builder, llvm::Type* type) const {
    return builder.CreateZExtOrTrunc(call_by_name(builder, "gputest_clock", builder.getInt64Ty()),
                                     type);
  }

  llvm::Value* barrier(Builder& builder) const {
    return call_by_name(builder, "_Z7barrierj", builder.getVoidTy(),
                        {builder.getInt32(kAllFences)});
  }

  // How many threads of the block say so, and how many there are above.
  llvm::Value* vote(Builder& builder, llvm::CallInst& call) const {
    return call_by_name(
        builder, "gputest_block_vote", builder.getInt64Ty(),
        {builder.CreateZExt(builder.CreateIsNotNull(call.getArgOperand(0)), builder.getInt64Ty())});
  }

  static llvm::Value* nothing(Builder&, llvm::CallInst&) { return nullptr; }

  llvm::Value* wrapping(Builder& builder, llvm::CallInst& call,
                        llvm::AtomicRMWInst::BinOp operation) const {
    return builder.CreateAtomicRMW(operation, call.getArgOperand(0), call.getArgOperand(1),
                                   llvm::Align(4), llvm::AtomicOrdering::Monotonic);
  }

  void fill_table() {
    static constexpr std::pair<const char*, const char*> kRegisters[] = {
        {"tid", "_Z12get_local_idj"},
        {"ctaid", "_Z12get_group_idj"},
        {"ntid", "_Z23get_enqueued_local_sizej"},
        {"nctaid", "_Z14get_num_groupsj"}};
    for (const auto& [name, function] : kRegisters)
      for (unsigned dimension = 0; dimension < 3; ++dimension)
        table_[fmt::format("llvm.nvvm.read.ptx.sreg.{}.{}", name, "xyz"[dimension])] =
            [this, function, dimension](Builder& builder, llvm::CallInst&) {
              return work_item(builder, function, dimension);
            };
    const auto set = [&](const char* name, Meaning meaning) { table_[name] = std::move(meaning); };
    set("llvm.nvvm.read.ptx.sreg.laneid",
        [this](Builder& builder, llvm::CallInst&) { return lane(builder); });
    set("llvm.nvvm.read.ptx.sreg.warpid", [this](Builder& builder, llvm::CallInst&) {
      return builder.CreateLShr(thread(builder), 5);
    });
    set("llvm.nvvm.read.ptx.sreg.warpsize",
        [](Builder& builder, llvm::CallInst&) { return builder.getInt32(32); });
    for (const auto& [name, number] : {std::pair{"smid", 0U}, {"nsmid", 1U}, {"gridid", 0U}})
      table_[fmt::format("llvm.nvvm.read.ptx.sreg.{}", name)] =
          [number](Builder& builder, llvm::CallInst&) { return builder.getInt32(number); };
    for (const char* name : {"clock", "clock64", "clock.hi", "globaltimer"})
      table_[fmt::format("llvm.nvvm.read.ptx.sreg.{}", name)] =
          [this](Builder& builder, llvm::CallInst& call) { return clock(builder, call.getType()); };

    const Meaning wait = [this](Builder& builder, llvm::CallInst&) -> llvm::Value* {
      barrier(builder);
      return nullptr;
    };
    set("llvm.nvvm.barrier0", wait);
    set("llvm.nvvm.barrier0.popc", [this](Builder& builder, llvm::CallInst& call) {
      return builder.CreateTrunc(vote(builder, call), builder.getInt32Ty());
    });
    set("llvm.nvvm.barrier0.or", [this](Builder& builder, llvm::CallInst& call) {
      return builder.CreateZExt(
          builder.CreateIsNotNull(builder.CreateTrunc(vote(builder, call), builder.getInt32Ty())),
          builder.getInt32Ty());
    });
    set("llvm.nvvm.barrier0.and", [this](Builder& builder, llvm::CallInst& call) {
      llvm::Value* const votes = vote(builder, call);
      return builder.CreateZExt(
          builder.CreateICmpEQ(
              builder.CreateTrunc(votes, builder.getInt32Ty()),
              builder.CreateTrunc(builder.CreateLShr(votes, 32), builder.getInt32Ty())),
          builder.getInt32Ty());
    });
    for (const char* name : {"cta", "gl", "sys"})
      table_[fmt::format("llvm.nvvm.membar.{}", name)] = nothing;
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
    rename("malloc", "gputest_malloc");
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
    auto meaning = table_.find(name.str());
    if (meaning == table_.end()) // overloaded: llvm.nvvm.atomic.load.inc.32.p0
      meaning = table_.find(name.rsplit('.').first.str());
    if (meaning == table_.end())
      return; // an instruction of the host's too, or named where a kernel calls it
    Builder builder(&call);
    replace(call, meaning->second(builder, call));
  }

  static void replace(llvm::CallInst& call, llvm::Value* value) {
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(value ? value : llvm::UndefValue::get(call.getType()));
    call.eraseFromParent();
  }

  // PTX that programs write often; anything else is named where a kernel calls it.
  void lower_assembly(llvm::CallInst& call) {
    std::string text(llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString());
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == ';'; });
    Builder builder(&call);
    const auto mask = [&](auto&& of) { replace(call, of()); };
    if (text.empty() || text == "brkpt" || text.starts_with("membar.") ||
        text.starts_with("fence."))
      replace(call, nullptr);
    else if (text == "trap")
      replace(call, call_by_name(builder, "gputest_trap", builder.getVoidTy()));
    else if (text == "bar.sync0" || text == "barrier.sync0")
      replace(call, barrier(builder));
    else if (text == "mov.u32$0,%laneid" || text == "mov.s32$0,%laneid")
      replace(call, lane(builder));
    else if (text == "mov.u32$0,%warpid")
      replace(call, builder.CreateLShr(thread(builder), 5));
    else if (text == "mov.u32$0,%smid")
      replace(call, builder.getInt32(0));
    else if (text == "mov.u32$0,%lanemask_lt")
      mask([&] {
        return builder.CreateSub(builder.CreateShl(builder.getInt32(1), lane(builder)),
                                 builder.getInt32(1));
      });
    else if (text == "mov.u32$0,%lanemask_eq")
      mask([&] { return builder.CreateShl(builder.getInt32(1), lane(builder)); });
    else if (text == "mov.u64$0,%clock64" || text == "mov.u64$0,%globaltimer" ||
             text == "mov.u32$0,%clock")
      replace(call, clock(builder, call.getType()));
  }

  llvm::Module& module_;
  std::map<std::string, Meaning> table_;
};

} // namespace

void lower_intrinsics(llvm::Module& module) {
  IntrinsicLowering(module).run();
}

} // namespace gputest::simulator
