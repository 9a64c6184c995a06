// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/stops.h"

#include "ir/call.h"
#include "ir/lowered_names.h"
#include "simulator/execute/visits.h"
#include "templates/simulator/context.h"

namespace gputest::simulator {

bool is_stop(const llvm::Instruction& instruction) {
  return ir::is_call(instruction, ir::kBarrierFunction) ||
         ir::is_call(instruction, kVisitFunction) || ir::is_call(instruction, ir::kWarpFunction);
}

llvm::Value* status_of_stop(llvm::IRBuilder<>& builder, const llvm::CallInst& stop) {
  llvm::Value* status = nullptr;
  if (ir::is_call(stop, ir::kWarpFunction)) { // 1 + site, and the flag for a warp
    status = builder.CreateOr(builder.CreateAdd(stop.getArgOperand(0), builder.getInt32(1)),
                              GPUTEST_WAITS_FOR_WARP);
  } else { // 1 + site, and the fence's flags above
    llvm::Value* const flags = builder.CreateShl(
        builder.CreateAnd(stop.getArgOperand(0), builder.getInt32(3)), builder.getInt32(28));
    status = builder.CreateOr(builder.CreateAdd(stop.getArgOperand(1), builder.getInt32(1)), flags);
  }
  return builder.CreateZExt(status, builder.getInt64Ty());
}

} // namespace gputest::simulator
