// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/instructions.h"

#include "ir/call.h"
#include "ir/cuda/ptx/matrices.h"
#include "ir/cuda/ptx/memory.h"
#include "ir/cuda/ptx/phases.h"
#include "ir/cuda/ptx/textures.h"
#include "ir/cuda/ptx/video.h"
#include "ir/cuda/ptx/waits.h"
#include "ir/lowered_names.h"

#include <llvm/ADT/StringSwitch.h>

namespace gputest::ir {
namespace {

// Instructions without effect, because everything is done in program order and at once.
bool is_without_effect(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("prefetch", "prefetchu", "discard", "applypriority", true)
      .Cases("nanosleep", "pmevent", "brkpt", "griddepcontrol", true)
      .Default(false);
}

// Makes a comparison by its name in setp.
std::optional<llvm::CmpInst::Predicate> comparison(llvm::StringRef name, bool real,
                                                   bool is_signed) {
  using P = llvm::CmpInst::Predicate;
  const auto choose = [&](P of_reals, P of_signed, P of_unsigned) -> std::optional<P> {
    return real ? of_reals : is_signed ? of_signed : of_unsigned;
  };
  const auto of_reals = [&](P of) { return real ? std::optional(of) : std::nullopt; };
  return llvm::StringSwitch<std::optional<P>>(name)
      .Case("eq", choose(P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ))
      .Case("ne", choose(P::FCMP_ONE, P::ICMP_NE, P::ICMP_NE))
      .Case("lt", choose(P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT))
      .Case("le", choose(P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE))
      .Case("gt", choose(P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT))
      .Case("ge", choose(P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE))
      .Case("lo", choose(P::FCMP_OLT, P::ICMP_ULT, P::ICMP_ULT))
      .Case("ls", choose(P::FCMP_OLE, P::ICMP_ULE, P::ICMP_ULE))
      .Case("hi", choose(P::FCMP_OGT, P::ICMP_UGT, P::ICMP_UGT))
      .Case("hs", choose(P::FCMP_OGE, P::ICMP_UGE, P::ICMP_UGE))
      .Case("equ", of_reals(P::FCMP_UEQ))
      .Case("neu", of_reals(P::FCMP_UNE))
      .Case("ltu", of_reals(P::FCMP_ULT))
      .Case("leu", of_reals(P::FCMP_ULE))
      .Case("gtu", of_reals(P::FCMP_UGT))
      .Case("geu", of_reals(P::FCMP_UGE))
      .Case("num", of_reals(P::FCMP_ORD))
      .Case("nan", of_reals(P::FCMP_UNO))
      .Default(std::nullopt);
}

} // namespace

PtxInstructions::PtxInstructions(llvm::IRBuilder<>& builder, PtxOperands& values)
    : builder_(builder), values_(values),
      arithmetic_(builder, values.make(builder.getInt1Ty(), "carry")) {}

bool PtxInstructions::translate(const PtxInstruction& instruction) {
  const auto& [guard, whole, parts, operands] = instruction;
  const llvm::StringRef name = parts[0];
  if (is_without_effect(name))
    return true;
  if (name == "membar" || name == "fence") {
    call_by_name(builder_, kFenceFunction, builder_.getVoidTy(),
                 {builder_.getInt32(has_part(parts, "cta")                      ? kFenceOfBlock
                                    : name == "membar" || has_part(parts, "sc") ? kSequentialFence
                                                                                : kFenceOfDevice)});
    return true;
  }
  if (name == "trap") {
    call_by_name(builder_, "gputest_trap", builder_.getVoidTy());
    return operands.empty();
  }
  if (is_memory_access(parts))
    return access_memory({builder_, values_, parts, operands});
  if (name == "mbarrier")
    return use_barrier(builder_, values_, parts, operands);
  if (is_of_matrix(parts))
    return use_matrix({builder_, values_, parts, operands});
  if (is_of_texture(parts))
    return access_texture({builder_, values_, parts, operands});
  if (is_wait(parts))
    return wait_for_others({builder_, values_, parts, operands});
  if (operands.empty())
    return false;
  if (name == "createpolicy")
    return values_.write(operands[0], builder_.getInt64(0));
  if (is_video(name)) {
    std::vector<llvm::Value*> words;
    for (std::size_t i = 1; i < operands.size(); ++i)
      words.push_back(values_.read(operands[i], builder_.getInt32Ty()));
    return words.size() == 3 && words[0] && words[1] && words[2] &&
           values_.write(operands[0], video(builder_, parts, words[0], words[1], words[2]));
  }
  if (is_scalar_video(name))
    return of_words(parts, operands);
  if (parts.size() < 2)
    return false;
  llvm::Type* const type = values_.type_of(name == "prmt" ? parts[1] : parts.back()); // or a mode
  if (!type)
    return false;
  if (name == "mov" && operands.size() == 2 &&
      (operands[0].starts_with("{") || operands[1].starts_with("{")))
    return pack(type, operands);
  if (name == "cvt" && parts[1] == "pack")
    return saturate_both(parts, operands);
  if (name == "cvt" && has_part(parts, "tf32"))
    return to_tf32(parts, operands);
  if (name == "cvt")
    return convert(parts, type, operands);
  if (name == "setp" || name == "set")
    return compare(parts, type, operands);
  if (name == "testp")
    return test(parts, type, operands);
  if (name == "slct")
    return choose_by_sign(parts, type, operands);
  std::vector<llvm::Value*> values;
  const bool is_signed = values_.is_signed();
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const bool is_choice = name == "selp" && i == 3;
    values.push_back(
        values_.read(operands[i], is_choice ? builder_.getInt1Ty() : operand_type(parts, type, i)));
    if (!values.back())
      return false;
  }
  return values_.write(operands[0], arithmetic_.compute(parts, type, is_signed, values), is_signed);
}

bool PtxInstructions::of_words(const PtxTexts& parts,
                               const PtxTexts& operands) { // vadd.u32.u32.u32 $0, $1.b0, $2
  if (operands.size() < 3 || operands.size() > 4)
    return false;
  std::vector<llvm::Value*> values;
  PtxTexts selectors;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const auto [name, selector] = operands[i].split('.');
    values.push_back(values_.read(name, builder_.getInt32Ty()));
    selectors.push_back(selector);
    if (!values.back())
      return false;
  }
  return values_.write(operands[0], scalar_video(builder_, parts, values, selectors));
}

// Counts, positions and selectors have 32 bits. The addend of a wide product has twice the bits of
// the factors.
llvm::Type* PtxInstructions::operand_type(const PtxTexts& parts, llvm::Type* type,
                                          std::size_t index) {
  const llvm::StringRef name = parts[0];
  if (((name == "shl" || name == "shr") && index == 2) || (name == "bfe" && index > 1) ||
      (name == "bfi" && index > 2))
    return builder_.getInt32Ty();
  if (name == "mad" && index == 3 && type->isIntegerTy() && has_part(parts, "wide"))
    return builder_.getIntNTy(2 * type->getIntegerBitWidth());
  return type;
}

bool PtxInstructions::pack(llvm::Type* type,
                           const PtxTexts& operands) { // mov.b64 d, {a, b} and mov.b64 {a, b}, d
  const bool takes_apart = operands[0].starts_with("{");
  const PtxTexts parts = operands_inside(takes_apart ? operands[0] : operands[1]);
  if (!type->isIntegerTy() || parts.empty() || type->getIntegerBitWidth() % parts.size() != 0)
    return false;
  const unsigned bits = type->getIntegerBitWidth() / static_cast<unsigned>(parts.size());
  llvm::Type* const part = builder_.getIntNTy(bits);
  llvm::Value* whole =
      takes_apart ? values_.read(operands[1], type) : llvm::ConstantInt::get(type, 0);
  if (!whole)
    return false;
  for (unsigned i = 0; i < parts.size(); ++i) {
    if (takes_apart) {
      if (!values_.write(parts[i], builder_.CreateTrunc(
                                       builder_.CreateLShr(whole, std::uint64_t{i} * bits), part)))
        return false;
      continue;
    }
    llvm::Value* const value = values_.read(parts[i], part);
    if (!value)
      return false;
    whole = builder_.CreateOr(
        whole, builder_.CreateShl(builder_.CreateZExt(value, type), std::uint64_t{i} * bits));
  }
  return takes_apart || values_.write(operands[0], whole);
}

// cvt.rn.f32.s32 d, a; cvt.rn.f16x2.f32 d, upper, lower
bool PtxInstructions::convert(const PtxTexts& parts, llvm::Type* from, const PtxTexts& operands) {
  const bool from_signed = values_.is_signed();
  llvm::Type* const to = parts.size() > 2 ? values_.type_of(parts[parts.size() - 2]) : nullptr;
  const bool to_signed = values_.is_signed();
  if (!to)
    return false;
  auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(to);
  if (operands.size() != (vector ? 3 : 2))
    return false;
  llvm::Type* const element = vector ? vector->getElementType() : to;
  std::vector<llvm::Value*> results;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    llvm::Value* const value = values_.read(operands[i], from);
    llvm::Value* const converted =
        value ? arithmetic_.convert(parts, from_signed, element, to_signed, value) : nullptr;
    if (!converted)
      return false;
    results.push_back(converted);
  }
  if (!vector)
    return values_.write(operands[0], results[0], to_signed);
  llvm::Value* const lower =
      builder_.CreateInsertElement(llvm::UndefValue::get(to), results[1], std::uint64_t{0});
  return values_.write(operands[0], builder_.CreateInsertElement(lower, results[0], 1));
}

// cvt.pack.sat.s16.s32 d, upper, lower; cvt.pack.sat.u8.s32.b32 d, upper, lower, above
bool PtxInstructions::saturate_both(const PtxTexts& parts, const PtxTexts& operands) {
  llvm::StringRef size = parts.size() > 4 && parts[2] == "sat" && parts[4] == "s32" ? parts[3] : "";
  const bool is_signed = size.consume_front("s");
  unsigned bits = 0;
  if ((!is_signed && !size.consume_front("u")) || size.getAsInteger(10, bits) ||
      (bits != 2 && bits != 4 && bits != 8 && bits != 16) ||
      operands.size() != (bits == 16 ? 3 : 4) || parts.size() != (bits == 16 ? 5 : 6))
    return false;
  std::vector<llvm::Value*> words;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    words.push_back(values_.read(operands[i], builder_.getInt32Ty()));
    if (!words.back())
      return false;
  }
  const auto limited = [&](llvm::Value* word) -> llvm::Value* {
    const auto limit = [&](const llvm::APInt& number) {
      return builder_.getInt(is_signed ? number.sext(32) : number.zext(32));
    };
    llvm::Value* const part = builder_.CreateBinaryIntrinsic(
        llvm::Intrinsic::smin,
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, word,
                                       limit(is_signed ? llvm::APInt::getSignedMinValue(bits)
                                                       : llvm::APInt::getMinValue(bits))),
        limit(is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits)));
    return builder_.CreateAnd(part, (std::uint64_t{1} << bits) - 1);
  };
  llvm::Value* both =
      builder_.CreateOr(builder_.CreateShl(limited(words[0]), bits), limited(words[1]));
  if (words.size() > 2)
    both = builder_.CreateOr(both, builder_.CreateShl(words[2], 2 * std::uint64_t{bits}));
  return values_.write(operands[0], both);
}

// cvt.rna.tf32.f32 d, a: a float with 10 bits behind the point. Halves go away from zero.
bool PtxInstructions::to_tf32(const PtxTexts& parts, const PtxTexts& operands) {
  const bool is_finite = has_part(parts, "satfinite");
  if (operands.size() != 2 || parts[1] != "rna" || parts.back() != "f32" ||
      parts.size() != (is_finite ? 5 : 4))
    return false;
  constexpr std::uint32_t dropped = 0x1fff, infinite = 0x7f800000, most = 0x7f7fe000,
                          none = 0x7fffffff;
  llvm::Value* const number = values_.read(operands[1], builder_.getFloatTy());
  if (!number)
    return false;
  llvm::Value* const bits = builder_.CreateBitCast(number, builder_.getInt32Ty());
  llvm::Value* const sign = builder_.CreateAnd(bits, ~none);
  llvm::Value* const size = builder_.CreateAnd(bits, none);
  llvm::Value* const rounded =
      builder_.CreateAnd(builder_.CreateAdd(size, builder_.getInt32((dropped + 1) / 2)), ~dropped);
  llvm::Value* const limited = builder_.CreateBinaryIntrinsic(
      llvm::Intrinsic::umin, rounded, builder_.getInt32(is_finite ? most : infinite));
  return values_.write(operands[0], builder_.CreateSelect(builder_.CreateFCmpUNO(number, number),
                                                          builder_.getInt32(none),
                                                          builder_.CreateOr(limited, sign)));
}

// setp.lt.u32 p, a, b; setp.lt.and.f32 p|q, a, b, !c: q is what p would be for the opposite;
// set.lt.u32.f32 d, a, b
bool PtxInstructions::compare(const PtxTexts& parts, llvm::Type* type, const PtxTexts& operands) {
  const bool is_signed = values_.is_signed(), real = type->isFPOrFPVectorTy();
  if (operands.size() < 3 || operands.size() > 4 || parts.size() < 3)
    return false;
  llvm::Value *a = values_.read(operands[1], type), *b = values_.read(operands[2], type);
  const auto how = comparison(parts[1], real, is_signed);
  if (!a || !b || !how)
    return false;
  a = arithmetic_.flushed(parts, a);
  b = arithmetic_.flushed(parts, b);
  llvm::Value* const result = builder_.CreateCmp(*how, a, b);
  const auto [first, second] = operands[0].split('|');
  llvm::Type* const to = parts[0] == "set" ? values_.type_of(parts[parts.size() - 2]) : nullptr;
  if (to && type->isVectorTy()) { // a number or a mask each
    llvm::Type* const masks = llvm::FixedVectorType::get(builder_.getInt16Ty(), 2);
    return operands.size() == 3 && (to == type || to->isIntegerTy(32)) &&
           values_.write(operands[0],
                         to == type
                             ? builder_.CreateSelect(result, llvm::ConstantFP::get(to, 1),
                                                     llvm::ConstantFP::getZero(to))
                             : builder_.CreateBitCast(builder_.CreateSExt(result, masks), to));
  }
  if (type->isVectorTy()) { // of two halves, a predicate each
    return parts[0] == "setp" && operands.size() == 3 &&
           values_.write(first.trim(), builder_.CreateExtractElement(result, std::uint64_t{0})) &&
           (second.empty() ||
            values_.write(second.trim(), builder_.CreateExtractElement(result, 1)));
  }
  const auto with_other = [&](llvm::Value* value) -> llvm::Value* {
    if (operands.size() == 3)
      return value;
    llvm::Value* const other = values_.read(operands[3], builder_.getInt1Ty());
    return !other              ? nullptr
           : parts[2] == "and" ? builder_.CreateAnd(value, other)
           : parts[2] == "or"  ? builder_.CreateOr(value, other)
           : parts[2] == "xor" ? builder_.CreateXor(value, other)
                               : nullptr;
  };
  llvm::Value* const whole = with_other(result);
  if (!whole)
    return false;
  if (parts[0] == "setp") {
    llvm::Value* const opposite = second.empty() ? whole : with_other(builder_.CreateNot(result));
    return values_.write(first.trim(), whole) &&
           (second.empty() || values_.write(second.trim(), opposite));
  }
  if (!to || !(to->isFloatTy() || to->isHalfTy() || to->isIntegerTy()))
    return false;
  return values_.write(operands[0], to->isIntegerTy() ? builder_.CreateSExt(whole, to)
                                                      : builder_.CreateUIToFP(whole, to));
}

bool PtxInstructions::test(const PtxTexts& parts, llvm::Type* type, // testp.finite.f32 p, a
                           const PtxTexts& operands) {
  llvm::Value* const value = operands.size() == 2 && (type->isFloatTy() || type->isDoubleTy())
                                 ? values_.read(operands[1], type)
                                 : nullptr;
  const unsigned classes = llvm::StringSwitch<unsigned>(parts[1])
                               .Case("finite", llvm::fcFinite)
                               .Case("infinite", llvm::fcInf)
                               .Case("number", llvm::fcAllFlags & ~llvm::fcNan)
                               .Case("notanumber", llvm::fcNan)
                               .Case("normal", llvm::fcNormal | llvm::fcZero)
                               .Case("subnormal", llvm::fcSubnormal)
                               .Default(0);
  return value && classes != 0 &&
         values_.write(operands[0],
                       builder_.createIsFPClass(value, static_cast<llvm::FPClassTest>(classes)));
}

// slct.f32.s32 d, a, b, c: a where c is not negative
bool PtxInstructions::choose_by_sign(const PtxTexts& parts, llvm::Type* type,
                                     const PtxTexts& operands) {
  llvm::Type* const of = values_.type_of(parts[parts.size() - 2]);
  if (!of || operands.size() != 4 || !(type->isFloatTy() || type->isIntegerTy(32)))
    return false;
  llvm::Value *const a = values_.read(operands[1], of), *const b = values_.read(operands[2], of),
                     *const c = values_.read(operands[3], type);
  if (!a || !b || !c)
    return false;
  llvm::Value* const takes =
      type->isFloatTy()
          ? builder_.CreateFCmpOGE(arithmetic_.flushed(parts, c), llvm::ConstantFP::get(type, 0))
          : builder_.CreateICmpSGE(c, builder_.getInt32(0));
  return values_.write(operands[0], builder_.CreateSelect(takes, a, b));
}

} // namespace gputest::ir
