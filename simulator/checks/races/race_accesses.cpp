// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of races in a kernel's code. Each access of shared memory leaves a mark
// (templates/simulator/races.c) and examines those of others (races.h).
#include "embedded/races_c.h"
#include "ir/accesses.h"
#include "ir/call.h"
#include "ir/host.h"
#include "ir/lowered_names.h"
#include "ir/placed.h"
#include "ir/places.h"
#include "ir/sub_group_size.h"
#include "simulator/checks/check.h"
#include "simulator/checks/monitor.h"
#include "simulator/checks/races/lane_checks.h"
#include "simulator/checks/races/lock_step.h"
#include "simulator/checks/races/race_acquires.h"
#include "simulator/checks/races/race_ranges.h"
#include "simulator/checks/races/races.h"
#include "simulator/checks/races/toolkit_places.h"
#include "templates/simulator/context.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

bool needs_bytes(const ir::Access& access) {
  const auto* const size = llvm::dyn_cast<llvm::ConstantInt>(access.size);
  return !size || size->getZExtValue() % 4 != 0 ||
         (access.alignment < 4 && !llvm::isa<llvm::MemIntrinsic>(access.instruction));
}

class RaceChecks : private RangedLoops {
public:
  // `in_step`: threads of a warp count as running in step.
  RaceChecks(llvm::Function& item, ir::KernelShape& shape, bool in_step)
      : item_(item), shape_(shape), in_step_(in_step) {}

  void run(const ir::AccessSet& set) {
    std::vector<ir::Access> shared;
    std::set<const llvm::Instruction*> anywhere;
    for (std::size_t i = 0; i < set.all().size(); ++i)
      if (set.shared(i)) {
        shared.push_back(set.all()[i]);
        if (set.anywhere(i))
          anywhere.insert(set.all()[i].instruction);
        note_object(set.all()[i], set.origin(i).object);
      }
    for (const ir::Access& access : shared) {
      if (needs_bytes(access))
        shape_.grain = 1;
      if (access.atomic)
        shape_.atomics = true;
      if (is_of_block(*access.instruction))
        shape_.of_block.insert(ir::site_of(*access.instruction, shape_));
      if (access.instruction->hasMetadata(kAcquires) || access.instruction->hasMetadata(kReleases))
        strong_ = true;
    }
    strong_ = strong_ || (shape_.atomics && !calls_named(ir::kFenceFunction).empty());
    shape_.syncs = strong_ || !calls_named(ir::kAsyncArrive).empty();
    note_asyncs();
    if (model::row_of(shape_.language).warp && !in_step_ && !ir::lock_step_of(*item_.getParent()))
      lanes_.note(shared, shape_);
    for (llvm::CallInst* call : calls_named(ir::kCopyFunction))
      if (const auto* const size =
              llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(ir::kCopySize));
          !size || size->getZExtValue() % 4 != 0)
        shape_.grain = 1;
    if (anywhere.empty() && !shape_.syncs && !shape_.asyncs && !(shape_.lock_step && shape_.steps))
      RangedLoops::run(item_, shared);
    for (const ir::Access& access : shared)
      if (anywhere.contains(access.instruction))
        check_if_shared(access);
      else
        check_unless_own(access);
    watch_pixels();
    shape_.races = true;
  }

private:
  std::vector<llvm::Value*> arguments_of(Builder& builder, const LoopRange& range) {
    llvm::Value* const shares = shares_object(builder, *range.access);
    return {item_.getArg(0),
            range.begin,
            builder.getInt64(range.stride),
            shares ? builder.CreateSelect(shares, range.count, builder.getInt64(0)) : range.count,
            range.access->size,
            builder.getInt32(ir::site_of(*range.access->instruction, shape_)),
            builder.getInt32(range.access->space() == ir::kLocalSpace),
            builder.getInt32(range.access->write)};
  }

  llvm::Value* ask(Builder& builder, const std::vector<LoopRange>& ranges) override {
    shape_.ranges = true;
    looked_.clear();
    llvm::Value* found = builder.getInt32(0);
    for (const LoopRange& range : ranges) {
      looked_.push_back(ir::call_by_name(builder, "gputest_range", builder.getInt32Ty(),
                                         arguments_of(builder, range)));
      found = builder.CreateOr(found, looked_.back());
    }
    return builder.CreateTrunc(found, builder.getInt1Ty()); // RANGE_FOUND in races.c
  }

  void mark(Builder& builder, const std::vector<LoopRange>& ranges) override {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      std::vector<llvm::Value*> arguments = arguments_of(builder, ranges[i]);
      arguments.push_back(looked_[i]);
      ir::call_by_name(builder, "gputest_mark_range", builder.getVoidTy(), arguments);
    }
  }

  std::vector<llvm::CallInst*> calls_named(llvm::StringRef begin) {
    std::vector<llvm::CallInst*> calls;
    for (llvm::BasicBlock& block : item_)
      for (llvm::Instruction& instruction : block)
        if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            call && call->getCalledFunction() &&
            call->getCalledFunction()->getName().starts_with(begin))
          calls.push_back(call);
    return calls;
  }

  void note_asyncs() {
    for (llvm::CallInst* call : calls_named(ir::kAsyncBegin)) {
      shape_.asyncs = true;
      call->setDebugLoc(outside_of_toolkit(call->getDebugLoc()));
      call->setArgOperand(ir::kAsyncSite, Builder(call).getInt32(ir::site_of(*call, shape_)));
    }
  }

  // The simulator itself accesses pixels (images.h), so it is told the site. Images that are never
  // written have no races.
  void watch_pixels() {
    std::vector<llvm::CallInst*> calls = calls_named("gputest_write_image");
    std::ranges::copy(calls_named("gputest_block_write"), std::back_inserter(calls));
    if (calls.empty())
      return;
    shape_.grain = 1;
    shape_.pixels = true;
    shape_.written_images = written_images(calls);
    for (const char* name : {"gputest_read_image", "gputest_fetch_image", "gputest_block_read"})
      for (llvm::CallInst* read : calls_named(name))
        calls.push_back(read);
    for (llvm::CallInst* access : calls) {
      Builder builder(access);
      ir::call_by_name(builder, "gputest_pixels", builder.getVoidTy(),
                       {builder.getInt32(ir::site_of(*access, shape_))});
    }
  }

  // By their parameters; nullopt: not known.
  std::optional<std::set<unsigned>>
  written_images(const std::vector<llvm::CallInst*>& writes) const {
    std::set<unsigned> images;
    for (const llvm::CallInst* write : writes) {
      const auto parameter = ir::parameter_of(write->getArgOperand(0)->stripPointerCasts(), shape_);
      if (!parameter)
        return std::nullopt;
      images.insert(*parameter);
    }
    return images;
  }

  llvm::Value* context_word(Builder& builder, std::size_t offset) const {
    return builder.CreateLoad(
        builder.getInt64Ty(),
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), item_.getArg(0), offset));
  }

  // Accesses by their objects, of which only those in global memory are ever a work-item's own. The
  // simulator follows all atomic ones.
  void note_object(const ir::Access& access, int object) {
    constexpr int kBits = 64;
    if (object >= 0 && object < kBits && !access.atomic && access.space() != ir::kLocalSpace)
      objects_[{access.instruction, access.operand}] = static_cast<unsigned>(object);
  }

  // Whether the launch may have races in the access's object (gputest_context::own_objects);
  // nullptr: any launch may.
  llvm::Value* shares_object(Builder& builder, const ir::Access& access) const {
    const auto object = objects_.find({access.instruction, access.operand});
    if (object == objects_.end())
      return nullptr;
    auto* const own = llvm::cast<llvm::Instruction>(
        context_word(builder, offsetof(gputest_context, own_objects)));
    own->setMetadata(llvm::LLVMContext::MD_invariant_load,
                     llvm::MDNode::get(builder.getContext(), {}));
    return builder.CreateIsNull(
        builder.CreateAnd(own, builder.getInt64(std::uint64_t{1} << object->second)));
  }

  void check_unless_own(const ir::Access& access) {
    Builder builder(access.instruction);
    llvm::Value* const local = builder.getInt32(access.space() == ir::kLocalSpace);
    llvm::Instruction* at = access.instruction;
    if (llvm::Value* const shares = shares_object(builder, access)) {
      at = llvm::SplitBlockAndInsertIfThen(shares, at, false);
      at->setDebugLoc(access.instruction->getDebugLoc());
    }
    check(access, at, local);
  }

  // CUDA: device memory, then __shared__ variables have cells; OpenCL: all that the launch places.
  // Other memory is private.
  void check_if_shared(const ir::Access& access) {
    Builder builder(access.instruction);
    llvm::Value* const pages =
        builder.CreateShl(context_word(builder, offsetof(gputest_context, memory_pages)), 12);
    llvm::Value* const address = builder.CreatePtrToInt(
        builder.CreateAddrSpaceCast(access.pointer(), builder.getPtrTy()), builder.getInt64Ty());
    llvm::Value* const at =
        builder.CreateSub(address, context_word(builder, offsetof(gputest_context, memory_begin)));
    llvm::Value* const end =
        builder.CreateAdd(pages, context_word(builder, offsetof(gputest_context, beside_memory)));
    llvm::Value* const local =
        builder.CreateZExt(shape_.language == model::Language::Cuda
                               ? builder.CreateICmpUGE(at, pages)
                               : ir::is_in_local_memory(builder, item_, shape_, address),
                           builder.getInt32Ty());
    llvm::Value* examined = builder.CreateICmpULT(at, end);
    if (llvm::Value* const shares = shares_object(builder, access))
      examined = builder.CreateAnd(examined, shares);
    llvm::Instruction* const inside =
        llvm::SplitBlockAndInsertIfThen(examined, access.instruction, false);
    inside->setDebugLoc(access.instruction->getDebugLoc());
    check(access, inside, local);
  }

  // Before `at`.
  void check(const ir::Access& access, llvm::Instruction* at, llvm::Value* local) {
    llvm::Instruction& instruction = *access.instruction;
    Builder builder(at);
    builder.SetCurrentDebugLocation(instruction.getDebugLoc());
    llvm::Value* const context = item_.getArg(0);
    llvm::Value* const pointer = builder.CreateAddrSpaceCast(access.pointer(), builder.getPtrTy());
    llvm::Value* const place = builder.getInt32(ir::site_of(instruction, shape_));
    llvm::Value* const atomic = builder.getInt32(access.atomic);
    if (lanes_.examines(access))
      lanes_.examine(builder, access, pointer, place, local, value(builder, instruction));
    llvm::Value* writes = builder.getInt32(access.write);
    llvm::Value* found = nullptr;
    if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      // A failed exchange only reads. Nothing happens between the two reads here.
      llvm::Value* const expected = exchange->getCompareOperand();
      llvm::Value* const now =
          builder.CreateAlignedLoad(expected->getType(), pointer, llvm::Align(1));
      writes = builder.CreateZExt(builder.CreateICmpEQ(now, expected), builder.getInt32Ty());
      found = ir::call_by_name(builder, "gputest_exchange", builder.getInt32Ty(),
                               {context, pointer, access.size, place, local, writes});
    } else {
      found = ir::call_by_name(builder, access.write ? "gputest_write" : "gputest_read",
                               builder.getInt32Ty(),
                               {context, pointer, access.size, place, local, atomic});
    }
    // Mostly, nothing is found, and the mark of a write is a store.
    const bool marks = access.write && !access.atomic;
    llvm::Instruction *rare = nullptr, *mostly = nullptr;
    llvm::SplitBlockAndInsertIfThenElse(
        builder.CreateICmpNE(found, builder.getInt32(0)), at, &rare, &mostly,
        llvm::MDBuilder(builder.getContext()).createBranchWeights(1, 1 << 20));
    Builder cold(rare);
    ir::call_by_name(
        cold, "gputest_race", cold.getVoidTy(),
        {context, pointer, access.size, place, local, atomic, writes, value(cold, instruction)});
    if (marks) {
      ir::call_by_name(cold, "gputest_mark", cold.getVoidTy(),
                       {context, pointer, access.size, place, local});
      Builder hot(mostly);
      ir::call_by_name(hot, "gputest_mark_free", hot.getVoidTy(),
                       {context, pointer, access.size, place});
    }
    builder.SetInsertPoint(at);
    if (lanes_.is_message(access))
      lanes_.message(builder, access, pointer, writes);
    if (access.atomic && strong_)
      tell_of_strong(access, builder, {pointer, local, writes});
  }

  // Returns the address of a stored value; null for other accesses.
  llvm::Value* value(Builder& builder, llvm::Instruction& instruction) {
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store)
      return llvm::ConstantPointerNull::get(builder.getPtrTy());
    Builder entry(&item_.getEntryBlock(), item_.getEntryBlock().begin());
    llvm::Value* const place = entry.CreateAlloca(store->getValueOperand()->getType());
    builder.CreateStore(store->getValueOperand(), place);
    return place;
  }

  llvm::Function& item_;
  ir::KernelShape& shape_;
  bool in_step_;
  std::map<std::pair<const llvm::Instruction*, unsigned>, unsigned> objects_; // by operand
  bool strong_ = false;              // atomic accesses may order others
  std::vector<llvm::Value*> looked_; // what gputest_range returns for the ranges of a loop
  LaneChecks lanes_;
};

template <bool in_step> void check_races(CheckedKernel& kernel) {
  RaceChecks(kernel.item, kernel.shape, in_step).run(ir::AccessSet(kernel.item, kernel.shape));
}

std::string race_definitions(ir::KernelShape& shape) {
  std::string text;
  if (shape.copies || shape.asyncs)
    text += "#define GPUTEST_COPIES 1\n";
  if (shape.atomics)
    text += "#define GPUTEST_ATOMICS 1\n";
  if (!shape.of_block.empty())
    text += "#define GPUTEST_SCOPES 1\n";
  if (shape.ranges)
    text += "#define GPUTEST_RANGES 1\n";
  if (shape.syncs)
    text += "#define GPUTEST_SYNCS 1\n";
  while (shape.sites.size() >= std::size_t{1} << shape.site_bits)
    ++shape.site_bits;
  return text + fmt::format("#define GPUTEST_GRAIN {}\n#define GPUTEST_SITE_BITS {}\n", shape.grain,
                            shape.site_bits);
}

Races& races_watch() {
  return static_cast<Races&>(running_watch(races_check()));
}

extern "C" {
void gputest_race(gputest_context*, const gputest_u8* at, gputest_u64 size, gputest_u32 site,
                  int local, int atomic, int write, const gputest_u8* value) {
  races_watch().report(reinterpret_cast<const std::byte*>(at), size, site, local != 0, atomic != 0,
                       write != 0, reinterpret_cast<const std::byte*>(value));
}
void gputest_in_step(const gputest_u8* at, gputest_u64 size, gputest_u32 site, int of_lanes,
                     int write, int polls, const gputest_u8* value) {
  if (of_lanes != 0)
    static_cast<LockStepRaces&>(races_watch())
        .examine({.at = reinterpret_cast<const std::byte*>(at),
                  .size = size,
                  .site = site,
                  .write = write != 0,
                  .polls = polls != 0,
                  .value = reinterpret_cast<const std::byte*>(value)});
}
void gputest_message(const gputest_u8* at, int receives, int sends) {
  static_cast<LockStepRaces&>(races_watch())
      .message(reinterpret_cast<std::uint64_t>(at), receives != 0, sends != 0);
}
void gputest_async_begin(gputest_u8* to, const gputest_u8* from, gputest_u64 size, gputest_u64 key,
                         gputest_u64 stage, gputest_u32 site) {
  races_watch().begin_async(reinterpret_cast<std::byte*>(to),
                            reinterpret_cast<const std::byte*>(from), size, key, stage, site);
}
void gputest_async_commit() {
  races_watch().commit_asyncs();
}
void gputest_async_wait(gputest_u64 prior) {
  races_watch().wait_for_asyncs(prior);
}
void gputest_async_bind(gputest_u64 key, gputest_u64 stage) {
  races_watch().bind_asyncs(key, stage);
}
void gputest_async_complete(gputest_u64 key, gputest_u64 stage) {
  races_watch().complete_asyncs(key, stage);
}
void gputest_async_arrive(gputest_u64 place, gputest_u64 phase, int waits) {
  races_watch().arrive(place, phase, waits != 0);
}
void gputest_pixels(gputest_u32 site) {
  races_watch().pixels_at(site);
}
void gputest_strong(const gputest_u8* at, int local, int reads, int writes, int acquires,
                    int releases, int of_block, gputest_u64 before, gputest_u64 after) {
  races_watch().strong(
      reinterpret_cast<std::uint64_t>(at), local != 0,
      {.reads = reads != 0,
       .writes = writes != 0,
       .acquires = acquires != 0,
       .releases = releases != 0,
       .scope = of_block != 0 ? RaceOrder::Scope::Block : RaceOrder::Scope::Device},
      {.reads = reads != 0, .before = before, .after = after});
}
}

Check check_of(std::string_view name, const Check* variant_of, void (*pass)(CheckedKernel&)) {
  return {.name = name,
          .variant_of = variant_of,
          .needs = {.reads = true},
          .passes = {{Stage::Written, note_orders}, {Stage::Accesses, pass}},
          .text = embedded::races_c,
          .definitions = race_definitions,
          .natives = {{"gputest_race", reinterpret_cast<void*>(&gputest_race)},
                      {"gputest_in_step", reinterpret_cast<void*>(&gputest_in_step)},
                      {"gputest_message", reinterpret_cast<void*>(&gputest_message)},
                      {"gputest_async_begin", reinterpret_cast<void*>(&gputest_async_begin)},
                      {"gputest_async_commit", reinterpret_cast<void*>(&gputest_async_commit)},
                      {"gputest_async_wait", reinterpret_cast<void*>(&gputest_async_wait)},
                      {"gputest_async_bind", reinterpret_cast<void*>(&gputest_async_bind)},
                      {"gputest_async_complete", reinterpret_cast<void*>(&gputest_async_complete)},
                      {ir::kAsyncArrive, reinterpret_cast<void*>(&gputest_async_arrive)},
                      {"gputest_pixels", reinterpret_cast<void*>(&gputest_pixels)},
                      {"gputest_strong", reinterpret_cast<void*>(&gputest_strong)}},
          .watch = [](const WatchedLaunch& launch) -> std::unique_ptr<Watch> {
            if (launch.shape.lock_step)
              return std::make_unique<LockStepRaces>(launch);
            return std::make_unique<Races>(launch);
          }};
}

} // namespace

const Check& races_check() {
  static const Check kCheck = check_of("races", nullptr, check_races<false>);
  return kCheck;
}

const Check& races_in_step_check() {
  static const Check kCheck = check_of("races_in_step", &races_check(), check_races<true>);
  return kCheck;
}

} // namespace gputest::simulator
