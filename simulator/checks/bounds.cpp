// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds accesses outside of buffers, variables and arrays, and misaligned ones. Redirects accesses
// out of bounds to other memory.
#include "embedded/bounds_c.h"
#include "frontend/llvm_version.h"
#include "ir/accesses.h"
#include "ir/call.h"
#include "ir/host.h"
#include "ir/placed.h"
#include "ir/places.h"
#include "simulator/checks/chosen.h"
#include "simulator/checks/monitor.h"
#include "simulator/checks/outside.h"
#include "simulator/checks/protect.h"
#include "simulator/checks/report.h"

#include <algorithm>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/KnownBits.h>
#include <vector>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

class BoundsChecks {
public:
  BoundsChecks(llvm::Function& item, const ir::AccessSet& set, ir::KernelShape& shape)
      : item_(item), module_(*item.getParent()), shape_(shape), set_(set), chosen_(item, shape) {}

  void run() {
    for (std::size_t i = 0; i < set_.all().size(); ++i)
      check_bounds(set_.all()[i], set_.origin(i));
    chosen_.follow_stores();
    drop(ir::kMember);
    drop(ir::kChosen);
  }

private:
  llvm::Value* plain(Builder& builder, llvm::Value* pointer) const {
    return builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
  }

  llvm::Value* site(Builder& builder, const ir::Access& access) {
    return builder.getInt32(ir::site_of(*access.instruction, shape_));
  }

  // Constant places within a variable need no check.
  bool certainly_inside(const llvm::Value* pointer, const llvm::Value* size,
                        std::uint64_t object_size) const {
    const auto* const bytes = llvm::dyn_cast<llvm::ConstantInt>(size);
    llvm::APInt offset(64, 0);
    const llvm::Value* const base =
        pointer->stripAndAccumulateConstantOffsets(module_.getDataLayout(), offset, true);
    return bytes && (llvm::isa<llvm::AllocaInst>(base) || llvm::isa<llvm::GlobalVariable>(base)) &&
           offset.isNonNegative() && offset.getZExtValue() + bytes->getZExtValue() <= object_size;
  }

  void check_bounds(const ir::Access& access, const ir::Origin& origin) {
    llvm::Instruction& instruction = *access.instruction;
    Builder builder(&instruction);
    llvm::SmallVector<const llvm::CallInst*, 2> members; // the outermost array comes first
    llvm::Value* written = access.pointer();
    while (const llvm::CallInst* const call = protecting(written)) {
      if (ir::protected_call(call, ir::kMember))
        members.push_back(call);
      written = call->getArgOperand(0);
    }
    llvm::Value* const pointer = plain(builder, written);
    llvm::Value* object = builder.getInt32(static_cast<unsigned>(origin.object));
    llvm::Value* checked = check_object(builder, access, origin, written, members, object);
    for (const llvm::CallInst* member : members)
      checked = call(builder, "gputest_member", builder.getPtrTy(),
                     {item_.getArg(0), checked, pointer, access.size,
                      offset_in(builder, pointer, *member), member->getArgOperand(2), object,
                      site(builder, access), builder.getInt32(access.write)});
    check_alignment(builder, access, written, checked);
    if (checked != pointer)
      instruction.setOperand(access.operand,
                             builder.CreateAddrSpaceCast(checked, access.pointer()->getType()));
  }

  // The tracking of definedness need not follow it: if the begin is undefined, so is the pointer.
  llvm::Value* offset_in(Builder& builder, llvm::Value* pointer,
                         const llvm::CallInst& member) const {
    llvm::Type* const word = builder.getInt64Ty();
    const auto untracked = [&](llvm::Value* made) {
      if (auto* const instruction = llvm::dyn_cast<llvm::Instruction>(made))
        instruction->setMetadata(llvm::LLVMContext::MD_nosanitize,
                                 llvm::MDNode::get(builder.getContext(), {}));
      return made;
    };
    llvm::Value* const at = untracked(builder.CreatePtrToInt(pointer, word));
    llvm::Value* const begin =
        untracked(builder.CreatePtrToInt(plain(builder, member.getArgOperand(1)), word));
    return untracked(builder.CreateSub(at, begin));
  }

  static const llvm::CallInst* protecting(const llvm::Value* pointer) {
    const llvm::CallInst* const member = ir::protected_call(pointer, ir::kMember);
    return member ? member : ir::protected_call(pointer, ir::kChosen);
  }

  // Returns the pointer checked against the whole object, or unchanged if no check is needed.
  // `number`: becomes that of the object if only a run shows it. Takes the innermost member away if
  // one call checks both.
  llvm::Value* check_object(Builder& builder, const ir::Access& access, const ir::Origin& origin,
                            llvm::Value* written,
                            llvm::SmallVectorImpl<const llvm::CallInst*>& members,
                            llvm::Value*& number) {
    llvm::Value* const pointer = plain(builder, written);
    if (origin.object < 0) {
      const bool placed = access.space() == ir::kGlobalSpace || access.space() == ir::kLocalSpace;
      const std::string otherwise = !model::row_of(shape_.language).pointers_tell_space
                                        ? "gputest_bounds_of_memory"
                                    : placed ? "gputest_bounds_of_any"
                                             : "gputest_not_null";
      if (!chosen_.any_known(written))
        return call(builder, otherwise, builder.getPtrTy(),
                    {item_.getArg(0), pointer, access.size, site(builder, access),
                     builder.getInt32(access.write)});
      const ChosenBounds::Bounds bounds = chosen_.of(written, access.write);
      number = bounds.object;
      return call(builder, otherwise + "_or", builder.getPtrTy(),
                  {item_.getArg(0), pointer, access.size, bounds.begin, bounds.size, bounds.object,
                   site(builder, access), builder.getInt32(access.write)});
    }
    const ir::Object& object = shape_.objects[static_cast<unsigned>(origin.object)];
    ir::PlacedObject whole{};
    if (object.kind == ir::Object::Kind::PrivateVariable ||
        object.kind == ir::Object::Kind::Constant) {
      const auto* const constant = llvm::dyn_cast<llvm::GlobalVariable>(origin.begin);
      const bool allowed = !access.write || !constant || !constant->isConstant();
      if (allowed && (certainly_inside(pointer, access.size, object.size) ||
                      std::ranges::any_of(members, [&](const llvm::CallInst* member) {
                        return certainly_inside(member->getArgOperand(1), member->getArgOperand(2),
                                                object.size);
                      })))
        return pointer;
      whole = {plain(builder, origin.begin), builder.getInt64(allowed ? object.size : 0)};
    } else {
      whole = ir::placed_object(builder, item_, static_cast<unsigned>(origin.object), access.write);
      if (object.kind == ir::Object::Kind::LocalVariable && object.size > 0)
        whole.size = builder.getInt64(object.size);
    }
    llvm::SmallVector<llvm::Value*> arguments{item_.getArg(0),
                                              pointer,
                                              access.size,
                                              whole.begin,
                                              whole.size,
                                              last_begin(builder, access, whole.size),
                                              number,
                                              site(builder, access),
                                              builder.getInt32(access.write)};
    if (members.empty())
      return call(builder, "gputest_bounds", builder.getPtrTy(), arguments);
    const llvm::CallInst* const member = members.pop_back_val();
    llvm::Value* const length = member->getArgOperand(2);
    arguments.append(
        {offset_in(builder, pointer, *member), length, last_begin(builder, access, length)});
    return call(builder, "gputest_bounds_and_member", builder.getPtrTy(), arguments);
  }

  // The highest offset from the begin of `length` bytes at which the access is within them; ~0:
  // not known, or there is none.
  static llvm::Value* last_begin(Builder& builder, const ir::Access& access,
                                 const llvm::Value* length) {
    const auto* const bytes = llvm::dyn_cast<llvm::ConstantInt>(length);
    const auto* const size = llvm::dyn_cast<llvm::ConstantInt>(access.size);
    const bool fits = bytes && size && size->getZExtValue() <= bytes->getZExtValue();
    return builder.getInt64(fits ? bytes->getZExtValue() - size->getZExtValue()
                                 : ~std::uint64_t{0});
  }

  // Returns a power of two of which the address is a multiple for all indices.
  unsigned known_zeros(const llvm::Value* pointer) const {
    const llvm::DataLayout& layout = module_.getDataLayout();
    const auto zeros = [&](const llvm::Value* value) {
      return llvm::computeKnownBits(value, layout).countMinTrailingZeros();
    };
    unsigned known = 63;
    while (true) {
      if (const auto* const cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer)) {
        pointer = cast->getPointerOperand();
        continue;
      }
      const auto* const step = llvm::dyn_cast<llvm::GEPOperator>(pointer);
      if (!step)
        return std::min(known, zeros(pointer));
      frontend::llvm_version::Strides strides;
      llvm::APInt constant(64, 0);
      if (!step->collectOffset(layout, 64, strides, constant))
        return 0;
      if (!constant.isZero())
        known = std::min(known, constant.countr_zero());
      for (const auto& [index, stride] : strides)
        known = std::min(known, stride.countr_zero() + zeros(index));
      pointer = step->getPointerOperand();
    }
  }

  // Processors fault for unaligned vectors, so code assumes only the alignment of numbers.
  void check_alignment(Builder& builder, const ir::Access& access, const llvm::Value* pointer,
                       llvm::Value* checked) {
    if (access.alignment == 1 ||
        (std::uint64_t{1} << std::min(known_zeros(pointer), 63U)) >= access.alignment)
      return;
    call(builder, "gputest_alignment", builder.getVoidTy(),
         {item_.getArg(0), checked, access.size, builder.getInt64(access.alignment),
          site(builder, access), builder.getInt32(access.write)});
    const llvm::Align relied(std::min<std::uint64_t>(access.alignment, 4));
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(access.instruction);
        load && !load->isAtomic())
      load->setAlignment(relied);
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(access.instruction);
        store && !store->isAtomic())
      store->setAlignment(relied);
    auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(access.instruction);
    if (copy && !access.write)
      copy->setSourceAlignment(relied);
    else if (auto* const memory = llvm::dyn_cast<llvm::MemIntrinsic>(access.instruction))
      memory->setDestAlignment(relied);
  }

  // Removes these calls, because each has become a check.
  void drop(const char* kind) {
    std::vector<llvm::CallInst*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(item_))
      if (ir::protected_call(&instruction, kind))
        calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
    for (llvm::CallInst* call : calls) {
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
  }

  // The reporting functions in C (templates/simulator/).
  llvm::CallInst* call(Builder& builder, llvm::StringRef name, llvm::Type* result,
                       llvm::ArrayRef<llvm::Value*> arguments) {
    llvm::CallInst* const made = ir::call_by_name(builder, name, result, arguments);
    if (shape_.uninitialized) // definedness is tracked up to here
      set_defined(*made);
    return made;
  }

  llvm::Function& item_;
  llvm::Module& module_;
  ir::KernelShape& shape_;
  const ir::AccessSet& set_;
  ChosenBounds chosen_;
};

// v[i]: a component out of range is read as 0 and is not written.
void check_component(CheckedKernel& kernel, llvm::CallInst& component) {
  Builder builder(&component);
  llvm::Value* const index = component.getArgOperand(0);
  llvm::Value* const bad = builder.CreateICmpUGE(builder.CreateZExt(index, builder.getInt64Ty()),
                                                 component.getArgOperand(1));
  for (llvm::User* user : llvm::make_early_inc_range(component.users())) {
    auto* const access = llvm::cast<llvm::Instruction>(user);
    builder.SetInsertPoint(access->getNextNode());
    auto* const instead = llvm::cast<llvm::SelectInst>(
        builder.CreateSelect(bad,
                             llvm::isa<llvm::InsertElementInst>(access)
                                 ? access->getOperand(0)
                                 : llvm::Constant::getNullValue(access->getType()),
                             access));
    access->replaceUsesWithIf(instead,
                              [&](const llvm::Use& use) { return use.getUser() != instead; });
  }
  report_where(builder, kernel, component, bad, "out_of_bounds",
               "uses a component that the vector does not have");
  component.replaceAllUsesWith(index);
  component.eraseFromParent();
}

void check_bounds(CheckedKernel& kernel) {
  BoundsChecks(kernel.item, ir::AccessSet(kernel.item, kernel.shape), kernel.shape).run();
}

void check_components(CheckedKernel& kernel) {
  std::vector<llvm::CallInst*> components;
  for (llvm::Instruction& instruction : llvm::instructions(kernel.item))
    if (ir::protected_call(&instruction, ir::kComponent))
      components.push_back(llvm::cast<llvm::CallInst>(&instruction));
  for (llvm::CallInst* component : components)
    check_component(kernel, *component);
}

BoundsWatch& bounds_watch() {
  return static_cast<BoundsWatch&>(running_watch(bounds_check()));
}

gputest_u8* outside(gputest_u8* at, gputest_u64 size, const gputest_u8* begin, gputest_u64 length,
                    gputest_u32 object, gputest_u32 site, int write, bool member) {
  return reinterpret_cast<gputest_u8*>(bounds_watch().outside(
      reinterpret_cast<std::byte*>(at), size, reinterpret_cast<const std::byte*>(begin), length,
      object, site, write != 0, member));
}

// Bits of a sampler, as Clang has them.
constexpr unsigned kNormalized = 1, kAddressing = 0xE, kRepeat = 6, kLinear = 0x20;

// Reports `undefined_read` where the sampler, at run time, is none that OpenCL C allows for the
// function (OpenCL C 1.2, 6.12.14.2 and 6.12.14.3).
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

// Reports accesses of pixels outside of an image where OpenCL C does not say what they do: writes,
// and reads without a sampler or with one that leaves addresses alone (OpenCL C 1.2, 6.12.14).
void check_pixels(CheckedKernel& kernel) {
  std::vector<llvm::CallInst*> accesses;
  for (llvm::Instruction& instruction : llvm::instructions(kernel.item))
    if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && call->getCalledFunction() &&
        (call->getCalledFunction()->getName().starts_with("gputest_read_image") ||
         call->getCalledFunction()->getName().starts_with("gputest_fetch_image") ||
         call->getCalledFunction()->getName().starts_with("gputest_write_image") ||
         call->getCalledFunction()->getName().starts_with("gputest_block_")))
      accesses.push_back(call);
  for (llvm::CallInst* access : accesses) {
    const llvm::StringRef name = access->getCalledFunction()->getName();
    const bool of_block = name.starts_with("gputest_block_"), writes = name.contains("_write");
    llvm::IRBuilder<> builder(access);
    std::vector<llvm::Value*> arguments{access->getArgOperand(0), access->getArgOperand(1)};
    if (of_block || !writes)
      arguments.push_back(access->getArgOperand(2));
    if (of_block)
      arguments.push_back(access->getArgOperand(3));
    std::vector<llvm::Type*> types;
    for (const llvm::Value* argument : arguments)
      types.push_back(argument->getType());
    const llvm::FunctionCallee is_undefined = access->getModule()->getOrInsertFunction(
        of_block                 ? "gputest_undefined_block"
        : writes                 ? "gputest_undefined_write"
        : name.contains("fetch") ? "gputest_undefined_fetch"
                                 : "gputest_undefined_read",
        llvm::FunctionType::get(builder.getInt32Ty(), types, false));
    report_where(
        builder, kernel, *access,
        builder.CreateICmpNE(builder.CreateCall(is_undefined, arguments), builder.getInt32(0)),
        "out_of_bounds",
        writes     ? "writes a pixel outside of the image"
        : of_block ? "reads a part of a block outside of the image"
                   : "reads a pixel outside of the image, and no sampler says what is there");
  }
}

extern "C" {
gputest_u8* gputest_outside(gputest_context*, gputest_u8* at, gputest_u64 size,
                            const gputest_u8* begin, gputest_u64 length, gputest_u32 object,
                            gputest_u32 site, int write) {
  return outside(at, size, begin, length, object, site, write, false);
}
gputest_u8* gputest_outside_member(gputest_context*, gputest_u8* at, gputest_u64 size,
                                   const gputest_u8* begin, gputest_u64 length, gputest_u32 object,
                                   gputest_u32 site, int write) {
  return outside(at, size, begin, length, object, site, write, true);
}
void gputest_misaligned(gputest_context*, const gputest_u8* at, gputest_u64, gputest_u64 alignment,
                        gputest_u32 site, int write) {
  bounds_watch().misaligned(reinterpret_cast<const std::byte*>(at), alignment, site, write != 0);
}
}

} // namespace

const Check& bounds_check() {
  static const Check kCheck{
      .name = "bounds",
      .needs = {.reads = true, .places = true},
      .passes = {{Stage::Addresses, check_bounds},
                 {Stage::Operations, check_components},
                 {Stage::Operations, check_samplers},
                 {Stage::Operations, check_pixels}},
      .text = embedded::bounds_c,
      .natives = {{"gputest_outside", reinterpret_cast<void*>(&gputest_outside)},
                  {"gputest_outside_member", reinterpret_cast<void*>(&gputest_outside_member)},
                  {"gputest_misaligned", reinterpret_cast<void*>(&gputest_misaligned)}},
      .watch = [](const WatchedLaunch& launch) -> std::unique_ptr<Watch> {
        return std::make_unique<BoundsWatch>(launch);
      }};
  return kCheck;
}

} // namespace gputest::simulator
