// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/kernels/pipes.h"

#include "ir/call.h"
#include "ir/places.h"

namespace gputest::ir {

bool lower_pipe(llvm::IRBuilder<>& builder, llvm::CallInst& call, KernelShape& shape) {
  const llvm::StringRef name = call.getCalledFunction()->getName();
  if (name == "_Z19is_valid_reserve_id13ocl_reserveid") {
    call.replaceAllUsesWith(builder.CreateIsNotNull(call.getArgOperand(0)));
    call.eraseFromParent();
    return true;
  }
  if (!name.starts_with("gputest_pipe_"))
    return false;
  call_by_name(builder, "gputest_pipe_site", builder.getVoidTy(),
               {builder.getInt32(site_of(call, shape))});
  return true;
}

} // namespace gputest::ir
