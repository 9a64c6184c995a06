// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/phases.h"

#include "ir/call.h"
#include "ir/cuda/ptx/memory.h"
#include "ir/lowered_names.h"
#include "templates/simulator/context.h"

namespace gputest::ir {
namespace {

// The 8 bytes of a barrier, which only these instructions read: the pending arrivals, the arrivals
// of each phase, and the number of the phase.
class PtxBarrier {
public:
  PtxBarrier(llvm::IRBuilder<>& builder, llvm::Value* at) : builder_(builder), at_(at) {}

  void init(llvm::Value* count) {
    store(kPending, count);
    store(kExpected, count);
    store(kPhase, builder_.getInt32(0));
  }

  void drop() { store(kExpected, builder_.CreateSub(load(kExpected), builder_.getInt32(1))); }

  // Returns the phase before the arrival.
  llvm::Value* arrive(llvm::Value* count) {
    llvm::Value *const phase = load(kPhase), *const pending = load(kPending);
    call_by_name(builder_, kAsyncArrive, builder_.getVoidTy(),
                 {builder_.CreatePtrToInt(place(kPhase), builder_.getInt64Ty()),
                  builder_.CreateZExt(builder_.CreateAdd(phase, builder_.getInt32(1)),
                                      builder_.getInt64Ty()),
                  builder_.getInt32(0)});
    llvm::Value* const is_last = builder_.CreateICmpEQ(pending, count);
    store(kPending,
          builder_.CreateSelect(is_last, load(kExpected), builder_.CreateSub(pending, count)));
    llvm::Value* const next =
        builder_.CreateAdd(phase, builder_.CreateZExt(is_last, builder_.getInt32Ty()));
    of_copies("gputest_async_complete", next);
    store(kPhase, next);
    return phase;
  }

  void bind_copies() { of_copies("gputest_async_bind", load(kPhase)); }

  void wait(llvm::Value* phase) {
    call_by_name(builder_, "gputest_warp", builder_.getInt64Ty(),
                 {builder_.getInt32(GPUTEST_WARP_AWAIT), builder_.getInt64(0),
                  builder_.CreatePtrToInt(place(kPhase), builder_.getInt64Ty()),
                  builder_.CreateAdd(phase, builder_.getInt32(1))});
  }

  // Whether the phase of this parity has ended: the present one or the one before.
  void wait_parity(llvm::Value* parity) {
    llvm::Value* const phase = load(kPhase);
    llvm::Value* const is_this =
        builder_.CreateICmpEQ(builder_.CreateAnd(phase, 1), builder_.CreateAnd(parity, 1));
    wait(builder_.CreateSelect(is_this, phase, builder_.CreateSub(phase, builder_.getInt32(1))));
  }

private:
  struct Field {
    unsigned at, bits;
  };
  static constexpr Field kPending{0, 16}, kExpected{2, 16}, kPhase{4, 32};

  void of_copies(const char* function, llvm::Value* phase) {
    call_by_name(builder_, function, builder_.getVoidTy(),
                 {builder_.CreatePtrToInt(place(kPhase), builder_.getInt64Ty()),
                  builder_.CreateZExt(phase, builder_.getInt64Ty())});
  }

  llvm::Value* place(Field field) {
    return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), at_, field.at);
  }
  llvm::Value* load(Field field) {
    llvm::LoadInst* const value = builder_.CreateLoad(builder_.getIntNTy(field.bits), place(field));
    value->setAtomic(llvm::AtomicOrdering::Monotonic);
    return builder_.CreateZExt(value, builder_.getInt32Ty());
  }
  void store(Field field, llvm::Value* value) {
    builder_.CreateStore(builder_.CreateTrunc(value, builder_.getIntNTy(field.bits)), place(field))
        ->setAtomic(llvm::AtomicOrdering::Monotonic);
  }

  llvm::IRBuilder<>& builder_;
  llvm::Value* at_;
};

} // namespace

bool use_barrier(llvm::IRBuilder<>& builder, PtxOperands& values, const PtxTexts& parts,
                 const PtxTexts& operands) {
  const auto has = [&](llvm::StringRef word) { return has_part(parts, word); };
  for (const char* other : {"shared::cluster", "expect_tx", "complete_tx"})
    if (has(other))
      return false;
  const bool by_copies = parts[0] == "cp"; // cp.async.mbarrier.arrive.noinc.shared.b64 [at]
  const llvm::StringRef what = by_copies ? "arrive" : parts.size() > 1 ? parts[1] : "";
  const bool gives = !by_copies && what != "init" && what != "inval";
  const std::size_t first = gives ? 1 : 0;
  if (operands.size() <= first)
    return false;
  llvm::Value* const at = place_of(builder, values, operands[first], has("shared"));
  const auto number = [&](std::size_t index) -> llvm::Value* {
    return index < operands.size() ? values.read(operands[index], builder.getInt32Ty())
                                   : builder.getInt32(1);
  };
  llvm::Value* const other = number(first + 1); // a count, or a phase
  if (!at || !other)
    return false;
  PtxBarrier barrier(builder, at);
  if (what == "init") {
    barrier.init(other);
    return operands.size() == 2;
  }
  if (what == "inval")
    return operands.size() == 1;
  if (by_copies) { // without noinc, the barrier counts one more arrival
    barrier.bind_copies();
    if (has("noinc"))
      barrier.arrive(builder.getInt32(1));
    return true;
  }
  if (what == "arrive" || what == "arrive_drop") {
    if (what == "arrive_drop")
      barrier.drop();
    return values.write(operands[0],
                        builder.CreateZExt(barrier.arrive(other), builder.getInt64Ty()));
  }
  if ((what != "test_wait" && what != "try_wait") || operands.size() < 3)
    return false;
  if (has("parity"))
    barrier.wait_parity(other);
  else
    barrier.wait(other);
  return values.write(operands[0], builder.getTrue());
}

} // namespace gputest::ir
