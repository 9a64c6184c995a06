// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/work_items.h"

#include "ir/call.h"
#include "ir/cuda/spins.h"
#include "ir/cuda/warp_size.h"
#include "ir/error.h"
#include "ir/kernels/blocks.h"
#include "ir/kernels/generic_pointers.h"
#include "ir/kernels/lower.h"
#include "ir/kernels/pipes.h"
#include "ir/places.h"
#include "ir/printf.h"
#include "templates/simulator/context.h"

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <functional>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>

namespace gputest::ir {
namespace {

using Builder = llvm::IRBuilder<>;

// Reads words of the context.
class Place {
public:
  explicit Place(llvm::Function& item) : item_(item) {}

  llvm::Value* number(Builder& builder, std::size_t offset) const {
    return read(builder, offset, builder.getInt64Ty());
  }
  llvm::Value* pointer(Builder& builder, std::size_t offset) const {
    return read(builder, offset, builder.getPtrTy());
  }

  using OfDimension = std::function<llvm::Value*(unsigned)>;

  // Returns the value in the dimension of the call; `beyond` for dimensions past the third.
  llvm::Value* by_dimension(Builder& builder, llvm::Value* dimension, std::uint64_t beyond,
                            const OfDimension& value) const {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(dimension)) {
      const std::uint64_t index = constant->getZExtValue();
      return index < 3 ? value(static_cast<unsigned>(index)) : builder.getInt64(beyond);
    }
    llvm::Value* result = builder.getInt64(beyond);
    for (unsigned index = 0; index < 3; ++index)
      result = builder.CreateSelect(
          builder.CreateICmpEQ(dimension, llvm::ConstantInt::get(dimension->getType(), index)),
          value(index), result);
    return result;
  }

  llvm::Value* local_id(unsigned dimension) const { return item_.getArg(2 + dimension); }

private:
  llvm::Value* read(Builder& builder, std::size_t offset, llvm::Type* type) const {
    llvm::LoadInst* const load = builder.CreateLoad(
        type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), item_.getArg(0), offset));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                      llvm::MDNode::get(builder.getContext(), {}));
    return load;
  }

  llvm::Function& item_;
};

// Only optimisations for speed know these.
void drop_expectations(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
      if (auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::expect_with_probability) {
        call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
      }
}

// Whether the rounding differs between machines.
void split_fused(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call || call->getIntrinsicID() != llvm::Intrinsic::fmuladd)
        continue;
      Builder builder(call);
      llvm::Value* const product =
          builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1));
      call->replaceAllUsesWith(builder.CreateFAdd(product, call->getArgOperand(2)));
      call->eraseFromParent();
    }
}

std::string one_line(std::string text) {
  for (char& letter : text)
    if (letter == '\n' || letter == '\t')
      letter = ' ';
  return text;
}

class Lowering {
public:
  Lowering(llvm::Function& item, KernelShape& shape, bool keeps_fences)
      : item_(item), shape_(shape), keeps_fences_(keeps_fences), place_(item) {}

  void run() {
    for (llvm::BasicBlock& block : item_)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
        if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          lower(*call);
    if (!missing_.empty())
      throw SourceError(missing_.substr(0, missing_.size() - 1));
  }

private:
  void lower(llvm::CallInst& call) {
    llvm::Function* const callee = call.getCalledFunction();
    if (call.isInlineAsm()) {
      missing_ +=
          fmt::format("{}error: inline PTX, which the simulator does not run: {}\n",
                      place_prefix(place_of(call)),
                      one_line(std::string(
                          llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString())));
      return;
    }
    if (!callee) {
      missing_ += fmt::format("{}error: a call by pointer; OpenCL C has none\n",
                              place_prefix(place_of(call)));
      return;
    }
    const llvm::StringRef name = callee->getName();
    if (name.starts_with("llvm.nvvm.")) {
      missing_ += fmt::format("{}error: the simulator has no '{}'\n", place_prefix(place_of(call)),
                              name.str());
      return;
    }
    if (callee->isIntrinsic() || !callee->isDeclaration()) // kept.h
      return;
    Builder builder(&call);
    if (llvm::Value* const value = work_item_function(builder, call, name)) {
      call.replaceAllUsesWith(builder.CreateZExtOrTrunc(value, call.getType()));
      call.eraseFromParent();
    } else if (name == "_Z7barrierj" || name.starts_with("_Z18work_group_barrierj")) {
      barrier(builder, call);
    } else if (name == "_Z9mem_fencej" || name == "_Z14read_mem_fencej" ||
               name == "_Z15write_mem_fencej") {
      memory_fence(builder, call);
    } else if ((name == kFenceFunction || name == kOrderFunction ||
                name.starts_with(kAsyncFunctions)) &&
               !keeps_fences_) {
      call.eraseFromParent();
    } else if (name.starts_with("_Z22atomic_work_item_fence")) {
      fence(builder, call);
    } else if (name.starts_with("_Z8prefetch")) { // of vectors of three, which libclc lacks
      call.eraseFromParent();
    } else if (name == "__translate_sampler_initializer") {
      call.replaceAllUsesWith(builder.CreateIntToPtr(
          builder.CreateZExt(call.getArgOperand(0), builder.getInt64Ty()), call.getType()));
      call.eraseFromParent();
    } else if (name.contains("gputest_image_of")) { // a handle is a pointer
      call.replaceAllUsesWith(builder.CreateAddrSpaceCast(call.getArgOperand(0), call.getType()));
      call.eraseFromParent();
    } else if (name == "gputest_sampler_of") {
      call.replaceAllUsesWith(builder.CreatePtrToInt(call.getArgOperand(0), call.getType()));
      call.eraseFromParent();
    } else if (name == "gputest_warp") {
      const auto* const kind = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
      shape_.in_turns |= !kind || kind->getZExtValue() == GPUTEST_WARP_AWAIT ||
                         kind->getZExtValue() == GPUTEST_WARP_SPIN;
      ask(builder, call,
          {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(3),
           call.getArgOperand(2)},
          true);
    } else if (name == kNeeds32Function) {
      if (shape_.warp_size != 32)
        missing_ += fmt::format("{}error: this instruction is for warps of 32 threads, and warps "
                                "have {}\n",
                                place_prefix(place_of(call)), shape_.warp_size);
      call.eraseFromParent();
    } else if (name == kWarpSizeFunction) {
      call.replaceAllUsesWith(llvm::ConstantInt::get(call.getType(), shape_.warp_size));
      call.eraseFromParent();
    } else if (name == "gputest_place_of") {
      call.replaceAllUsesWith(place_of_item(builder, call.getArgOperand(0)));
      call.eraseFromParent();
    } else if (name == "gputest_block_vote") {
      ask(builder, call,
          {builder.getInt32(GPUTEST_BLOCK_VOTE), builder.getInt64(0), builder.getInt32(0),
           call.getArgOperand(0)},
          false);
    } else if (name == "gputest_shared_of") { // the blocks of a cluster are there at once
      shape_.in_turns = true;
    } else if (name == "gputest_grid_sync" || name == "gputest_cluster_sync") {
      shape_.grid = shape_.in_turns = true;
      ask(builder, call,
          {builder.getInt32(GPUTEST_GRID_SYNC), builder.getInt64(0),
           builder.getInt32(name == "gputest_cluster_sync"), builder.getInt64(0)},
          false);
    } else if (name == "gputest_copy_in" || name == "gputest_copy_out") {
      copy(builder, call, name == "gputest_copy_in");
    } else if (name == "gputest_wait") {
      wait(builder, call);
    } else if (lower_device_queue(builder, call, shape_) || lower_pipe(builder, call, shape_)) {
    } else if (name == "printf") {
      lower_printf(call, shape_);
    } else if (!name.starts_with("gputest_") && !asks_for_space(call)) {
      const char* const why =
          name.contains("_msaa_")
              ? "is for multi-sample images, which the simulator does not have"
              : "has no body: neither the source defines it nor libclc or the simulator";
      const std::string message = fmt::format(
          "{}error: function '{}' {}\n", place_prefix(place_of(call)), llvm_name(*callee), why);
      if (missing_.find(message) == std::string::npos)
        missing_ += message;
    }
  }

  static std::string llvm_name(const llvm::Function& function) { return source_name(function); }

  // Returns null for other functions.
  llvm::Value* work_item_function(Builder& builder, const llvm::CallInst& call,
                                  llvm::StringRef name) const {
    const auto at = [&](std::size_t offset) {
      return [this, &builder, offset](unsigned dimension) {
        return place_.number(builder, offset + std::size_t{8} * dimension);
      };
    };
    const auto global_id = [&](unsigned dimension) {
      llvm::Value* const first = builder.CreateMul(
          at(offsetof(gputest_context, group_id))(dimension),
          at(offsetof(gputest_context, enqueued_local_size))(dimension), "", true, true);
      return builder.CreateAdd(builder.CreateAdd(first, place_.local_id(dimension), "", true, true),
                               at(offsetof(gputest_context, global_offset))(dimension), "", true,
                               true);
    };
    const auto local_id = [&](unsigned dimension) { return place_.local_id(dimension); };
    const auto answer = [&](std::uint64_t beyond, const Place::OfDimension& value) {
      return place_.by_dimension(builder, call.getArgOperand(0), beyond, value);
    };
    if (name == "_Z13get_global_idj")
      return answer(0, global_id);
    if (name == "_Z12get_local_idj")
      return answer(0, local_id);
    if (name == "_Z12get_group_idj")
      return answer(0, at(offsetof(gputest_context, group_id)));
    if (name == "_Z15get_global_sizej")
      return answer(1, at(offsetof(gputest_context, global_size)));
    if (name == "_Z14get_local_sizej")
      return answer(1, at(offsetof(gputest_context, local_size)));
    if (name == "_Z23get_enqueued_local_sizej")
      return answer(1, at(offsetof(gputest_context, enqueued_local_size)));
    if (name == "_Z14get_num_groupsj")
      return answer(1, at(offsetof(gputest_context, num_groups)));
    if (name == "_Z17get_global_offsetj")
      return answer(0, at(offsetof(gputest_context, global_offset)));
    if (name == "gputest_is_cooperative")
      return place_.number(builder, offsetof(gputest_context, cooperative));
    if (name == "gputest_cluster_size")
      return answer(0, at(offsetof(gputest_context, cluster)));
    if (name == "_Z12get_work_dimv")
      return place_.number(builder, offsetof(gputest_context, work_dim));
    if (name == "_Z19get_local_linear_idv" || name == "_Z20get_global_linear_idv")
      return linear_id(builder, name == "_Z19get_local_linear_idv");
    return nullptr;
  }

  llvm::Value* linear_id(Builder& builder, bool local) const {
    const auto size = [&](unsigned dimension) {
      return place_.number(builder, (local ? offsetof(gputest_context, local_size)
                                           : offsetof(gputest_context, global_size)) +
                                        std::size_t{8} * dimension);
    };
    const auto id = [&](unsigned dimension) -> llvm::Value* {
      if (local)
        return place_.local_id(dimension);
      llvm::Value* const group =
          place_.number(builder, offsetof(gputest_context, group_id) + std::size_t{8} * dimension);
      llvm::Value* const width = place_.number(
          builder, offsetof(gputest_context, enqueued_local_size) + std::size_t{8} * dimension);
      return builder.CreateAdd(builder.CreateMul(group, width), place_.local_id(dimension));
    };
    llvm::Value* const rows = builder.CreateAdd(builder.CreateMul(id(2), size(1)), id(1));
    return builder.CreateAdd(builder.CreateMul(rows, size(0)), id(0));
  }

  void barrier(Builder& builder, llvm::CallInst& call) {
    const llvm::FunctionCallee wait = item_.getParent()->getOrInsertFunction(
        kBarrierFunction, builder.getVoidTy(), builder.getInt32Ty(), builder.getInt32Ty());
    builder.CreateCall(wait, {call.getArgOperand(0), builder.getInt32(site_of(call, shape_))});
    call.eraseFromParent();
    shape_.has_barriers = true;
  }

  // mem_fence(flags). One for local memory alone is of the group; OpenCL C 1.2 has no wider fence
  // than one for global memory.
  void memory_fence(Builder& builder, llvm::CallInst& call) {
    constexpr std::uint64_t kLocalMemory = 1; // CLK_LOCAL_MEM_FENCE
    const auto* const flags = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    if (keeps_fences_)
      call_by_name(
          builder, kFenceFunction, builder.getVoidTy(),
          {builder.getInt32(flags && flags->getZExtValue() == kLocalMemory ? kFenceOfBlock
                                                                           : kFenceOfDevice)});
    call.eraseFromParent();
  }

  // atomic_work_item_fence(flags, order, scope)
  void fence(Builder& builder, llvm::CallInst& call) {
    constexpr std::uint64_t kRelaxed = 0, kOfDevice = 2, kOfAllDevices = 3; // in Clang's headers
    const auto* const order = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
    const auto* const scope = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
    const bool of_device =
        !scope || scope->getZExtValue() == kOfDevice || scope->getZExtValue() == kOfAllDevices;
    if (keeps_fences_ && !(order && order->getZExtValue() == kRelaxed))
      call_by_name(builder, kFenceFunction, builder.getVoidTy(),
                   {builder.getInt32(of_device ? kFenceOfDevice : kFenceOfBlock)});
    call.eraseFromParent();
  }

  // Where work-group and sub-group functions find the value of a work-item
  // (templates/simulator/collectives.cl).
  llvm::Value* place_of_item(Builder& builder, llvm::Value* item) {
    shape_.collectives = true;
    llvm::Value* const at =
        builder.CreateAdd(builder.CreateMul(item, builder.getInt64(sizeof(gputest_u64))),
                          builder.getInt64(offsetof(gputest_slots, place)));
    return builder.CreateInBoundsGEP(builder.getInt8Ty(),
                                     place_.pointer(builder, offsetof(gputest_context, slots)), at);
  }

  // Writes kind, mask, parameter and value to the thread's slot. When the thread goes on, the
  // answer is there (templates/simulator/warps.c).
  void ask(Builder& builder, llvm::CallInst& call, const std::array<llvm::Value*, 4>& what,
           bool of_warp) {
    llvm::Value* const place = builder.getInt32(site_of(call, shape_));
    const auto slot_part = [&](std::size_t offset, std::size_t size) {
      llvm::Value* const slots = place_.pointer(builder, offsetof(gputest_context, slots));
      llvm::Value* const at = builder.CreateAdd(
          builder.CreateMul(linear_id(builder, true), builder.getInt64(size), "", true, true),
          builder.getInt64(offset), "", true, true);
      return builder.CreateInBoundsGEP(builder.getInt8Ty(), slots, at);
    };
    const auto half = [&](std::size_t offset) { return slot_part(offset, sizeof(gputest_u32)); };
    const auto word = [&](std::size_t offset) { return slot_part(offset, sizeof(gputest_u64)); };
    builder.CreateStore(what[0], half(offsetof(gputest_slots, kind)));
    const auto* const kind = llvm::dyn_cast<llvm::ConstantInt>(what[0]);
    const bool asks = !kind || kind->getZExtValue() != GPUTEST_WARP_STEP;
    if (asks) {
      builder.CreateStore(builder.CreateTrunc(what[1], builder.getInt32Ty()),
                          half(offsetof(gputest_slots, mask)));
      if (shape_.warp_size > 32)
        builder.CreateStore(
            builder.CreateTrunc(builder.CreateLShr(what[1], 32), builder.getInt32Ty()),
            half(offsetof(gputest_slots, upper_mask)));
    }
    builder.CreateStore(what[2], half(offsetof(gputest_slots, parameter)));
    builder.CreateStore(place, half(offsetof(gputest_slots, site)));
    if (asks)
      builder.CreateStore(what[3], word(offsetof(gputest_slots, value)));
    if (of_warp) {
      llvm::CallInst* const stop =
          builder.CreateCall(item_.getParent()->getOrInsertFunction(
                                 kWarpFunction, builder.getVoidTy(), builder.getInt32Ty()),
                             {place});
      if (kind && kind->getZExtValue() == GPUTEST_WARP_SPIN)
        stop->setMetadata(kSpinMark, llvm::MDNode::get(builder.getContext(), {}));
    } else {
      builder.CreateCall(
          item_.getParent()->getOrInsertFunction(kBarrierFunction, builder.getVoidTy(),
                                                 builder.getInt32Ty(), builder.getInt32Ty()),
          {builder.getInt32(3), place});
    }
    call.replaceAllUsesWith(
        builder.CreateLoad(builder.getInt64Ty(), word(offsetof(gputest_slots, result))));
    call.eraseFromParent();
    shape_.has_barriers = shape_.warps = true;
  }

  // The functions of templates/simulator/copies.cl take events as numbers.
  void copy(Builder& builder, llvm::CallInst& call, bool to_local) {
    std::vector<llvm::Value*> arguments{linear_id(builder, true),
                                        builder.getInt32(site_of(call, shape_))};
    for (unsigned i = 0; i < 2; ++i)
      arguments.push_back(builder.CreateAddrSpaceCast(call.getArgOperand(i), builder.getPtrTy()));
    for (unsigned i = 2; i < 6; ++i)
      arguments.push_back(call.getArgOperand(i));
    arguments.push_back(builder.CreatePtrToInt(call.getArgOperand(6), builder.getInt64Ty()));
    arguments.push_back(builder.getInt32(to_local));
    call.replaceAllUsesWith(builder.CreateIntToPtr(
        call_by_name(builder, kCopyFunction, builder.getInt64Ty(), arguments), call.getType()));
    call.eraseFromParent();
    shape_.copies = true;
  }

  void wait(Builder& builder, llvm::CallInst& call) {
    call_by_name(builder, kWaitFunction, builder.getVoidTy(),
                 {linear_id(builder, true), builder.getInt32(site_of(call, shape_)),
                  call.getArgOperand(0), call.getArgOperand(1),
                  builder.CreatePtrToInt(call.getArgOperand(2), builder.getInt64Ty())});
    call.eraseFromParent();
    shape_.copies = true;
  }

  llvm::Function& item_;
  KernelShape& shape_;
  bool keeps_fences_;
  Place place_;
  std::string missing_;
};

} // namespace

void lower_work_item_functions(llvm::Function& item, KernelShape& shape, bool keeps_fences) {
  for (llvm::Function& function : *item.getParent()) {
    drop_expectations(function);
    split_fused(function);
  }
  Lowering(item, shape, keeps_fences).run();
}

} // namespace gputest::ir
