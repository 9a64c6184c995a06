// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/special_registers.h"

#include "ir/call.h"
#include "ir/cuda/warp_size.h"

#include <llvm/ADT/StringSwitch.h>

namespace gputest::ir {
namespace {

llvm::Value* thread(llvm::IRBuilder<>& builder) {
  return call_by_name(builder, "_Z19get_local_linear_idv", builder.getInt32Ty());
}
llvm::Value* warp_size(llvm::IRBuilder<>& builder) {
  return call_by_name(builder, kWarpSizeFunction, builder.getInt32Ty());
}
llvm::Value* lane(llvm::IRBuilder<>& builder) {
  return builder.CreateURem(thread(builder), warp_size(builder));
}
llvm::Value* clock(llvm::IRBuilder<>& builder) {
  return call_by_name(builder, "gputest_clock", builder.getInt64Ty());
}

} // namespace

llvm::Value* special_register(llvm::IRBuilder<>& builder, llvm::StringRef name) {
  const auto [of, dimension] = name.split('.');
  if (const llvm::StringRef function = llvm::StringSwitch<llvm::StringRef>(of)
                                           .Case("tid", "_Z12get_local_idj")
                                           .Case("ctaid", "_Z12get_group_idj")
                                           .Case("ntid", "_Z23get_enqueued_local_sizej")
                                           .Case("nctaid", "_Z14get_num_groupsj")
                                           .Default("");
      !function.empty())
    return dimension.size() == 1 && dimension[0] >= 'x' && dimension[0] <= 'z'
               ? call_by_name(builder, function, builder.getInt32Ty(),
                              {builder.getInt32(static_cast<unsigned>(dimension[0] - 'x'))})
               : nullptr;
  if (name == "laneid")
    return lane(builder);
  if (name == "warpid")
    return builder.CreateUDiv(thread(builder), warp_size(builder));
  if (name == "warpsize")
    return warp_size(builder);
  if (name == "smid" || name == "gridid")
    return builder.getInt32(0);
  if (name == "dynamic_smem_size")
    return call_by_name(builder, "gputest_dynamic_shared", builder.getInt32Ty());
  if (name == "nsmid")
    return builder.getInt32(1);
  if (name == "clock" || name == "globaltimer_lo")
    return builder.CreateTrunc(clock(builder), builder.getInt32Ty());
  if (name == "clock_hi" || name == "globaltimer_hi")
    return builder.CreateTrunc(builder.CreateLShr(clock(builder), 32), builder.getInt32Ty());
  if (name == "clock64" || name == "globaltimer")
    return clock(builder);
  if (!name.consume_front("lanemask_"))
    return nullptr;
  // PTX's masks have 32 bits, so those of the lanes from 32 on are cut.
  llvm::Value* const bit = builder.CreateShl(
      builder.getInt64(1), builder.CreateZExt(lane(builder), builder.getInt64Ty()));
  llvm::Value* const own = builder.CreateTrunc(bit, builder.getInt32Ty());
  llvm::Value* const below =
      builder.CreateTrunc(builder.CreateSub(bit, builder.getInt64(1)), builder.getInt32Ty());
  return name == "eq"   ? own
         : name == "lt" ? below
         : name == "le" ? builder.CreateOr(own, below)
         : name == "gt" ? builder.CreateNot(builder.CreateOr(own, below))
         : name == "ge" ? builder.CreateNot(below)
                        : nullptr;
}

} // namespace gputest::ir
