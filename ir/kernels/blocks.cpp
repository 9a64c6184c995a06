// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/blocks.h"

#include "ir/call.h"
#include "ir/places.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <array>
#include <optional>
#include <vector>

namespace gputest::ir {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr const char* kEnqueue = "__enqueue_kernel_";

bool takes_block_kernel(const llvm::CallInst& call) {
  const llvm::Function* const callee = call.getCalledFunction();
  return callee && callee->isDeclaration() &&
         (callee->getName().starts_with(kEnqueue) ||
          callee->getName().starts_with("__get_kernel_"));
}

// The arguments of one of Clang's four functions that enqueue a block; -1: it has no such argument.
struct EnqueueForm {
  int events, event, kernel, sizes; // `events`: their number, and behind it their list
};
constexpr int kQueue = 0, kFlags = 1, kRange = 2, kNone = -1;

std::optional<EnqueueForm> form_of(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<EnqueueForm>>(name)
      .Case("__enqueue_kernel_basic", EnqueueForm{kNone, kNone, 3, kNone})
      .Case("__enqueue_kernel_basic_events", EnqueueForm{3, 5, 6, kNone})
      .Case("__enqueue_kernel_varargs", EnqueueForm{kNone, kNone, 3, 5})
      .Case("__enqueue_kernel_events_varargs", EnqueueForm{3, 5, 6, 8})
      .Default(std::nullopt);
}

// The simulator's functions that take the same arguments.
llvm::StringRef native_of(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Case("_Z17get_default_queuev", "gputest_default_queue")
      .Case("_Z17create_user_eventv", "gputest_user_event")
      .Case("_Z12retain_event12ocl_clkevent", "gputest_retain_event")
      .Case("_Z13release_event12ocl_clkevent", "gputest_release_event")
      .Case("_Z14is_valid_event12ocl_clkevent", "gputest_is_valid_event")
      .Case("_Z21set_user_event_status12ocl_clkeventi", "gputest_set_event_status")
      .Case("_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v", "gputest_capture_times")
      .Case("__get_kernel_work_group_size_impl", "gputest_group_size_of_kernel")
      .Default("");
}

constexpr const char* kMarker = "_Z14enqueue_marker9ocl_queuejPK12ocl_clkeventPS0_";

llvm::Value* plain(Builder& builder, llvm::Value* pointer) {
  return builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
}

// Stores the event of what has just been enqueued, here and not in the native function, so that
// checks see it. `event`: may be null.
void store_event(Builder& builder, llvm::Value* event) {
  llvm::BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  Builder first(&entry, entry.getFirstInsertionPt());
  llvm::Value* const nowhere = first.CreateAlloca(builder.getPtrTy(), nullptr, "no.event");
  builder.CreateStore(call_by_name(builder, "gputest_last_event", builder.getPtrTy()),
                      builder.CreateSelect(builder.CreateIsNull(event), nowhere, event));
}

void enqueue(Builder& builder, llvm::CallInst& call, const EnqueueForm& form, KernelShape& shape) {
  const auto argument = [&](int index) {
    return index == kNone ? nullptr : call.getArgOperand(static_cast<unsigned>(index));
  };
  const auto pointer = [&](int index) -> llvm::Value* {
    llvm::Value* const value = argument(index);
    return value ? plain(builder, value) : llvm::ConstantPointerNull::get(builder.getPtrTy());
  };
  const auto number = [&](int index) -> llvm::Value* {
    return index == kNone ? builder.getInt32(0) : argument(index);
  };
  const int list = form.events == kNone ? kNone : form.events + 1;
  const int lengths = form.sizes == kNone ? kNone : form.sizes + 1;
  llvm::Value* const event = pointer(form.event);
  call.replaceAllUsesWith(call_by_name(
      builder, "gputest_enqueue", builder.getInt32Ty(),
      {builder.getInt32(site_of(call, shape)), pointer(kQueue), number(kFlags), pointer(kRange),
       number(form.events), pointer(list),
       builder.CreateZExt(builder.CreateIsNotNull(event), builder.getInt32Ty()),
       pointer(form.kernel), pointer(form.kernel + 1), number(form.sizes), pointer(lengths)}));
  if (form.event != kNone)
    store_event(builder, event);
}

void enqueue_marker(Builder& builder, llvm::CallInst& call, KernelShape& shape) {
  llvm::Value* const event = plain(builder, call.getArgOperand(3));
  call.replaceAllUsesWith(
      call_by_name(builder, "gputest_enqueue_marker", builder.getInt32Ty(),
                   {builder.getInt32(site_of(call, shape)), plain(builder, call.getArgOperand(0)),
                    call.getArgOperand(1), plain(builder, call.getArgOperand(2)),
                    builder.CreateZExt(builder.CreateIsNotNull(event), builder.getInt32Ty())}));
  store_event(builder, event);
}

} // namespace

bool is_block_kernel(const llvm::Function& function) {
  return function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL &&
         !function.hasMetadata("kernel_arg_type") && function.getName().ends_with("_kernel");
}

void name_blocks(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call)
        continue;
      if (takes_block_kernel(*call))
        for (llvm::Use& argument : call->args())
          if (const auto* const kernel =
                  llvm::dyn_cast<llvm::Function>(argument->stripPointerCasts())) {
            Builder builder(call);
            argument.set(builder.CreateGlobalStringPtr(kernel->getName(), "block.kernel"));
          }
    }
  // The address of a block's function is in its literal, where nobody reads it.
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.hasAddressTaken())
      function.replaceUsesWithIf(
          llvm::ConstantPointerNull::get(function.getType()), [](const llvm::Use& use) {
            const auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
            return (!call || !call->isCallee(&use)) &&
                   !llvm::isa<llvm::BlockAddress>(use.getUser());
          });
}

bool lower_device_queue(Builder& builder, llvm::CallInst& call, KernelShape& shape) {
  const llvm::StringRef name = call.getCalledFunction()->getName();
  if (const std::optional<EnqueueForm> form = form_of(name)) {
    enqueue(builder, call, *form, shape);
    shape.enqueues = true;
  } else if (name == kMarker) {
    enqueue_marker(builder, call, shape);
    shape.enqueues = true;
  } else if (name == "__get_kernel_preferred_work_group_size_multiple_impl") {
    call.replaceAllUsesWith(builder.getInt32(shape.warp_size));
  } else if (name == "__get_kernel_max_sub_group_size_for_ndrange_impl" ||
             name == "__get_kernel_sub_group_count_for_ndrange_impl") {
    call.replaceAllUsesWith(call_by_name(
        builder,
        name.contains("count") ? "gputest_sub_groups_of_range" : "gputest_sub_group_size_of_range",
        builder.getInt32Ty(),
        {plain(builder, call.getArgOperand(0)), builder.getInt32(shape.warp_size)}));
  } else if (const llvm::StringRef native = native_of(name); !native.empty()) {
    llvm::SmallVector<llvm::Value*> arguments;
    for (llvm::Value* argument : call.args())
      arguments.push_back(argument->getType()->isPointerTy() ? plain(builder, argument) : argument);
    llvm::Type* const result =
        call.getType()->isIntegerTy(1) ? builder.getInt32Ty() : call.getType();
    llvm::Value* value = call_by_name(builder, native, result, arguments);
    if (call.getType() != result)
      value = builder.CreateICmpNE(value, builder.getInt32(0));
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(value);
    shape.enqueues = true;
  } else {
    return false;
  }
  call.eraseFromParent();
  return true;
}

} // namespace gputest::ir
