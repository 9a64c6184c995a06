// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/checks/samplers.h"

#include "simulator/checks/report.h"

#include <vector>

namespace gputest::simulator {
namespace {

// Bits of a sampler, as Clang has them.
constexpr unsigned kNormalized = 1, kAddressing = 0xE, kRepeat = 6, kLinear = 0x20;

} // namespace

void check_samplers(CheckedKernel& kernel) {
  std::vector<llvm::CallInst*> reads;
  for (llvm::BasicBlock& block : kernel.item)
    for (llvm::Instruction& instruction : block)
      if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() &&
          (call->getCalledFunction()->getName().starts_with("gputest_read_image") ||
           call->getCalledFunction()->getName().starts_with("gputest_fetch_image")))
        reads.push_back(call);
  for (llvm::CallInst* read : reads) {
    const llvm::StringRef name = read->getCalledFunction()->getName();
    const bool of_integers = name.ends_with("imagei"), at_integers = name.contains("fetch");
    llvm::IRBuilder<> builder(read);
    llvm::Value* const sampler = read->getArgOperand(1);
    const auto has = [&](unsigned bits) {
      return builder.CreateICmpNE(builder.CreateAnd(sampler, builder.getInt32(bits)),
                                  builder.getInt32(0));
    };
    llvm::Value* const repeats = builder.CreateICmpUGE(
        builder.CreateAnd(sampler, builder.getInt32(kAddressing)), builder.getInt32(kRepeat));
    llvm::Value *const normalized = has(kNormalized), *const linear = has(kLinear);
    llvm::Value* const wraps = builder.CreateAnd(repeats, builder.CreateNot(normalized));
    if (at_integers)
      report_where(builder, kernel, *read,
                   builder.CreateOr(normalized, builder.CreateOr(linear, repeats)),
                   "undefined_read",
                   "reads a pixel at integer coordinates with a sampler that is normalized, linear "
                   "or repeats: the value is undefined");
    else if (of_integers)
      report_where(builder, kernel, *read, linear, "undefined_read",
                   "reads an image of integers with a linear sampler: the value is undefined");
    if (!at_integers)
      report_where(builder, kernel, *read, wraps, "undefined_read",
                   "reads an image with a sampler that repeats and whose coordinates are not "
                   "normalized: the value is undefined");
  }
}

} // namespace gputest::simulator
