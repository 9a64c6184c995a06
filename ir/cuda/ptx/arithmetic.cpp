// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/arithmetic.h"

#include "ir/call.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>

#include <cmath>
#include <optional>

namespace gputest::ir {

llvm::Value* PtxArithmetic::intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> values) {
  return values.size() == 1 ? builder_.CreateUnaryIntrinsic(id, values[0])
                            : builder_.CreateBinaryIntrinsic(id, values[0], values[1]);
}

llvm::Value* PtxArithmetic::device_function(llvm::StringRef name, llvm::Type* type,
                                            const std::vector<llvm::Value*>& values) {
  return call_by_name(builder_, name, type, values);
}

llvm::Value* PtxArithmetic::product(const PtxTexts& parts, llvm::Type* type, llvm::Value* a,
                                    llvm::Value* b) {
  const unsigned bits = type->getIntegerBitWidth();
  if (has_part(parts, "lo"))
    return builder_.CreateMul(a, b);
  llvm::Type* const wide = builder_.getIntNTy(2 * bits);
  const auto widened = [&](llvm::Value* value) {
    return is_signed_ ? builder_.CreateSExt(value, wide) : builder_.CreateZExt(value, wide);
  };
  llvm::Value* const whole = builder_.CreateMul(widened(a), widened(b));
  return has_part(parts, "wide") ? whole
                                 : builder_.CreateTrunc(builder_.CreateLShr(whole, bits), type);
}

// Adds with the carry of an earlier instruction, and sets the carry for later ones.
llvm::Value* PtxArithmetic::with_carry(const PtxTexts& parts, llvm::Type* type, llvm::Value* a,
                                       llvm::Value* b) {
  const bool subtracts = parts[0].starts_with("sub"), takes = parts[0].ends_with("c");
  const unsigned bits = type->getIntegerBitWidth();
  llvm::Type* const wide = builder_.getIntNTy(2 * bits);
  llvm::Value* whole =
      subtracts ? builder_.CreateSub(builder_.CreateZExt(a, wide), builder_.CreateZExt(b, wide))
                : builder_.CreateAdd(builder_.CreateZExt(a, wide), builder_.CreateZExt(b, wide));
  if (takes) {
    llvm::Value* const carry =
        builder_.CreateZExt(builder_.CreateLoad(builder_.getInt1Ty(), carry_), wide);
    whole = subtracts ? builder_.CreateSub(whole, carry) : builder_.CreateAdd(whole, carry);
  }
  if (has_part(parts, "cc"))
    builder_.CreateStore(
        builder_.CreateTrunc(builder_.CreateLShr(whole, bits), builder_.getInt1Ty()), carry_);
  return builder_.CreateTrunc(whole, type);
}

// Shifts by more than the width return zeros, or the sign.
llvm::Value* PtxArithmetic::shift(llvm::StringRef name, llvm::Type* type, llvm::Value* a,
                                  llvm::Value* count) {
  const unsigned bits = type->getIntegerBitWidth();
  llvm::Value* const most = builder_.getInt32(bits - 1);
  llvm::Value* const is_small = builder_.CreateICmpULE(count, most);
  llvm::Value* const by =
      builder_.CreateZExtOrTrunc(builder_.CreateSelect(is_small, count, most), type);
  if (name == "shr" && is_signed_)
    return builder_.CreateAShr(a, by);
  return builder_.CreateSelect(
      is_small, name == "shl" ? builder_.CreateShl(a, by) : builder_.CreateLShr(a, by),
      llvm::ConstantInt::get(type, 0));
}

llvm::Value* PtxArithmetic::compute(const PtxTexts& parts, llvm::Type* type, bool is_signed,
                                    const std::vector<llvm::Value*>& v) {
  is_signed_ = is_signed;
  const llvm::StringRef name = parts[0];
  const std::size_t count = v.size();
  if (name == "mov" && count == 1)
    return v[0];
  if (name == "selp" && count == 3)
    return builder_.CreateSelect(v[2], v[0], v[1]);
  if (has_part(parts, "relu") && type->isIntegerTy())
    return nullptr;
  if (type->isBFloatTy() || type->isVectorTy())
    return compute_narrow(parts, type, v);
  if (!type->isFloatingPointTy())
    return compute_integer(parts, type, v);
  std::vector<llvm::Value*> numbers;
  for (llvm::Value* value : v)
    numbers.push_back(flushed(parts, value));
  llvm::Value* const result = compute_real(parts, type, numbers);
  return result ? flushed(parts, result, before_rounding(parts, type, numbers)) : nullptr;
}

llvm::Value* PtxArithmetic::flushed(const PtxTexts& parts, llvm::Value* value) {
  return flushed(parts, value, nullptr);
}

// Returns the result with more digits; null: the rounded one says as well whether it is subnormal.
llvm::Value* PtxArithmetic::before_rounding(const PtxTexts& parts, llvm::Type* type,
                                            const std::vector<llvm::Value*>& v) {
  if (!has_part(parts, "ftz") || type->isDoubleTy() || parts[0] == "add" || parts[0] == "sub")
    return nullptr;
  std::vector<llvm::Value*> wide;
  for (llvm::Value* value : v)
    wide.push_back(builder_.CreateFPExt(value, builder_.getDoubleTy()));
  if (parts[0] == "rcp")
    wide.insert(wide.begin(), llvm::ConstantFP::get(builder_.getDoubleTy(), 1));
  if (parts[0] == "mul" || parts[0] == "fma" || parts[0] == "mad") {
    llvm::Value* const product = builder_.CreateFMul(wide[0], wide[1]);
    return wide.size() == 2 ? product : builder_.CreateFAdd(product, wide[2]);
  }
  return parts[0] == "div" || parts[0] == "rcp" ? builder_.CreateFDiv(wide[0], wide[1]) : nullptr;
}

// `exact`: null, or the value with more digits. An H200 rounds it as if there were smaller
// exponents, and then makes it zero if it is subnormal.
llvm::Value* PtxArithmetic::flushed(const PtxTexts& parts, llvm::Value* value, llvm::Value* exact) {
  llvm::Type* const type = value->getType();
  if (!has_part(parts, "ftz") || !type->isFPOrFPVectorTy())
    return value;
  const llvm::fltSemantics& format = type->getScalarType()->getFltSemantics();
  llvm::Value* const zero = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign,
                                                           llvm::ConstantFP::getZero(type), value);
  if (!exact) {
    llvm::Value* const size = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
    return builder_.CreateSelect(
        builder_.CreateFCmpOLT(
            size, llvm::ConstantFP::get(type, llvm::APFloat::getSmallestNormalized(format))),
        zero, value);
  }
  const double least = std::ldexp(1, llvm::APFloat::semanticsMinExponent(format));
  const int digits = static_cast<int>(llvm::APFloat::semanticsPrecision(format));
  // The largest sizes that round to a subnormal number.
  const auto limit = [&](double size) {
    return llvm::ConstantFP::get(builder_.getDoubleTy(), size);
  };
  llvm::Constant* const toward_zero = limit(std::nextafter(least, 0));
  llvm::Constant* const away = limit(least * (1 - std::ldexp(1, -digits)));
  llvm::Constant* const to_nearest =
      limit(std::nextafter(least * (1 - std::ldexp(1, -digits - 1)), 0));
  llvm::Value* const is_negative =
      builder_.CreateFCmpOLT(exact, llvm::ConstantFP::getZero(builder_.getDoubleTy()));
  llvm::Value* const most =
      has_part(parts, "rz")   ? toward_zero
      : has_part(parts, "rm") ? builder_.CreateSelect(is_negative, away, toward_zero)
      : has_part(parts, "rp") ? builder_.CreateSelect(is_negative, toward_zero, away)
                              : to_nearest;
  return builder_.CreateSelect(
      builder_.CreateFCmpOLE(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, exact), most),
      zero, value);
}

llvm::Value* PtxArithmetic::compute_integer(const PtxTexts& parts, llvm::Type* type,
                                            const std::vector<llvm::Value*>& v) {
  const llvm::StringRef name = parts[0];
  using I = llvm::Intrinsic::ID;
  if (has_part(parts, "sat") && !(is_signed_ && type->isIntegerTy(32))) // refused, as by ptxas
    return nullptr;
  if (v.size() == 1) {
    if (name == "not")
      return builder_.CreateNot(v[0]);
    if (name == "cnot")
      return builder_.CreateZExt(builder_.CreateIsNull(v[0]), type);
    if (name == "neg")
      return builder_.CreateNeg(v[0]);
    if (name == "abs")
      return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, v[0], builder_.getFalse());
    const auto counted = [&](llvm::Value* value) {
      return builder_.CreateZExtOrTrunc(value, builder_.getInt32Ty());
    };
    if (name == "popc")
      return counted(intrinsic(llvm::Intrinsic::ctpop, {v[0]}));
    if (name == "clz")
      return counted(intrinsic(llvm::Intrinsic::ctlz, {v[0], builder_.getFalse()}));
    if (name == "bfind") {
      llvm::Value* const bits =
          is_signed_
              ? builder_.CreateXor(v[0], builder_.CreateAShr(v[0], type->getIntegerBitWidth() - 1))
              : v[0];
      llvm::Value* const zeros =
          counted(intrinsic(llvm::Intrinsic::ctlz, {bits, builder_.getFalse()}));
      return has_part(parts, "shiftamt")
                 ? builder_.CreateSelect(
                       builder_.CreateICmpEQ(zeros, builder_.getInt32(type->getIntegerBitWidth())),
                       builder_.getInt32(~0u), zeros)
                 : builder_.CreateSub(builder_.getInt32(type->getIntegerBitWidth() - 1), zeros);
    }
    return name == "brev" ? intrinsic(llvm::Intrinsic::bitreverse, {v[0]}) : nullptr;
  }
  if (v.size() == 2) {
    if (has_part(parts, "cc") || name == "addc" || name == "subc")
      return with_carry(parts, type, v[0], v[1]);
    if (has_part(parts, "sat")) {
      const I id = name == "add"   ? llvm::Intrinsic::sadd_sat
                   : name == "sub" ? llvm::Intrinsic::ssub_sat
                                   : llvm::Intrinsic::not_intrinsic;
      return id == llvm::Intrinsic::not_intrinsic ? nullptr : intrinsic(id, {v[0], v[1]});
    }
    if (name == "shl" || name == "shr")
      return shift(name, type, v[0], v[1]);
    if (name == "mul")
      return product(parts, type, v[0], v[1]);
    if (name == "min" || name == "max")
      return intrinsic(name == "min" ? (is_signed_ ? llvm::Intrinsic::smin : llvm::Intrinsic::umin)
                                     : (is_signed_ ? llvm::Intrinsic::smax : llvm::Intrinsic::umax),
                       {v[0], v[1]});
    if (name == "bmsk" && type->isIntegerTy(32))
      return ones(parts, v[0], v[1]);
    const auto operation =
        llvm::StringSwitch<std::optional<llvm::Instruction::BinaryOps>>(name)
            .Case("add", llvm::Instruction::Add)
            .Case("sub", llvm::Instruction::Sub)
            .Case("and", llvm::Instruction::And)
            .Case("or", llvm::Instruction::Or)
            .Case("xor", llvm::Instruction::Xor)
            .Case("div", is_signed_ ? llvm::Instruction::SDiv : llvm::Instruction::UDiv)
            .Case("rem", is_signed_ ? llvm::Instruction::SRem : llvm::Instruction::URem)
            .Default(std::nullopt);
    if (operation)
      return builder_.CreateBinOp(*operation, v[0], v[1]);
  }
  if (v.size() == 3 && (name == "madc" || (name == "mad" && has_part(parts, "cc"))))
    return has_part(parts, "wide")
               ? nullptr
               : with_carry(parts, type, product(parts, type, v[0], v[1]), v[2]);
  if (v.size() == 3 && name == "mad") {
    llvm::Value* const part = product(parts, type, v[0], v[1]);
    return has_part(parts, "sat") ? intrinsic(llvm::Intrinsic::sadd_sat, {part, v[2]})
                                  : builder_.CreateAdd(part, v[2]);
  }
  if (v.size() == 3 && name == "sad") {
    llvm::Value* const less =
        is_signed_ ? builder_.CreateICmpSLT(v[0], v[1]) : builder_.CreateICmpULT(v[0], v[1]);
    return builder_.CreateAdd(v[2], builder_.CreateSelect(less, builder_.CreateSub(v[1], v[0]),
                                                          builder_.CreateSub(v[0], v[1])));
  }
  if (v.size() == 3 && name == "bfe")
    return field(type, v);
  if (name == "bfi")
    return v.size() == 4 ? inserted(type, v) : nullptr;
  if (!type->isIntegerTy(32)) // all that follow have 32 bits
    return nullptr;
  if (v.size() == 3 && name == "fns")
    return device_function("__nv_fns", type, v);
  if (v.size() == 3 && name == "prmt")
    return permuted(parts, v);
  if (v.size() == 2 && name == "szext" && parts.size() == 3)
    return extended(parts, v[0], v[1]);
  if (v.size() == 3 && name == "shf" && (has_part(parts, "wrap") || has_part(parts, "clamp"))) {
    llvm::Value* const by = has_part(parts, "clamp")
                                ? intrinsic(llvm::Intrinsic::umin, {v[2], builder_.getInt32(32)})
                                : builder_.CreateAnd(v[2], 31);
    llvm::Type* const wide = builder_.getInt64Ty();
    llvm::Value* const both = builder_.CreateOr(
        builder_.CreateShl(builder_.CreateZExt(v[1], wide), 32), builder_.CreateZExt(v[0], wide));
    llvm::Value* const count = builder_.CreateZExt(by, wide);
    return builder_.CreateTrunc(has_part(parts, "l")
                                    ? builder_.CreateLShr(builder_.CreateShl(both, count), 32)
                                    : builder_.CreateLShr(both, count),
                                type);
  }
  if (name == "mul24" || name == "mad24")
    return of_24_bits(parts, type, v);
  if (v.size() == 3 && (name == "dp4a" || name == "dp2a") && parts.size() > 2)
    return dot(parts, v);
  return v.size() == 4 && name == "lop3" ? any_of_three(v) : nullptr;
}

// mul24.lo.u32, mad24.lo.s32: of the lower 24 bits of two words.
llvm::Value* PtxArithmetic::of_24_bits(const PtxTexts& parts, llvm::Type* type,
                                       const std::vector<llvm::Value*>& v) {
  llvm::Type* const wide = builder_.getInt64Ty();
  const auto lower = [&](llvm::Value* value) {
    llvm::Value* const above = builder_.CreateShl(builder_.CreateZExt(value, wide), 40);
    return is_signed_ ? builder_.CreateAShr(above, 40) : builder_.CreateLShr(above, 40);
  };
  if (v.size() != (parts[0] == "mul24" ? 2u : 3u))
    return nullptr;
  llvm::Value* const product = builder_.CreateMul(lower(v[0]), lower(v[1]));
  llvm::Value* const part = builder_.CreateTrunc(
      has_part(parts, "hi") ? builder_.CreateLShr(product, 16) : product, type);
  if (v.size() == 2)
    return part;
  return has_part(parts, "sat") ? intrinsic(llvm::Intrinsic::sadd_sat, {part, v[2]})
                                : builder_.CreateAdd(part, v[2]);
}

// dp4a.u32.s32: four bytes by four bytes. dp2a.lo.u32.u32: two halves by the two lower bytes.
llvm::Value* PtxArithmetic::dot(const PtxTexts& parts, const std::vector<llvm::Value*>& v) {
  const bool of_bytes = parts[0] == "dp4a";
  const auto element = [&](unsigned operand, unsigned bits, unsigned index) {
    llvm::Value* const top = builder_.CreateShl(v[operand], 32 - bits * (index + 1));
    return parts[parts.size() - 2 + operand].starts_with("s") ? builder_.CreateAShr(top, 32 - bits)
                                                              : builder_.CreateLShr(top, 32 - bits);
  };
  const unsigned count = of_bytes ? 4 : 2, first = has_part(parts, "hi") ? 2 : 0;
  llvm::Value* sum = v[2];
  for (unsigned i = 0; i < count; ++i)
    sum = builder_.CreateAdd(
        sum, builder_.CreateMul(element(0, 32 / count, i), element(1, 8, first + i)));
  return sum;
}

// add.rm.f32: as CUDA's function for it, such as __fadd_rd.
llvm::Value* PtxArithmetic::directed(const PtxTexts& parts, llvm::Type* type,
                                     const std::vector<llvm::Value*>& v) {
  const llvm::StringRef ending = has_part(parts, "rz") ? "rz" : has_part(parts, "rm") ? "rd" : "ru";
  const bool is_float = type->isFloatTy();
  const std::size_t operands = llvm::StringSwitch<std::size_t>(parts[0])
                                   .Cases("rcp", "sqrt", 1)
                                   .Cases("add", "sub", "mul", "div", 2)
                                   .Cases("fma", "mad", 3)
                                   .Default(0);
  if (operands != v.size() || type->isHalfTy())
    return nullptr;
  const std::string name =
      operands == 3 ? is_float ? "fmaf" : "fma" : (is_float ? "f" : "d") + parts[0].str();
  return device_function("__nv_" + name + "_" + ending.str(), type, v);
}

// min.f32, max.NaN.f32: -0 is less than 0. A NaN operand is ignored, or with .NaN is the result.
llvm::Value* PtxArithmetic::extreme(const PtxTexts& parts, const std::vector<llvm::Value*>& v) {
  const bool is_min = parts[0] == "min";
  llvm::Type* const type = v[0]->getType();
  llvm::Type* const bits =
      builder_.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()));
  llvm::Value *const a = builder_.CreateBitCast(v[0], bits), *const b =
                                                                 builder_.CreateBitCast(v[1], bits);
  llvm::Value* const same =
      builder_.CreateBitCast(is_min ? builder_.CreateOr(a, b) : builder_.CreateAnd(a, b), type);
  llvm::Value* const chosen = builder_.CreateSelect(
      builder_.CreateFCmpOEQ(v[0], v[1]), same,
      intrinsic(is_min ? llvm::Intrinsic::minnum : llvm::Intrinsic::maxnum, {v[0], v[1]}));
  if (!has_part(parts, "NaN"))
    return chosen;
  // All bits but the sign: the canonical NaN of PTX.
  const llvm::APFloat none(type->getScalarType()->getFltSemantics(),
                           llvm::APInt::getSignedMaxValue(type->getScalarSizeInBits()));
  return builder_.CreateSelect(builder_.CreateFCmpUNO(v[0], v[1]),
                               llvm::ConstantFP::get(type, none), chosen);
}

llvm::Value* PtxArithmetic::not_negative(llvm::Value* value) {
  llvm::Value* const zero = llvm::ConstantFP::get(value->getType(), 0);
  return builder_.CreateSelect(builder_.CreateFCmpOLE(value, zero), zero, value); // also -0
}

// What is no number becomes 0.
llvm::Value* PtxArithmetic::between_0_and_1(llvm::Value* value) {
  llvm::Type* const type = value->getType();
  return intrinsic(llvm::Intrinsic::minnum,
                   {intrinsic(llvm::Intrinsic::maxnum, {value, llvm::ConstantFP::getZero(type)}),
                    llvm::ConstantFP::get(type, 1)});
}

llvm::Value* PtxArithmetic::compute_real(const PtxTexts& parts, llvm::Type* type,
                                         const std::vector<llvm::Value*>& v) {
  const llvm::StringRef name = parts[0];
  if (has_part(parts, "xorsign")) // the instruction is refused
    return nullptr;
  llvm::Value* result = nullptr;
  if (has_part(parts, "rz") || has_part(parts, "rm") || has_part(parts, "rp")) {
    result = directed(parts, type, v);
  } else if (v.size() == 1) {
    const auto one = llvm::ConstantFP::get(type, 1);
    if (name == "neg")
      result = builder_.CreateFNeg(v[0]);
    else if (name == "abs")
      result = intrinsic(llvm::Intrinsic::fabs, {v[0]});
    else if (name == "rcp")
      result = builder_.CreateFDiv(one, v[0]);
    else if (name == "sqrt")
      result = intrinsic(llvm::Intrinsic::sqrt, {v[0]});
    else if (name == "rsqrt")
      result = builder_.CreateFDiv(one, intrinsic(llvm::Intrinsic::sqrt, {v[0]}));
    else if (type->isFloatTy() || type->isHalfTy())
      if (const llvm::StringRef function = llvm::StringSwitch<llvm::StringRef>(name)
                                               .Case("ex2", "__nv_exp2f")
                                               .Case("lg2", "__nv_log2f")
                                               .Case("sin", "__nv_sinf")
                                               .Case("cos", "__nv_cosf")
                                               .Case("tanh", "__nv_tanhf")
                                               .Default("");
          !function.empty())
        result = builder_.CreateFPCast(
            device_function(function, builder_.getFloatTy(),
                            {builder_.CreateFPCast(v[0], builder_.getFloatTy())}),
            type);
  } else if (v.size() == 2) {
    if (name == "min" || name == "max")
      result = extreme(parts, v);
    else if (name == "add")
      result = builder_.CreateFAdd(v[0], v[1]);
    else if (name == "sub")
      result = builder_.CreateFSub(v[0], v[1]);
    else if (name == "mul")
      result = builder_.CreateFMul(v[0], v[1]);
    else if (name == "div")
      result = builder_.CreateFDiv(v[0], v[1]);
    else if (name == "copysign")
      result = intrinsic(llvm::Intrinsic::copysign, {v[1], v[0]});
  } else if (v.size() == 3 && (name == "fma" || name == "mad") && type->isHalfTy()) {
    result = builder_.CreateFPTrunc(fused({widened(v[0]), widened(v[1]), widened(v[2])}), type);
  } else if (v.size() == 3 && (name == "fma" || name == "mad")) {
    result = builder_.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {v[0], v[1], v[2]});
  }
  if (result && has_part(parts, "sat"))
    result = between_0_and_1(result);
  return result && has_part(parts, "relu") ? not_negative(result) : result;
}

} // namespace gputest::ir
