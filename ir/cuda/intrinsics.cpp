#include "ir/cuda/intrinsics.h"

#include "frontend/llvm_version.h"
#include "ir/call.h"
#include "ir/cuda/ptx.h"
#include "ir/lower.h"
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
#include <string_view>
#include <vector>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

// CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE: __syncthreads orders both.
constexpr unsigned kAllFences = 3;

// Registers that have a dimension, and OpenCL's names.
using Register = std::pair<std::string_view, const char*>;
constexpr Register kRegisters[] = {{"tid", "_Z12get_local_idj"},
                                   {"ctaid", "_Z12get_group_idj"},
                                   {"ntid", "_Z23get_enqueued_local_sizej"},
                                   {"nctaid", "_Z14get_num_groupsj"}};

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
    set(llvm_version::kBlockBarrier, wait);
    set(llvm_version::kBlockCount, [this](Builder& builder, llvm::CallInst& call) {
      return builder.CreateTrunc(vote(builder, call), builder.getInt32Ty());
    });
    set(llvm_version::kBlockAny, [this](Builder& builder, llvm::CallInst& call) {
      return builder.CreateZExt(
          builder.CreateIsNotNull(builder.CreateTrunc(vote(builder, call), builder.getInt32Ty())),
          call.getType());
    });
    set(llvm_version::kBlockAll, [this](Builder& builder, llvm::CallInst& call) {
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
        call_by_name(builder, kFenceFunction, builder.getVoidTy(),
                     {builder.getInt32(name != llvm::StringRef("cta"))});
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
    if (meaning == table_.end() || llvm_version::is_numbered_barrier(call))
      return; // an instruction of the host's too, or named where a kernel calls it
    Builder builder(&call);
    replace(call, meaning->second(builder, call));
  }

  static void replace(llvm::CallInst& call, llvm::Value* value) {
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(value ? value : llvm::UndefValue::get(call.getType()));
    call.eraseFromParent();
  }

  // What the table of ptx.h has not is named where a kernel calls it.
  void lower_assembly(llvm::CallInst& call) {
    std::string text(llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString());
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == ';'; });
    Builder builder(&call);
    if (text == "trap")
      replace(call, call_by_name(builder, "gputest_trap", builder.getVoidTy()));
    else
      translate_ptx(call, [this](Builder& at, llvm::StringRef name) { return special(at, name); });
  }

  llvm::Value* special(Builder& builder, llvm::StringRef name) const {
    const auto [of, dimension] = name.split('.');
    if (const auto found = std::ranges::find(kRegisters, std::string_view(of), &Register::first);
        found != std::end(kRegisters) && dimension.size() == 1 && dimension[0] >= 'x' &&
        dimension[0] <= 'z')
      return work_item(builder, found->second, static_cast<unsigned>(dimension[0] - 'x'));
    if (name == "laneid")
      return lane(builder);
    if (name == "warpid")
      return builder.CreateLShr(thread(builder), 5);
    if (name == "smid" || name == "gridid")
      return builder.getInt32(0);
    if (name == "nsmid")
      return builder.getInt32(1);
    if (name == "clock" || name == "globaltimer_lo")
      return clock(builder, builder.getInt32Ty());
    if (name == "clock_hi" || name == "globaltimer_hi")
      return builder.CreateTrunc(builder.CreateLShr(clock(builder, builder.getInt64Ty()), 32),
                                 builder.getInt32Ty());
    if (name == "clock64" || name == "globaltimer")
      return clock(builder, builder.getInt64Ty());
    if (!name.consume_front("lanemask_"))
      return nullptr;
    llvm::Value* const own = builder.CreateShl(builder.getInt32(1), lane(builder));
    llvm::Value* const below = builder.CreateSub(own, builder.getInt32(1));
    return name == "eq"   ? own
           : name == "lt" ? below
           : name == "le" ? builder.CreateOr(own, below)
           : name == "gt" ? builder.CreateNot(builder.CreateOr(own, below))
           : name == "ge" ? builder.CreateNot(below)
                          : nullptr;
  }

  llvm::Module& module_;
  std::map<std::string, Meaning> table_;
};

} // namespace

void lower_intrinsics(llvm::Module& module) {
  IntrinsicLowering(module).run();
}

} // namespace gputest::simulator
