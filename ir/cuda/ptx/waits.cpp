// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/waits.h"

#include "ir/call.h"
#include "ir/lowered_names.h"
#include "templates/simulator/context.h"

#include <llvm/ADT/StringSwitch.h>

#include <optional>

namespace gputest::ir {
namespace {

class PtxWait : PtxStep {
public:
  explicit PtxWait(const PtxStep& step) : PtxStep(step) {}

  bool run() {
    const llvm::StringRef name = parts_[0];
    if (name == "activemask")
      return operands_.size() == 1 &&
             give(warp(GPUTEST_WARP_ACTIVE, wide(number(0)), wide(number(0)), number(0)));
    if (name == "match")
      return match();
    if (name == "bar" || name == "barrier")
      return parts_.size() > 1 && parts_[1] == "warp" ? whole_warp()
             : has("red")                             ? block_vote()
                                                      : block();
    if (operands_.empty() || parts_.size() < 3)
      return false;
    if (name == "shfl")
      return shuffle();
    if (name == "vote")
      return vote();
    return parts_[1] == "sync" && reduce();
  }

private:
  llvm::Value* wide(llvm::Value* value) {
    return builder_.CreateZExt(value, builder_.getInt64Ty());
  }
  llvm::Value* word(unsigned index) {
    return index < operands_.size() ? values_.read(operands_[index], builder_.getInt32Ty())
                                    : nullptr;
  }
  bool give(llvm::Value* value) {
    return values_.write(operands_[0], builder_.CreateTrunc(value, builder_.getInt32Ty()));
  }

  bool whole_warp() { // bar.warp.sync $0
    llvm::Value* const mask = word(0);
    return mask && warp(GPUTEST_WARP_SYNC, wide(mask), wide(number(0)), number(0));
  }

  // Returns the lanes that take part: without `sync`, those that are active. PTX's masks name the
  // lanes 0 to 31.
  llvm::Value* members(unsigned index) {
    if (parts_[1] != "sync")
      return warp(GPUTEST_WARP_ACTIVE, wide(number(0)), wide(number(0)), number(0));
    llvm::Value* const mask = word(index);
    return mask ? wide(mask) : nullptr;
  }

  bool shuffle() { // shfl.sync.bfly.b32 $0|p, $1, $2, $3, $4: p says whether there is such a lane
    const llvm::StringRef how = parts_[parts_[1] == "sync" ? 2 : 1];
    llvm::Value *const value = word(1), *const by = word(2), *const range = word(3),
                       *const mask = members(4);
    if (!value || !by || !range || !mask)
      return false;
    // The upper half of the range is a mask of the lane's bits that all lanes of a part share. The
    // lower half is the last lane (with `up`: the first). A lane that would read past it reads its
    // own value (PTX ISA, shfl.sync).
    llvm::Value* const common = builder_.CreateAnd(builder_.CreateLShr(range, 8), number(31));
    llvm::Value* const others = builder_.CreateNot(common);
    llvm::Value* const steps = builder_.CreateAnd(by, number(31));
    llvm::Value* const lane =
        builder_.CreateAnd(values_.read("%laneid", builder_.getInt32Ty()), number(31));
    llvm::Value* const least = builder_.CreateAnd(lane, common);
    llvm::Value* const most =
        builder_.CreateOr(least, builder_.CreateAnd(builder_.CreateAnd(range, number(31)), others));
    llvm::Value* const from = how == "up"     ? builder_.CreateSub(lane, steps)
                              : how == "down" ? builder_.CreateAdd(lane, steps)
                              : how == "bfly" ? builder_.CreateXor(lane, steps)
                              : how == "idx"
                                  ? builder_.CreateOr(least, builder_.CreateAnd(steps, others))
                                  : nullptr;
    if (!from)
      return false;
    llvm::Value* const there =
        how == "up" ? builder_.CreateICmpSGE(from, most) : builder_.CreateICmpSLE(from, most);
    llvm::Value* const source = builder_.CreateSelect(there, from, lane);
    const auto [place, is_there] = operands_[0].split('|');
    return values_.write(place.trim(),
                         builder_.CreateTrunc(warp(GPUTEST_WARP_SHUFFLE, mask, wide(value),
                                                   builder_.CreateOr(source, number(32U << 16))),
                                              builder_.getInt32Ty())) &&
           (is_there.empty() || values_.write(is_there.trim(), there));
  }

  bool match() { // match.any.sync.b32 $0, $1, $2; match.all.sync.b32 $0|p, $1, $2
    llvm::Type* const type = values_.type_of(parts_.back());
    llvm::Value* const value =
        operands_.size() == 3 && type ? values_.read(operands_[1], type) : nullptr;
    llvm::Value* const mask = word(2);
    if (!value || !mask || !type->isIntegerTy())
      return false;
    llvm::Value* const result = builder_.CreateTrunc(
        warp(has("all") ? GPUTEST_WARP_MATCH_ALL : GPUTEST_WARP_MATCH_ANY, wide(mask),
             builder_.CreateZExtOrTrunc(value, builder_.getInt64Ty()), number(0)),
        builder_.getInt32Ty());
    const auto [place, all] = operands_[0].split('|');
    return values_.write(place.trim(), result) &&
           (all.empty() || values_.write(all.trim(), builder_.CreateIsNotNull(result)));
  }

  bool vote() { // vote.sync.ballot.b32 $0, p, $1; vote.sync.any.pred q, p, $1
    const auto kind =
        llvm::StringSwitch<std::optional<unsigned>>(parts_[parts_[1] == "sync" ? 2 : 1])
            .Case("all", GPUTEST_WARP_ALL)
            .Case("any", GPUTEST_WARP_ANY)
            .Case("uni", GPUTEST_WARP_UNI)
            .Case("ballot", GPUTEST_WARP_BALLOT)
            .Default(std::nullopt);
    llvm::Value* const says =
        operands_.size() > 1 ? values_.read(operands_[1], builder_.getInt1Ty()) : nullptr;
    llvm::Value* const mask = members(2);
    if (!kind || !says || !mask)
      return false;
    llvm::Value* const result = warp(*kind, mask, wide(says), number(0));
    return *kind == GPUTEST_WARP_BALLOT
               ? give(result)
               : values_.write(operands_[0], builder_.CreateIsNotNull(result));
  }

  bool reduce() { // redux.sync.add.s32 $0, $1, $2
    const bool is_signed = parts_.back() == "s32";
    const auto kind = llvm::StringSwitch<std::optional<unsigned>>(parts_[2])
                          .Case("add", GPUTEST_WARP_ADD)
                          .Case("min", is_signed ? GPUTEST_WARP_MIN : GPUTEST_WARP_UMIN)
                          .Case("max", is_signed ? GPUTEST_WARP_MAX : GPUTEST_WARP_UMAX)
                          .Case("and", GPUTEST_WARP_AND)
                          .Case("or", GPUTEST_WARP_OR)
                          .Case("xor", GPUTEST_WARP_XOR)
                          .Default(std::nullopt);
    llvm::Value *const value = word(1), *const mask = word(2);
    if (parts_[0] != "redux" || !kind || !value || !mask)
      return false;
    return give(warp(*kind, wide(mask),
                     is_signed ? builder_.CreateSExt(value, builder_.getInt64Ty()) : wide(value),
                     number(0)));
  }

  // bar.red.popc.u32 $0, 0, p; bar.red.and.pred q, 0, p: how many threads of the block say so
  bool block_vote() {
    llvm::Value* const which = operands_.size() == 3 ? word(1) : nullptr;
    const auto* const known = llvm::dyn_cast_or_null<llvm::ConstantInt>(which);
    llvm::Value* const says =
        known && known->isZero() ? values_.read(operands_[2], builder_.getInt1Ty()) : nullptr;
    if (!says)
      return false;
    llvm::Value* const votes =
        call_by_name(builder_, "gputest_block_vote", builder_.getInt64Ty(), {wide(says)});
    llvm::Value* const yes = builder_.CreateTrunc(votes, builder_.getInt32Ty());
    llvm::Value* const all =
        builder_.CreateTrunc(builder_.CreateLShr(votes, 32), builder_.getInt32Ty());
    llvm::Value* const result = has("popc")  ? yes
                                : has("and") ? builder_.CreateICmpEQ(yes, all)
                                : has("or")  ? builder_.CreateIsNotNull(yes)
                                             : nullptr;
    return values_.write(operands_[0], result);
  }

  llvm::Value* of_work_item(llvm::StringRef name, unsigned dimension) {
    return call_by_name(builder_, name, builder_.getInt32Ty(), {number(dimension)});
  }

  // bar.sync 0: all threads of the block. bar.sync 1, 64: those that say 1, when they are 64.
  // bar.arrive 1, 64: the others need not wait for this thread.
  bool block() {
    const bool arrives = has("arrive");
    if ((!arrives && !has("sync")) || operands_.size() > 2)
      return false;
    llvm::Value* const which = operands_.empty() ? number(0) : word(0);
    if (!which)
      return false;
    const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(which);
    if (known && known->isZero() && operands_.size() < 2) {
      call_barrier(builder_);
      return !arrives;
    }
    llvm::Value* threads = number(1);
    for (unsigned i = 0; i < 3; ++i)
      threads = builder_.CreateMul(threads, of_work_item("_Z23get_enqueued_local_sizej", i));
    llvm::Value* group = builder_.getInt64(0);
    for (unsigned i = 3; i-- > 0;)
      group = builder_.CreateAdd(
          builder_.CreateMul(group, wide(of_work_item("_Z14get_num_groupsj", i))),
          wide(of_work_item("_Z12get_group_idj", i)));
    // Warps count as a whole: the last thread of the block counts for those that its warp lacks.
    llvm::Value* const last_lane =
        builder_.CreateSub(values_.read("WARP_SZ", builder_.getInt32Ty()), number(1));
    llvm::Value* const all =
        builder_.CreateAnd(builder_.CreateAdd(threads, last_lane), builder_.CreateNot(last_lane));
    llvm::Value* const thread =
        call_by_name(builder_, "_Z19get_local_linear_idv", builder_.getInt32Ty());
    llvm::Value* const is_last =
        builder_.CreateICmpEQ(thread, builder_.CreateSub(threads, number(1)));
    llvm::Value* const weight = builder_.CreateSelect(
        is_last, builder_.CreateAdd(builder_.CreateSub(all, threads), number(1)), number(1));
    llvm::Value* const wanted = operands_.size() == 2 ? word(1) : all;
    if (!wanted)
      return false;
    llvm::Value* const barrier =
        call_by_name(builder_, "gputest_named_barrier", builder_.getInt64Ty(), {group, which});
    llvm::Value* const phase =
        call_by_name(builder_, "gputest_arrive", builder_.getInt32Ty(), {barrier, weight, wanted});
    call_by_name(builder_, kAsyncArrive, builder_.getVoidTy(),
                 {barrier, wide(phase), number(!arrives)});
    if (!arrives)
      warp(GPUTEST_WARP_AWAIT, wide(number(0)), barrier, phase);
    return true;
  }
};

} // namespace

bool is_wait(const PtxTexts& parts) {
  return llvm::StringSwitch<bool>(parts[0])
      .Cases("bar", "barrier", "shfl", "vote", "redux", "match", "activemask", true)
      .Default(false);
}

bool wait_for_others(const PtxStep& step) {
  return PtxWait(step).run();
}

} // namespace gputest::ir
