// Finds accesses outside of buffers, variables and arrays, and misaligned ones. Redirects accesses
// out of bounds to other memory.
#include "embedded/bounds_c.h"
#include "frontend/llvm_version.h"
#include "ir/accesses.h"
#include "ir/call.h"
#include "ir/host.h"
#include "ir/placed.h"
#include "ir/places.h"
#include "simulator/checks/monitor.h"
#include "simulator/checks/outside.h"
#include "simulator/checks/protect.h"
#include "simulator/checks/report.h"
#include "simulator/checks/samplers.h"

#include <algorithm>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/KnownBits.h>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;

class BoundsChecks {
public:
  BoundsChecks(llvm::Function& item, const AccessSet& set, KernelShape& shape)
      : item_(item), module_(*item.getParent()), shape_(shape), set_(set) {}

  void run() {
    for (std::size_t i = 0; i < set_.all().size(); ++i)
      check_bounds(set_.all()[i], set_.origin(i));
    drop_members();
  }

private:
  llvm::Value* plain(Builder& builder, llvm::Value* pointer) const {
    return builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
  }

  llvm::Value* site(Builder& builder, const Access& access) {
    return builder.getInt32(site_of(*access.instruction, shape_));
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

  void check_bounds(const Access& access, const Origin& origin) {
    llvm::Instruction& instruction = *access.instruction;
    Builder builder(&instruction);
    llvm::CallInst* const member =
        const_cast<llvm::CallInst*>(protected_call(access.pointer(), kMember));
    llvm::Value* const pointer =
        plain(builder, member ? member->getArgOperand(0) : access.pointer());
    llvm::Value* checked = check_object(builder, access, origin, pointer, member);
    if (member)
      checked = call(builder, "gputest_member", builder.getPtrTy(),
                     {item_.getArg(0), checked, pointer, access.size,
                      plain(builder, member->getArgOperand(1)), member->getArgOperand(2),
                      builder.getInt32(static_cast<unsigned>(origin.object)), site(builder, access),
                      builder.getInt32(access.write)});
    check_alignment(builder, access, member ? member->getArgOperand(0) : access.pointer(), checked);
    if (checked != pointer)
      instruction.setOperand(access.operand,
                             builder.CreateAddrSpaceCast(checked, access.pointer()->getType()));
  }

  // Returns `pointer` checked against the whole object, or unchanged if no check is needed.
  llvm::Value* check_object(Builder& builder, const Access& access, const Origin& origin,
                            llvm::Value* pointer, const llvm::CallInst* member) {
    if (origin.object < 0) {
      const bool placed = access.space() == kGlobalSpace || access.space() == kLocalSpace;
      return call(builder,
                  shape_.language == Language::Cuda ? "gputest_bounds_of_memory"
                  : placed                          ? "gputest_bounds_of_any"
                                                    : "gputest_not_null",
                  builder.getPtrTy(),
                  {item_.getArg(0), pointer, access.size, site(builder, access),
                   builder.getInt32(access.write)});
    }
    const Object& object = shape_.objects[static_cast<unsigned>(origin.object)];
    PlacedObject whole{};
    if (object.kind == Object::Kind::PrivateVariable || object.kind == Object::Kind::Constant) {
      const auto* const constant = llvm::dyn_cast<llvm::GlobalVariable>(origin.begin);
      const bool allowed = !access.write || !constant || !constant->isConstant();
      if (allowed && (certainly_inside(pointer, access.size, object.size) ||
                      (member && certainly_inside(member->getArgOperand(1),
                                                  member->getArgOperand(2), object.size))))
        return pointer;
      whole = {plain(builder, origin.begin), builder.getInt64(allowed ? object.size : 0)};
    } else {
      whole = placed_object(builder, item_, static_cast<unsigned>(origin.object), access.write);
    }
    return call(builder, "gputest_bounds", builder.getPtrTy(),
                {item_.getArg(0), pointer, access.size, whole.begin, whole.size,
                 builder.getInt32(static_cast<unsigned>(origin.object)), site(builder, access),
                 builder.getInt32(access.write)});
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
      llvm_version::Strides strides;
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
  void check_alignment(Builder& builder, const Access& access, const llvm::Value* pointer,
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
  }

  // Removes them, because each has become a check.
  void drop_members() {
    std::vector<llvm::CallInst*> members;
    for (llvm::Instruction& instruction : llvm::instructions(item_))
      if (protected_call(&instruction, kMember))
        members.push_back(llvm::cast<llvm::CallInst>(&instruction));
    for (llvm::CallInst* member : members) {
      member->replaceAllUsesWith(member->getArgOperand(0));
      member->eraseFromParent();
    }
  }

  // The reporting functions in C (templates/simulator/).
  llvm::CallInst* call(Builder& builder, const char* name, llvm::Type* result,
                       llvm::ArrayRef<llvm::Value*> arguments) {
    llvm::CallInst* const made = call_by_name(builder, name, result, arguments);
    if (shape_.uninitialized) // definedness is tracked up to here
      set_defined(*made);
    return made;
  }

  llvm::Function& item_;
  llvm::Module& module_;
  KernelShape& shape_;
  const AccessSet& set_;
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
  BoundsChecks(kernel.item, AccessSet(kernel.item, kernel.shape), kernel.shape).run();
}

void check_components(CheckedKernel& kernel) {
  std::vector<llvm::CallInst*> components;
  for (llvm::Instruction& instruction : llvm::instructions(kernel.item))
    if (protected_call(&instruction, kComponent))
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
                 {Stage::Operations, check_samplers}},
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
