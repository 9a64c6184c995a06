#include "ir/cuda/ptx_memory.h"

#include "ir/call.h"
#include "ir/cuda/shared_addresses.h"
#include "ir/cuda/spins.h"

#include <llvm/ADT/StringSwitch.h>

#include <array>
#include <optional>

namespace gputest::simulator {
namespace {

using Texts = PtxTexts;

class PtxAccess {
public:
  PtxAccess(llvm::IRBuilder<>& builder, PtxOperands& values, const Texts& parts,
            const Texts& operands)
      : builder_(builder), values_(values), parts_(parts), operands_(operands) {}

  bool run() {
    const llvm::StringRef name = parts_[0];
    if (name == "cp")
      return copy();
    if (name == "cvta")
      return convert();
    type_ = values_.type_of(parts_.back());
    if (!type_ || has("local") || has("param") || has("const"))
      return false;
    return name == "red" || name == "atom" ? update() : name == "st" ? store() : load();
  }

private:
  bool has(llvm::StringRef word) const {
    return std::ranges::any_of(parts_, [&](llvm::StringRef part) {
      return part == word || part.split("::").first == word; // shared::cta
    });
  }

  // Others see it, and it sees what others have written.
  bool is_strong() const {
    return std::ranges::any_of(
        std::array{"volatile", "relaxed", "acquire", "release", "mmio", "cv", "wt"},
        [this](const char* word) { return has(word); });
  }

  // [$1 + 8]
  llvm::Value* place(llvm::StringRef operand, bool shared) {
    if (!operand.consume_front("[") || !operand.consume_back("]"))
      return nullptr;
    const auto [base, offset] = operand.split('+');
    std::int64_t bytes = 0;
    if (!offset.empty() && offset.trim().getAsInteger(0, bytes))
      return nullptr;
    llvm::Type* const word = shared ? builder_.getInt32Ty() : builder_.getInt64Ty();
    llvm::Value* address = values_.read(base.trim(), word);
    if (!address)
      return nullptr;
    address = builder_.CreateAdd(
        address, llvm::ConstantInt::get(word, static_cast<std::uint64_t>(bytes), true));
    return shared ? shared_at(builder_, address)
                  : builder_.CreateIntToPtr(address, builder_.getPtrTy());
  }

  Texts parts_of(llvm::StringRef operand) const { // {$0, $1}
    return operand.starts_with("{") ? operands_of(operand.drop_front().drop_back())
                                    : Texts{operand};
  }

  // The elements of a vector lie one after the other, and the vector at a multiple of its size.
  llvm::Value* element(llvm::Value* begin, unsigned index) {
    return builder_.CreateConstInBoundsGEP1_64(type_, begin, index);
  }

  bool load() {
    llvm::Value* const begin = operands_.size() == 2 ? place(operands_[1], has("shared")) : nullptr;
    if (!begin)
      return false;
    const Texts all = parts_of(operands_[0]);
    for (unsigned i = 0; i < all.size(); ++i) {
      llvm::LoadInst* const value = builder_.CreateLoad(type_, element(begin, i), is_strong());
      if (has("acquire"))
        value->setAtomic(llvm::AtomicOrdering::Acquire);
      if (has("cg")) // of the cache that multiprocessors share: programs look for news like this
        value->setMetadata(kMayWait, llvm::MDNode::get(builder_.getContext(), {}));
      if (!values_.write(all[i], value))
        return false;
    }
    return true;
  }

  bool store() {
    llvm::Value* const begin = operands_.size() == 2 ? place(operands_[0], has("shared")) : nullptr;
    if (!begin)
      return false;
    const Texts all = parts_of(operands_[1]);
    for (unsigned i = 0; i < all.size(); ++i) {
      llvm::Value* const value = values_.read(all[i], type_);
      if (!value)
        return false;
      llvm::StoreInst* const store = builder_.CreateStore(value, element(begin, i), is_strong());
      if (has("release"))
        store->setAtomic(llvm::AtomicOrdering::Release);
    }
    return true;
  }

  bool update() {
    const bool is_signed = values_.is_signed();
    const bool gives = parts_[0] == "atom";
    if (operands_.size() < (gives ? 3u : 2u))
      return false;
    llvm::Value* const at = place(operands_[gives ? 1 : 0], has("shared"));
    llvm::Value* const value = values_.read(operands_[gives ? 2 : 1], type_);
    if (!at || !value)
      return false;
    const auto order = has("acq_rel")   ? llvm::AtomicOrdering::AcquireRelease
                       : has("acquire") ? llvm::AtomicOrdering::Acquire
                       : has("release") ? llvm::AtomicOrdering::Release
                                        : llvm::AtomicOrdering::Monotonic;
    const auto order_of_failure = has("acq_rel") || has("acquire")
                                      ? llvm::AtomicOrdering::Acquire
                                      : llvm::AtomicOrdering::Monotonic;
    llvm::Value* result = nullptr;
    if (has("cas")) {
      llvm::Value* const other =
          operands_.size() == 4 ? values_.read(operands_[3], type_) : nullptr;
      if (!other)
        return false;
      result = builder_.CreateExtractValue(builder_.CreateAtomicCmpXchg(at, value, other,
                                                                        llvm::MaybeAlign(), order,
                                                                        order_of_failure),
                                           0);
    } else {
      using Op = llvm::AtomicRMWInst::BinOp;
      const bool real = type_->isFloatingPointTy();
      std::optional<Op> operation;
      for (const llvm::StringRef part : parts_)
        if (const auto found = llvm::StringSwitch<std::optional<Op>>(part)
                                   .Case("add", real ? Op::FAdd : Op::Add)
                                   .Case("and", Op::And)
                                   .Case("or", Op::Or)
                                   .Case("xor", Op::Xor)
                                   .Case("exch", Op::Xchg)
                                   .Case("inc", Op::UIncWrap)
                                   .Case("dec", Op::UDecWrap)
                                   .Case("min", is_signed ? Op::Min : Op::UMin)
                                   .Case("max", is_signed ? Op::Max : Op::UMax)
                                   .Default(std::nullopt))
          operation = found;
      if (!operation)
        return false;
      result = builder_.CreateAtomicRMW(*operation, at, value, llvm::MaybeAlign(), order);
    }
    return !gives || values_.write(operands_[0], result);
  }

  // cp.async.ca.shared.global [$0], [$1], 16, $2: of 16 bytes those that the last operand says, and
  // zeros. It is made at once, so that there is nothing to wait for.
  bool copy() {
    if (parts_.size() < 2 || parts_[1] != "async" || has("bulk") || has("mbarrier") ||
        has("reduce"))
      return false;
    if (parts_.size() > 2 && (parts_[2].starts_with("wait_") || parts_[2] == "commit_group"))
      return true;
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
    // What is not read of the source need not be there.
    if (operands_.size() == 4)
      builder_.CreateMemSet(to, builder_.getInt8(0), size, llvm::Align(4));
    builder_.CreateMemCpy(
        to, llvm::Align(4), from, llvm::Align(4),
        builder_.CreateZExt(
            builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, used, builder_.getInt32(size)),
            builder_.getInt64Ty()));
    return true;
  }

  bool convert() { // cvta.shared.u64 $0, $1: a generic address; cvta.to.shared: back
    if (operands_.size() != 2)
      return false;
    llvm::Value* value = nullptr;
    if (has("shared") && !has("to")) {
      value = values_.read(operands_[1], builder_.getInt32Ty());
      value = value ? builder_.CreatePtrToInt(shared_at(builder_, value), builder_.getInt64Ty())
                    : nullptr;
    } else {
      value = values_.read(operands_[1], builder_.getInt64Ty());
    }
    return values_.write(operands_[0], value);
  }

  llvm::IRBuilder<>& builder_;
  PtxOperands& values_;
  const Texts &parts_, &operands_;
  llvm::Type* type_ = nullptr;
};

} // namespace

bool is_memory_access(const PtxTexts& parts) {
  return llvm::StringSwitch<bool>(parts[0])
      .Cases("ld", "ldu", "st", "red", "atom", "cp", "cvta", true)
      .Default(false);
}

bool access_memory(llvm::IRBuilder<>& builder, PtxOperands& values, const PtxTexts& parts,
                   const PtxTexts& operands) {
  values.enter();
  const bool known = PtxAccess(builder, values, parts, operands).run();
  values.leave();
  return known;
}

} // namespace gputest::simulator
