// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/visits.h"

#include "ir/accesses.h"
#include "ir/error.h"
#include "ir/host.h"
#include "ir/lowered_names.h"
#include "ir/places.h"
#include "ir/sub_group_size.h"
#include "templates/simulator/context.h"

#include <array>
#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

struct Unseen {
  llvm::StringRef called; // a part of the function's name
  const char* why;
};
constexpr std::array kUnseen{
    Unseen{"gputest_write_image",
           "an image is written here, and interleavings of image accesses are not explored"},
    Unseen{"gputest_block_write",
           "an image is written here, and interleavings of image accesses are not explored"},
    Unseen{ir::kWarpFunction,
           "threads wait for others of their warp here, and interleavings of what "
           "a warp does together are not explored"},
    Unseen{"gputest_malloc",
           "the kernel allocates memory here, and interleavings of allocations are not explored"},
    Unseen{"gputest_pipe_", "a pipe is used here, and interleavings of packets are not explored"},
    Unseen{"gputest_enqueue",
           "a block is enqueued here, and interleavings of several launches are not explored"},
    Unseen{"gputest_clock",
           "the kernel asks for the time here, which is another in each interleaving"},
};

// Functions whose effects cannot be observed or repeated in the next interleaving.
void refuse_unseen(llvm::Function& item, const ir::KernelShape& shape) {
  if (ir::lock_step_of(*item.getParent()))
    throw ir::SourceError(fmt::format("{}error: work-items of the kernel run in lock step: "
                                      "interleavings cannot be explored",
                                      ir::place_prefix(shape.place)));
  for (const llvm::BasicBlock& block : item)
    for (const llvm::Instruction& instruction : block) {
      const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || !call->getCalledFunction())
        continue;
      const llvm::StringRef name = call->getCalledFunction()->getName();
      for (const Unseen& unseen : kUnseen)
        if (name.contains(unseen.called))
          throw ir::SourceError(
              fmt::format("{}error: {}", ir::place_prefix(ir::place_of(*call)), unseen.why));
    }
  if (shape.collectives)
    throw ir::SourceError(
        fmt::format("{}error: the kernel calls work-group or sub-group functions: "
                    "interleavings cannot be explored",
                    ir::place_prefix(shape.place)));
  if (shape.enqueues)
    throw ir::SourceError(
        fmt::format("{}error: the kernel uses events of device queues: interleavings cannot be "
                    "explored",
                    ir::place_prefix(shape.place)));
  if (shape.warps)
    throw ir::SourceError(
        fmt::format("{}error: the threads of a block or grid vote or wait for each "
                    "other in another way than by __syncthreads(): interleavings "
                    "cannot be explored",
                    ir::place_prefix(shape.place)));
  for (const ir::Object& object : shape.objects)
    if (object.kind == ir::Object::Kind::ProgramVariable)
      throw ir::SourceError(fmt::format("error: '{}' is a variable of the {}, which keeps its "
                                        "value: interleavings cannot be explored",
                                        object.name, model::row_of(shape.language).variables_of));
}

// Whether updates commute, as long as the old value is not used.
std::uint64_t effect_of(const llvm::AtomicRMWInst& operation) {
  if (!operation.use_empty())
    return GPUTEST_WRITES;
  using Operation = llvm::AtomicRMWInst;
  switch (operation.getOperation()) {
  case Operation::Xchg:
    return GPUTEST_WRITES_VALUE;
  case Operation::Add:
  case Operation::Sub:
    return GPUTEST_ADDS;
  case Operation::And:
  case Operation::Or:
  case Operation::Xor:
  case Operation::Max:
  case Operation::Min:
  case Operation::UMax:
  case Operation::UMin:
    return GPUTEST_ADDS + 1 + operation.getOperation();
  default:
    return GPUTEST_WRITES;
  }
}

class Marker {
public:
  Marker(llvm::Function& item, ir::KernelShape& shape) : item_(item), shape_(shape) {}

  void run() {
    const ir::AccessSet set(item_, shape_);
    for (std::size_t i = 0; i < set.all().size(); ++i) {
      const ir::Access& access = set.all()[i];
      if (access.instruction->hasMetadata(llvm::LLVMContext::MD_nosanitize) ||
          (!set.shared(i) && !unknown(access, set.origin(i))))
        continue; // the simulator's reads of the launch are no accesses of the kernel
      // The two sides of a copy follow each other; either may be private.
      const bool second = i > 0 && last_ == access.instruction;
      if (second) {
        visit_->setArgOperand(3, plain(access, visit_));
        visit_->setArgOperand(4, access.size);
      } else {
        add(access);
      }
    }
  }

private:
  // Generic pointers of OpenCL C 2.0.
  static bool unknown(const ir::Access& access, const ir::Origin& origin) {
    return access.space() == ir::kPrivateSpace && origin.object < 0;
  }

  llvm::Value* plain(const ir::Access& access, llvm::Instruction* before) const {
    return Builder(before).CreateAddrSpaceCast(access.pointer(),
                                               llvm::PointerType::getUnqual(item_.getContext()));
  }

  void add(const ir::Access& access) {
    last_ = access.instruction;
    Builder builder(access.instruction);
    std::uint64_t effect = access.write ? GPUTEST_WRITES : GPUTEST_READS;
    llvm::Value* stored = nullptr;
    if (auto* const operation = llvm::dyn_cast<llvm::AtomicRMWInst>(access.instruction)) {
      effect = effect_of(*operation);
      stored = operation->getValOperand();
    } else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(access.instruction)) {
      effect = GPUTEST_WRITES_VALUE;
      stored = store->getValueOperand();
    }
    llvm::Value* value = builder.getInt64(0);
    if (effect == GPUTEST_WRITES_VALUE) {
      if (llvm::Value* const bits = bits_of(builder, stored))
        value = bits;
      else
        effect = GPUTEST_WRITES;
    }
    llvm::Type *const pointer = builder.getPtrTy(), *const word = builder.getInt64Ty();
    const llvm::FunctionCallee visit = item_.getParent()->getOrInsertFunction(
        kVisitFunction,
        llvm::FunctionType::get(builder.getVoidTy(),
                                {pointer, word, word, pointer, word, word, word}, false));
    visit_ = builder.CreateCall(
        visit, {plain(access, access.instruction), access.size, builder.getInt64(effect),
                llvm::ConstantPointerNull::get(builder.getPtrTy()), builder.getInt64(0), value,
                builder.getInt64(ir::site_of(*access.instruction, shape_))});
    shape_.has_barriers = true; // work-items stop
  }

  // Returns the value as a number, if it has at most 64 bits.
  llvm::Value* bits_of(Builder& builder, llvm::Value* value) const {
    llvm::Type* const type = value->getType();
    if (type->isPointerTy())
      return builder.CreatePtrToInt(value, builder.getInt64Ty());
    const llvm::DataLayout& layout = item_.getParent()->getDataLayout();
    const std::uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
    if (type->isAggregateType() || bits > 64 || bits % 8 != 0)
      return nullptr;
    return builder.CreateZExt(
        builder.CreateBitCast(value, builder.getIntNTy(static_cast<unsigned>(bits))),
        builder.getInt64Ty());
  }

  llvm::Function& item_;
  ir::KernelShape& shape_;
  const llvm::Instruction* last_ = nullptr;
  llvm::CallInst* visit_ = nullptr; // before it
};

} // namespace

void mark_visits(llvm::Function& item, ir::KernelShape& shape) {
  refuse_unseen(item, shape);
  Marker(item, shape).run();
}

} // namespace gputest::simulator
