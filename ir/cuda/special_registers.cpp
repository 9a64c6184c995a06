// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/special_registers.h"

#include "ir/call.h"
#include "ir/cuda/warp_size.h"

#include <llvm/ADT/StringSwitch.h>

#include <cstdint>

namespace gputest::ir {
namespace {

constexpr std::uint32_t kThreadsOfMultiprocessor = 2048; // as in cuda/runtime/limits.h

llvm::Value* thread(llvm::IRBuilder<>& builder) {
  return call_by_name(builder, "_Z19get_local_linear_idv", builder.getInt32Ty());
}
llvm::Value* warp_size(llvm::IRBuilder<>& builder) {
  return call_by_name(builder, kWarpSizeFunction, builder.getInt32Ty());
}
llvm::Value* lane(llvm::IRBuilder<>& builder) {
  return builder.CreateURem(thread(builder), warp_size(builder));
}
llvm::Value* of_dimension(llvm::IRBuilder<>& builder, llvm::StringRef function,
                          unsigned dimension) {
  return call_by_name(builder, function, builder.getInt32Ty(), {builder.getInt32(dimension)});
}
constexpr const char* kBlock = "_Z12get_group_idj";
constexpr const char* kBlocks = "_Z14get_num_groupsj";
constexpr const char* kThreads = "_Z23get_enqueued_local_sizej";
constexpr const char* kClusterSize = "gputest_cluster_size"; // 1 where the launch has no clusters
llvm::Value* product(llvm::IRBuilder<>& builder, llvm::StringRef function) {
  llvm::Value* all = of_dimension(builder, function, 0);
  for (unsigned dimension = 1; dimension < 3; ++dimension)
    all = builder.CreateMul(all, of_dimension(builder, function, dimension));
  return all;
}
// The block's number in its cluster, in one dimension.
llvm::Value* block_in_cluster(llvm::IRBuilder<>& builder, unsigned dimension) {
  return builder.CreateURem(of_dimension(builder, kBlock, dimension),
                            of_dimension(builder, kClusterSize, dimension));
}
llvm::Value* rank_in_cluster(llvm::IRBuilder<>& builder) {
  llvm::Value* rank = block_in_cluster(builder, 2);
  for (const unsigned dimension : {1U, 0U})
    rank =
        builder.CreateAdd(builder.CreateMul(rank, of_dimension(builder, kClusterSize, dimension)),
                          block_in_cluster(builder, dimension));
  return rank;
}
llvm::Value* of_cluster(llvm::IRBuilder<>& builder, llvm::StringRef name, unsigned dimension) {
  llvm::Value* const size = of_dimension(builder, kClusterSize, dimension);
  if (name == "cluster_nctaid")
    return size;
  if (name == "cluster_ctaid")
    return block_in_cluster(builder, dimension);
  return builder.CreateUDiv(
      of_dimension(builder, name == "clusterid" ? kBlock : kBlocks, dimension), size);
}
llvm::Value* own_shared(llvm::IRBuilder<>& builder) {
  return builder.CreateAdd(call_by_name(builder, kStaticShared, builder.getInt32Ty()),
                           call_by_name(builder, "gputest_dynamic_shared", builder.getInt32Ty()));
}
// In units of 128 bytes (PTX ISA, "%total_smem_size").
llvm::Value* all_shared(llvm::IRBuilder<>& builder) {
  constexpr std::uint32_t kUnit = 128;
  return builder.CreateAnd(builder.CreateAdd(own_shared(builder), builder.getInt32(kUnit - 1)),
                           builder.getInt32(~(kUnit - 1)));
}
llvm::Value* clock(llvm::IRBuilder<>& builder) {
  return call_by_name(builder, "gputest_clock", builder.getInt64Ty());
}

} // namespace

llvm::Value* special_register(llvm::IRBuilder<>& builder, llvm::StringRef name) {
  const auto [of, dimension] = name.split('.');
  if (const llvm::StringRef function = llvm::StringSwitch<llvm::StringRef>(of)
                                           .Case("tid", "_Z12get_local_idj")
                                           .Case("ctaid", kBlock)
                                           .Case("ntid", kThreads)
                                           .Case("nctaid", kBlocks)
                                           .Default("");
      !function.empty() || of == "cluster_nctaid" || of == "cluster_ctaid" || of == "clusterid" ||
      of == "nclusterid") {
    if (dimension.size() != 1 || dimension[0] < 'x' || dimension[0] > 'z')
      return nullptr;
    const auto number = static_cast<unsigned>(dimension[0] - 'x');
    return function.empty() ? of_cluster(builder, of, number)
                            : of_dimension(builder, function, number);
  }
  if (name == "laneid")
    return lane(builder);
  if (name == "warpid")
    return builder.CreateUDiv(thread(builder), warp_size(builder));
  if (name == "warpsize")
    return warp_size(builder);
  if (name == "nwarpid") // of a multiprocessor, as an H200 has it, whatever the block's size is
    return builder.CreateUDiv(builder.getInt32(kThreadsOfMultiprocessor), warp_size(builder));
  if (name == "smid" || name == "gridid" || name == "current_graph_exec")
    return builder.getInt32(0);
  if (name == "cluster_ctarank")
    return rank_in_cluster(builder);
  if (name == "cluster_nctarank")
    return product(builder, kClusterSize);
  if (name == "is_explicit_cluster")
    return builder.CreateICmpUGT(product(builder, kClusterSize), builder.getInt32(1));
  if (name == "total_smem_size")
    return all_shared(builder);
  if (name == "aggr_smem_size") // with what the system reserves; not in units, as on an H200
    return builder.CreateAdd(own_shared(builder), builder.getInt32(1024));
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
