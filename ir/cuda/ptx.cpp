#include "ir/cuda/ptx.h"

#include "ir/cuda/ptx_arithmetic.h"
#include "ir/cuda/ptx_video.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gputest::simulator {
namespace {

using Builder = llvm::IRBuilder<>;
using Texts = PtxTexts;

class Translation {
public:
  Translation(llvm::CallInst& call, const SpecialRegister& special)
      : call_(call), special_(special), builder_(&call) {}

  bool run() {
    const auto& assembly = *llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
    text_ = assembly.getAsmString();
    read_constraints(assembly);
    llvm::Instruction* const before = call_.getPrevNode();
    llvm::SmallVector<llvm::StringRef, 8> statements;
    remove_comments();
    llvm::StringRef(text_).split(statements, ';');
    for (const llvm::StringRef statement : statements)
      if (!translate(statement)) {
        while (call_.getPrevNode() != before) // what was made of the others
          call_.getPrevNode()->eraseFromParent();
        return false;
      }
    finish();
    return true;
  }

private:
  void read_constraints(const llvm::InlineAsm& assembly) {
    unsigned argument = 0;
    for (const llvm::InlineAsm::ConstraintInfo& one : assembly.ParseConstraints()) {
      if (one.Type == llvm::InlineAsm::isOutput) {
        slots_.push_back(nullptr);
        ++outputs_;
      } else if (one.Type == llvm::InlineAsm::isInput) {
        llvm::Value* const value = call_.getArgOperand(argument++);
        if (!one.Codes.empty() && llvm::isDigit(one.Codes.front().front())) // starts an output
          slots_[static_cast<unsigned>(std::stoi(one.Codes.front()))] = value;
        else
          slots_.push_back(value);
      }
    }
  }

  void remove_comments() {
    for (const auto& [begin, end] : {std::pair{"//", "\n"}, {"/*", "*/"}})
      for (std::size_t at = 0; (at = text_.find(begin)) != std::string::npos;) {
        const std::size_t last = text_.find(end, at);
        text_.erase(at, last == std::string::npos ? last : last + std::strlen(end) - at);
      }
  }

  llvm::Type* output_type(unsigned index) const {
    auto* const parts = llvm::dyn_cast<llvm::StructType>(call_.getType());
    return parts ? parts->getElementType(index) : call_.getType();
  }

  void finish() {
    llvm::Value* result = nullptr;
    if (!call_.getType()->isVoidTy()) {
      result = llvm::UndefValue::get(call_.getType());
      for (unsigned i = 0; i < outputs_; ++i) {
        llvm::Type* const type = output_type(i);
        llvm::Value* const value =
            slots_[i] ? converted(slots_[i], type) : llvm::UndefValue::get(type);
        result =
            call_.getType()->isStructTy() ? builder_.CreateInsertValue(result, value, i) : value;
      }
      call_.replaceAllUsesWith(result);
    }
    call_.eraseFromParent();
  }

  // The type that an instruction's suffix says; null: none that is known.
  llvm::Type* type_of(llvm::StringRef suffix) {
    is_signed_ = suffix.starts_with("s");
    return llvm::StringSwitch<llvm::Type*>(suffix)
        .Cases("u8", "s8", "b8", builder_.getInt8Ty())
        .Cases("u16", "s16", "b16", builder_.getInt16Ty())
        .Cases("u32", "s32", "b32", builder_.getInt32Ty())
        .Cases("u64", "s64", "b64", builder_.getInt64Ty())
        .Case("f16", builder_.getHalfTy())
        .Case("f32", builder_.getFloatTy())
        .Case("f64", builder_.getDoubleTy())
        .Case("pred", builder_.getInt1Ty())
        .Default(nullptr);
  }

  // The same bits, or as many of them as there is room for.
  llvm::Value* converted(llvm::Value* value, llvm::Type* type) {
    if (value->getType() == type)
      return value;
    if (value->getType()->isPointerTy())
      value = builder_.CreatePtrToInt(value, builder_.getInt64Ty());
    const auto bits = [](llvm::Type* of) { return of->getPrimitiveSizeInBits().getFixedValue(); };
    if (!value->getType()->isIntegerTy())
      value = builder_.CreateBitCast(
          value, builder_.getIntNTy(static_cast<unsigned>(bits(value->getType()))));
    if (type->isPointerTy())
      return builder_.CreateIntToPtr(value, type);
    value =
        builder_.CreateZExtOrTrunc(value, builder_.getIntNTy(static_cast<unsigned>(bits(type))));
    return type->isIntegerTy() ? value : builder_.CreateBitCast(value, type);
  }

  // Null: unknown.
  llvm::Value* read(llvm::StringRef operand, llvm::Type* type) {
    const bool inverted = operand.consume_front("!");
    llvm::Value* value = nullptr;
    unsigned index = 0;
    if (operand.consume_front("$")) {
      if (operand.getAsInteger(10, index) || index >= slots_.size() || !slots_[index])
        return nullptr;
      value = slots_[index];
    } else if (const auto found = locals_.find(operand.str()); found != locals_.end()) {
      value = found->second;
    } else if (operand.consume_front("%")) {
      value = special_(builder_, operand);
    } else if (operand.starts_with("0f") || operand.starts_with("0F") ||
               operand.starts_with("0d") || operand.starts_with("0D")) {
      std::uint64_t bits = 0;
      if (operand.drop_front(2).getAsInteger(16, bits))
        return nullptr;
      value = operand[1] == 'f' || operand[1] == 'F'
                  ? builder_.CreateBitCast(builder_.getInt32(static_cast<unsigned>(bits)),
                                           builder_.getFloatTy())
                  : builder_.CreateBitCast(builder_.getInt64(bits), builder_.getDoubleTy());
    } else {
      std::int64_t number = 0;
      operand.consume_back("U");
      if (operand.getAsInteger(0, number))
        return nullptr;
      value = builder_.getInt64(static_cast<std::uint64_t>(number));
    }
    if (!value)
      return nullptr;
    value = converted(value, type);
    return inverted ? builder_.CreateNot(value) : value;
  }

  bool write(llvm::StringRef operand, llvm::Value* value) {
    llvm::Value** place = nullptr;
    unsigned index = 0;
    if (operand.consume_front("$")) {
      if (operand.getAsInteger(10, index) || index >= outputs_)
        return false;
      place = &slots_[index];
    } else if (const auto found = locals_.find(operand.str()); found != locals_.end()) {
      place = &found->second;
    }
    if (!place || !value)
      return operand == "_" && value;
    if (predicate_) { // else it stays what it was
      llvm::Value* const old =
          *place ? converted(*place, value->getType()) : llvm::UndefValue::get(value->getType());
      value = builder_.CreateSelect(predicate_, value, old);
    }
    *place = value;
    return true;
  }

  bool declare(llvm::StringRef rest) { // .reg .u32 a, b<4>
    for (const llvm::StringRef name : operands_of(rest.trim().split(' ').second)) {
      const auto [base, count] = name.split('<');
      unsigned many = 0;
      locals_[base.trim().str()] = nullptr;
      if (!count.empty() && !count.rtrim('>').getAsInteger(10, many))
        for (unsigned i = 0; i < many; ++i)
          locals_[(base + llvm::Twine(i)).str()] = nullptr;
    }
    return true;
  }

  bool translate(llvm::StringRef statement) {
    statement = statement.trim().ltrim("{}").trim();
    predicate_ = nullptr;
    if (statement.empty())
      return true;
    if (statement.consume_front(".reg"))
      return declare(statement);
    if (statement.consume_front("@")) {
      const std::size_t end = statement.find_first_of(" \t\n");
      predicate_ = read(statement.take_front(end), builder_.getInt1Ty());
      statement =
          statement.drop_front(end == llvm::StringRef::npos ? statement.size() : end).trim();
      if (!predicate_)
        return false;
    }
    const std::size_t end = statement.find_first_of(" \t\n");
    Texts parts;
    statement.take_front(end).split(parts, '.');
    const Texts operands =
        end == llvm::StringRef::npos ? Texts() : operands_of(statement.drop_front(end));
    return instruction(parts, operands);
  }

  static bool has(const Texts& parts, llvm::StringRef word) {
    return PtxArithmetic::has(parts, word);
  }

  bool instruction(const Texts& parts, const Texts& operands) {
    const llvm::StringRef name = parts[0];
    if (name == "membar" || name == "fence" || name == "prefetch" || name == "prefetchu" ||
        name == "discard" || name == "applypriority" || name == "nanosleep" || name == "pmevent" ||
        name == "brkpt" || name == "griddepcontrol")
      return true;
    if (name == "ld" || name == "ldu" || name == "st" || name == "red" || name == "atom")
      return !predicate_ && memory(parts, operands);
    if (operands.empty())
      return false;
    if (name == "cvta")
      return operands.size() == 2 && write(operands[0], read(operands[1], builder_.getInt64Ty()));
    llvm::Type* const type = type_of(parts.back());
    if (is_video(name)) {
      llvm::Value* const a =
          operands.size() == 4 ? read(operands[1], builder_.getInt32Ty()) : nullptr;
      llvm::Value* const b = a ? read(operands[2], builder_.getInt32Ty()) : nullptr;
      llvm::Value* const c = b ? read(operands[3], builder_.getInt32Ty()) : nullptr;
      return c && write(operands[0], video(builder_, parts, a, b, c));
    }
    if (!type)
      return false;
    if (name == "mov" && (operands[0].starts_with("{") || operands[1].starts_with("{")))
      return operands.size() == 2 && pack(type, operands);
    if (name == "cvt")
      return convert(parts, type, operands);
    if (name == "setp" || name == "set")
      return compare(parts, type, operands);
    std::vector<llvm::Value*> values;
    const bool is_signed = is_signed_;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      const bool is_choice = name == "selp" && i == 3;
      values.push_back(
          read(operands[i], is_choice ? builder_.getInt1Ty() : operand_type(parts, type, i)));
      if (!values.back())
        return false;
    }
    return write(operands[0], arithmetic_.compute(parts, type, is_signed, values));
  }

  // Counts, positions and selectors have 32 bits; what a wide product is added to has twice those
  // of its factors.
  llvm::Type* operand_type(const Texts& parts, llvm::Type* type, std::size_t index) {
    const llvm::StringRef name = parts[0];
    if (((name == "shl" || name == "shr") && index == 2) || (name == "bfe" && index > 1) ||
        (name == "bfi" && index > 2))
      return builder_.getInt32Ty();
    if (name == "mad" && index == 3 && has(parts, "wide"))
      return builder_.getIntNTy(2 * type->getIntegerBitWidth());
    return type;
  }

  bool pack(llvm::Type* type, const Texts& operands) { // mov.b64 d, {a, b} and mov.b64 {a, b}, d
    const bool takes_apart = operands[0].starts_with("{");
    const Texts parts =
        operands_of((takes_apart ? operands[0] : operands[1]).drop_front().drop_back());
    const unsigned bits = type->getIntegerBitWidth() / static_cast<unsigned>(parts.size());
    llvm::Type* const part = builder_.getIntNTy(bits);
    llvm::Value* whole = takes_apart ? read(operands[1], type) : llvm::ConstantInt::get(type, 0);
    if (!whole)
      return false;
    for (unsigned i = 0; i < parts.size(); ++i) {
      if (takes_apart) {
        if (!write(parts[i],
                   builder_.CreateTrunc(builder_.CreateLShr(whole, std::uint64_t{i} * bits), part)))
          return false;
        continue;
      }
      llvm::Value* const value = read(parts[i], part);
      if (!value)
        return false;
      whole = builder_.CreateOr(
          whole, builder_.CreateShl(builder_.CreateZExt(value, type), std::uint64_t{i} * bits));
    }
    return takes_apart || write(operands[0], whole);
  }

  bool convert(const Texts& parts, llvm::Type* from, const Texts& operands) { // cvt.rn.f32.s32 d, a
    const bool from_signed = is_signed_;
    llvm::Type* const to = type_of(parts[parts.size() - 2]);
    const bool to_signed = is_signed_;
    llvm::Value* const value = operands.size() == 2 && to ? read(operands[1], from) : nullptr;
    if (!value || has(parts, "sat"))
      return false;
    llvm::Value* const converted = arithmetic_.convert(parts, from_signed, to, to_signed, value);
    return converted && write(operands[0], converted);
  }

  bool compare(const Texts& parts, llvm::Type* type, const Texts& operands) { // setp.lt.u32 p, a, b
    const bool is_signed = is_signed_;
    if (operands.size() != 3 || parts.size() < 3 || operands[0].contains('|'))
      return false;
    llvm::Value *const a = read(operands[1], type), *const b = read(operands[2], type);
    if (!a || !b)
      return false;
    using P = llvm::CmpInst::Predicate;
    const bool real = type->isFloatingPointTy();
    const auto choose = [&](P of_reals, P of_signed, P of_unsigned) {
      return real ? of_reals : is_signed ? of_signed : of_unsigned;
    };
    const P how = llvm::StringSwitch<P>(parts[1])
                      .Case("eq", choose(P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ))
                      .Case("ne", choose(P::FCMP_ONE, P::ICMP_NE, P::ICMP_NE))
                      .Cases("lt", "lo", choose(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT))
                      .Cases("le", "ls", choose(P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE))
                      .Cases("gt", "hi", choose(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT))
                      .Cases("ge", "hs", choose(P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE))
                      .Default(P::BAD_ICMP_PREDICATE);
    if (how == P::BAD_ICMP_PREDICATE)
      return false;
    llvm::Value* const result =
        real ? builder_.CreateFCmp(how, a, b) : builder_.CreateICmp(how, a, b);
    if (parts[0] == "setp")
      return parts.size() <= (has(parts, "ftz") ? 4 : 3) && write(operands[0], result);
    llvm::Type* const to = type_of(parts[parts.size() - 2]);
    if (!to)
      return false;
    return write(operands[0], to->isFloatTy() ? builder_.CreateUIToFP(result, to)
                                              : builder_.CreateSExt(result, to));
  }

  // [$1 + 8]
  llvm::Value* place(llvm::StringRef operand) {
    if (!operand.consume_front("[") || !operand.consume_back("]"))
      return nullptr;
    const auto [base, offset] = operand.split('+');
    std::int64_t bytes = 0;
    llvm::Value* const address = read(base.trim(), builder_.getInt64Ty());
    if (!address || (!offset.empty() && offset.trim().getAsInteger(0, bytes)))
      return nullptr;
    // A generic address: those of __shared__ memory are 64 bits here, too.
    return builder_.CreateIntToPtr(
        builder_.CreateAdd(address, builder_.getInt64(static_cast<std::uint64_t>(bytes))),
        builder_.getPtrTy());
  }

  bool memory(const Texts& parts, const Texts& operands) {
    llvm::Type* const type = type_of(parts.back());
    const llvm::StringRef name = parts[0];
    // A shared address has 32 bits on a GPU, of which a pointer cannot be made here.
    if (!type || has(parts, "shared") || has(parts, "local") || has(parts, "param") ||
        has(parts, "const"))
      return false;
    if (name == "red" || name == "atom")
      return update(parts, type, operands);
    const bool loads = name != "st";
    if (operands.size() != 2)
      return false;
    const llvm::StringRef values = operands[loads ? 0 : 1];
    const bool is_vector = values.starts_with("{");
    const Texts all = is_vector ? operands_of(values.drop_front().drop_back()) : Texts{values};
    llvm::Value* const begin = place(operands[loads ? 1 : 0]);
    if (!begin)
      return false;
    const bool is_volatile = has(parts, "volatile");
    for (unsigned i = 0; i < all.size(); ++i) {
      llvm::Value* const at = builder_.CreateConstInBoundsGEP1_64(type, begin, i);
      if (loads) {
        llvm::Value* const value = builder_.CreateLoad(type, at, is_volatile);
        if (!write(all[i], value))
          return false;
      } else {
        llvm::Value* const value = read(all[i], type);
        if (!value)
          return false;
        builder_.CreateStore(value, at, is_volatile);
      }
    }
    return true;
  }

  bool update(const Texts& parts, llvm::Type* type, const Texts& operands) {
    const bool gives = parts[0] == "atom";
    if (operands.size() < (gives ? 3u : 2u))
      return false;
    llvm::Value* const at = place(operands[gives ? 1 : 0]);
    llvm::Value* const value = read(operands[gives ? 2 : 1], type);
    if (!at || !value)
      return false;
    constexpr auto kOrder = llvm::AtomicOrdering::Monotonic;
    llvm::Value* result = nullptr;
    if (has(parts, "cas")) {
      llvm::Value* const other = operands.size() == 4 ? read(operands[3], type) : nullptr;
      if (!other)
        return false;
      result = builder_.CreateExtractValue(
          builder_.CreateAtomicCmpXchg(at, value, other, llvm::MaybeAlign(), kOrder, kOrder), 0);
    } else {
      using Op = llvm::AtomicRMWInst::BinOp;
      const bool real = type->isFloatingPointTy();
      std::optional<Op> operation;
      for (const llvm::StringRef part : parts)
        if (const auto found = llvm::StringSwitch<std::optional<Op>>(part)
                                   .Case("add", real ? Op::FAdd : Op::Add)
                                   .Case("and", Op::And)
                                   .Case("or", Op::Or)
                                   .Case("xor", Op::Xor)
                                   .Case("exch", Op::Xchg)
                                   .Case("min", is_signed_ ? Op::Min : Op::UMin)
                                   .Case("max", is_signed_ ? Op::Max : Op::UMax)
                                   .Default(std::nullopt))
          operation = found;
      if (!operation)
        return false;
      result = builder_.CreateAtomicRMW(*operation, at, value, llvm::MaybeAlign(), kOrder);
    }
    return !gives || write(operands[0], result);
  }

  llvm::CallInst& call_;
  const SpecialRegister& special_;
  Builder builder_;
  std::string text_;
  std::vector<llvm::Value*> slots_; // outputs, then inputs; an output without a value is null
  unsigned outputs_ = 0;
  std::map<std::string, llvm::Value*> locals_;
  llvm::Value* predicate_ = nullptr; // of the instruction
  PtxArithmetic arithmetic_{builder_};
  bool is_signed_ = false; // of the type that was read last
};

} // namespace

bool translate_ptx(llvm::CallInst& call, const SpecialRegister& special) {
  return Translation(call, special).run();
}

} // namespace gputest::simulator
