// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/memory.h"

#include "ir/call.h"
#include "ir/cuda/ptx/phases.h"
#include "ir/cuda/shared_addresses.h"
#include "ir/cuda/spins.h"
#include "ir/lowered_names.h"

#include <llvm/ADT/StringSwitch.h>

#include <array>
#include <optional>

namespace gputest::ir {
namespace {

class PtxAccess : PtxStep {
public:
  explicit PtxAccess(const PtxStep& step) : PtxStep(step) {}

  bool run() {
    const llvm::StringRef name = parts_[0];
    if (name == "cp")
      return copy();
    if (name == "cvta")
      return convert();
    if (name == "isspacep")
      return ask_space();
    type_ = values_.type_of(parts_.back());
    if (!type_ || type_->isIntegerTy(1) || has("async") || has("bulk") || has("shared::cluster"))
      return false;
    return name == "red" || name == "atom" ? update() : name == "st" ? store() : load();
  }

private:
  llvm::Value* place(llvm::StringRef operand, bool shared) {
    return place_of(builder_, values_, operand, shared);
  }

  // The elements of a vector lie one after the other, and the vector at a multiple of its size.
  llvm::Value* element(llvm::Value* begin, unsigned index) {
    return builder_.CreateConstInBoundsGEP1_64(type_, begin, index);
  }

  std::size_t operands_with_policy(std::size_t count) const {
    return has("L2::cache_hint") ? count + 1 : count;
  }

  // An access that others see, and that sees what others have written.
  bool is_strong() const {
    return std::ranges::any_of(
        std::array{"volatile", "relaxed", "acquire", "release", "mmio", "cv", "wt"},
        [this](const char* word) { return has(word); });
  }

  bool load() {
    const bool is_signed = values_.is_signed();
    llvm::Value* const begin =
        operands_.size() == operands_with_policy(2) ? place(operands_[1], has("shared")) : nullptr;
    if (!begin)
      return false;
    const PtxTexts all = elements_of(operands_[0]);
    for (unsigned i = 0; i < all.size(); ++i) {
      llvm::LoadInst* const value = builder_.CreateLoad(type_, element(begin, i), is_strong());
      if (has("acquire") || has("cta"))
        value->setAtomic(has("acquire") ? llvm::AtomicOrdering::Acquire
                                        : llvm::AtomicOrdering::Monotonic,
                         scope());
      if (has("cg")) // reads the cache that multiprocessors share: programs poll this way
        value->setMetadata(kMayWait, llvm::MDNode::get(builder_.getContext(), {}));
      if (!values_.write(all[i], value, is_signed))
        return false;
    }
    return true;
  }

  bool store() {
    llvm::Value* const begin =
        operands_.size() == operands_with_policy(2) ? place(operands_[0], has("shared")) : nullptr;
    if (!begin)
      return false;
    const PtxTexts all = elements_of(operands_[1]);
    for (unsigned i = 0; i < all.size(); ++i) {
      llvm::Value* const value = values_.read(all[i], type_);
      if (!value)
        return false;
      llvm::StoreInst* const store = builder_.CreateStore(value, element(begin, i), is_strong());
      if (has("release") || has("cta"))
        store->setAtomic(has("release") ? llvm::AtomicOrdering::Release
                                        : llvm::AtomicOrdering::Monotonic,
                         scope());
    }
    return true;
  }

  llvm::SyncScope::ID scope() const {
    return has("cta") ? builder_.getContext().getOrInsertSyncScopeID(kBlockScope)
                      : llvm::SyncScope::ID{llvm::SyncScope::System};
  }

  using Operation = llvm::AtomicRMWInst::BinOp;

  llvm::AtomicOrdering order() const {
    return has("acq_rel")   ? llvm::AtomicOrdering::AcquireRelease
           : has("acquire") ? llvm::AtomicOrdering::Acquire
           : has("release") ? llvm::AtomicOrdering::Release
                            : llvm::AtomicOrdering::Monotonic;
  }

  std::optional<Operation> operation(bool is_signed) const {
    const bool real = type_->isFPOrFPVectorTy();
    std::optional<Operation> result;
    for (const llvm::StringRef part : parts_)
      if (const auto found = llvm::StringSwitch<std::optional<Operation>>(part)
                                 .Case("add", real ? Operation::FAdd : Operation::Add)
                                 .Case("and", Operation::And)
                                 .Case("or", Operation::Or)
                                 .Case("xor", Operation::Xor)
                                 .Case("exch", Operation::Xchg)
                                 .Case("inc", Operation::UIncWrap)
                                 .Case("dec", Operation::UDecWrap)
                                 .Case("min", is_signed ? Operation::Min : Operation::UMin)
                                 .Case("max", is_signed ? Operation::Max : Operation::UMax)
                                 .Default(std::nullopt))
        result = found;
    const bool fits = result == Operation::Xchg || (result == Operation::FAdd) == real;
    return fits && !type_->isIntegerTy(128) ? result : std::nullopt;
  }

  // A pair of halves is updated one after the other.
  llvm::Value* update_with(Operation operation, llvm::Value* at, llvm::Value* value) {
    auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type_);
    if (!vector)
      return builder_.CreateAtomicRMW(operation, at, value, llvm::MaybeAlign(), order(), scope());
    llvm::Value* result = llvm::UndefValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = builder_.CreateInsertElement(
          result,
          builder_.CreateAtomicRMW(
              operation, builder_.CreateConstInBoundsGEP1_64(vector->getElementType(), at, i),
              builder_.CreateExtractElement(value, i), llvm::MaybeAlign(), order(), scope()),
          i);
    return result;
  }

  bool update() {
    const bool is_signed = values_.is_signed();
    const bool gives = parts_[0] == "atom", compares = has("cas");
    const std::size_t count = (gives ? 3u : 2u) + (compares ? 1u : 0u);
    if (operands_.size() != operands_with_policy(count))
      return false;
    llvm::Value* const at = place(operands_[gives ? 1 : 0], has("shared"));
    llvm::Value* const value = values_.read(operands_[gives ? 2 : 1], type_);
    if (!at || !value)
      return false;
    llvm::Value* result = nullptr;
    if (compares) {
      llvm::Value* const other = gives ? values_.read(operands_[3], type_) : nullptr;
      if (!other || !type_->isIntegerTy() || type_->isIntegerTy(128))
        return false;
      const auto order_of_failure = has("acq_rel") || has("acquire")
                                        ? llvm::AtomicOrdering::Acquire
                                        : llvm::AtomicOrdering::Monotonic;
      result = builder_.CreateExtractValue(builder_.CreateAtomicCmpXchg(at, value, other,
                                                                        llvm::MaybeAlign(), order(),
                                                                        order_of_failure, scope()),
                                           0);
    } else {
      const std::optional<Operation> what = operation(is_signed);
      if (!what)
        return false;
      result = update_with(*what, at, value);
    }
    return !gives || values_.write(operands_[0], result, is_signed);
  }

  // cp.async.ca.shared.global [$0], [$1], 16, $2: copies $2 bytes and fills 16 bytes with zeros. It
  // is made at once, and the check of races is told when threads wait for it.
  bool copy() {
    if (parts_.size() < 2 || parts_[1] != "async" || has("bulk") || has("reduce"))
      return false;
    if (has("mbarrier"))
      return use_barrier(builder_, values_, parts_, operands_);
    if (parts_.size() > 2 && parts_[2] == "commit_group") {
      call_by_name(builder_, "gputest_async_commit", builder_.getVoidTy());
      return true;
    }
    if (parts_.size() > 2 && parts_[2].starts_with("wait_"))
      return wait_for_copies(parts_[2] == "wait_all");
    unsigned size = 0;
    llvm::Value *to = nullptr, *from = nullptr;
    if (operands_.size() < 3 || operands_.size() > 4 || !(to = place(operands_[0], true)) ||
        !(from = place(operands_[1], false)))
      return false;
    auto* const number = llvm::dyn_cast_or_null<llvm::ConstantInt>(
        values_.read(operands_[2], builder_.getInt32Ty()));
    if (!number ||
        (size = static_cast<unsigned>(number->getZExtValue()), size % 4 != 0 || size > 16))
      return false;
    llvm::Value* const used = operands_.size() == 4
                                  ? values_.read(operands_[3], builder_.getInt32Ty())
                                  : builder_.getInt32(size);
    if (!used || (operands_.size() == 4 && values_.is_predicate(operands_[3])))
      return false;
    // The unread part of the source need not exist.
    if (operands_.size() == 4)
      builder_.CreateMemSet(to, builder_.getInt8(0), size, llvm::Align(4));
    builder_.CreateMemCpy(
        to, llvm::Align(4), from, llvm::Align(4),
        builder_.CreateZExt(
            builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, used, builder_.getInt32(size)),
            builder_.getInt64Ty()));
    llvm::Type* const pointer = builder_.getPtrTy();
    llvm::Value* const none = builder_.getInt64(0);
    call_by_name(builder_, kAsyncBegin, builder_.getVoidTy(),
                 {builder_.CreateAddrSpaceCast(to, pointer),
                  builder_.CreateAddrSpaceCast(from, pointer), builder_.getInt64(size), none, none,
                  builder_.getInt32(0)});
    return true;
  }

  // cp.async.wait_group <number of groups that may be left>, and wait_all, which also waits for
  // copies that are in no group.
  bool wait_for_copies(bool all) {
    if (all)
      call_by_name(builder_, "gputest_async_commit", builder_.getVoidTy());
    else if (operands_.size() != 1)
      return false;
    llvm::Value* const left =
        all ? builder_.getInt32(0) : values_.read(operands_[0], builder_.getInt32Ty());
    if (!left)
      return false;
    call_by_name(builder_, "gputest_async_wait", builder_.getVoidTy(),
                 {builder_.CreateZExt(left, builder_.getInt64Ty())});
    return true;
  }

  bool convert() { // cvta.shared.u64 $0, $1: a generic address; cvta.to.shared: back
    if (operands_.size() != 2)
      return false;
    llvm::Value* value = nullptr;
    if (has("shared")) {
      value = values_.read(operands_[1], builder_.getInt32Ty());
      if (value && !has("to"))
        value = builder_.CreatePtrToInt(shared_at(builder_, value), builder_.getInt64Ty());
    } else {
      value = values_.read(operands_[1], builder_.getInt64Ty());
    }
    return values_.write(operands_[0], value);
  }

  bool ask_space() { // isspacep.shared p, $1
    llvm::Value* const address =
        operands_.size() == 2 ? values_.read(operands_[1], builder_.getInt64Ty()) : nullptr;
    if (!address || parts_.size() != 2 ||
        !(has("shared") || has("const") || has("local") || has("global")))
      return false;
    return values_.write(operands_[0],
                         call_by_name(builder_,
                                      ("llvm.nvvm.isspacep." + parts_[1].split("::").first).str(),
                                      builder_.getInt1Ty(),
                                      {builder_.CreateIntToPtr(address, builder_.getPtrTy())}));
  }
  llvm::Type* type_ = nullptr;
};

} // namespace

// [$1 + 8], [%rd1+-4], [table], [16]
llvm::Value* place_of(llvm::IRBuilder<>& builder, PtxOperands& values, llvm::StringRef operand,
                      bool shared) {
  if (!operand.consume_front("[") || !operand.consume_back("]"))
    return nullptr;
  operand = operand.trim();
  const llvm::StringRef base = operand.take_while(is_of_name);
  llvm::StringRef offset = operand.drop_front(base.size()).ltrim();
  std::int64_t bytes = 0;
  if (!offset.empty()) {
    const bool minus = offset.front() == '-';
    if (!minus && offset.front() != '+')
      return nullptr;
    const std::optional<std::int64_t> number = integer_of(offset.drop_front().trim());
    if (!number)
      return nullptr;
    bytes = minus ? -*number : *number;
  }
  if (llvm::Value* const variable = values.object(base))
    return variable->getType()->isPointerTy() && !llvm::isa<llvm::Function>(variable)
               ? builder.CreateGEP(builder.getInt8Ty(), variable,
                                   builder.getInt64(static_cast<std::uint64_t>(bytes)))
               : nullptr;
  llvm::Type* const word = shared ? builder.getInt32Ty() : builder.getInt64Ty();
  llvm::Value* address = values.read(base, word);
  if (!address)
    return nullptr;
  if (bytes != 0)
    address = builder.CreateAdd(
        address, llvm::ConstantInt::get(word, static_cast<std::uint64_t>(bytes), true));
  return shared ? shared_at(builder, address) : builder.CreateIntToPtr(address, builder.getPtrTy());
}

bool is_memory_access(const PtxTexts& parts) {
  return llvm::StringSwitch<bool>(parts[0])
      .Cases("ld", "ldu", "st", "red", "atom", "cp", "cvta", "isspacep", true)
      .Default(false);
}

bool access_memory(const PtxStep& step) {
  return PtxAccess(step).run();
}

} // namespace gputest::ir
