// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's conversions, and arithmetic of types narrower than float.
#include "ir/cuda/ptx/arithmetic.h"

#include "ir/call.h"
#include "ir/cuda/conversions.h"

namespace gputest::ir {

llvm::Value* widened_bf16(llvm::IRBuilder<>& builder, llvm::Value* bits) {
  return builder.CreateBitCast(
      builder.CreateShl(builder.CreateZExt(bits, builder.getInt32Ty()), 16), builder.getFloatTy());
}

llvm::Value* PtxArithmetic::widened(llvm::Value* narrow) {
  return narrow->getType()->isBFloatTy()
             ? widened_bf16(builder_, builder_.CreateBitCast(narrow, builder_.getInt16Ty()))
             : builder_.CreateFPExt(narrow, builder_.getFloatTy());
}

// Rounds to the nearest narrow number.
llvm::Value* PtxArithmetic::narrowed(llvm::Value* real, llvm::Type* type) {
  if (!type->isBFloatTy())
    return builder_.CreateFPCast(real, type);
  llvm::Value* const wide = builder_.CreateFPCast(real, builder_.getFloatTy());
  llvm::Value* const bits = builder_.CreateBitCast(wide, builder_.getInt32Ty());
  llvm::Value* const odd = builder_.CreateAnd(builder_.CreateLShr(bits, 16), 1);
  llvm::Value* const rounded =
      builder_.CreateAdd(bits, builder_.CreateAdd(odd, builder_.getInt32(0x7fff)));
  llvm::Value* const half =
      builder_.CreateTrunc(builder_.CreateLShr(rounded, 16), builder_.getInt16Ty());
  return builder_.CreateBitCast(
      builder_.CreateSelect(builder_.CreateFCmpUNO(wide, wide), builder_.getInt16(0x7fff), half),
      type);
}

// Rounds a number or an integer as the instruction says. The nearest number is at most one step
// from the one in a direction.
llvm::Value* PtxArithmetic::narrowed(const PtxTexts& parts, llvm::Value* value, bool from_signed,
                                     llvm::Type* type) {
  llvm::Type* const wide = type->isBFloatTy() ? builder_.getFloatTy() : builder_.getDoubleTy();
  if (value->getType()->isIntegerTy())
    value = from_signed ? builder_.CreateSIToFP(value, wide) : builder_.CreateUIToFP(value, wide);
  llvm::Value* const nearest = narrowed(value, type);
  const bool to_zero = has_part(parts, "rz"), up = has_part(parts, "rp");
  if (!to_zero && !up && !has_part(parts, "rm"))
    return nearest;
  value = builder_.CreateFPCast(value, wide);
  llvm::Value* const is = builder_.CreateFPCast(widened(nearest), wide);
  llvm::Value* const bits = builder_.CreateBitCast(nearest, builder_.getInt16Ty());
  const auto size = [&](llvm::Value* number) {
    return builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, number);
  };
  llvm::Value* const is_wrong = to_zero ? builder_.CreateFCmpOGT(size(is), size(value))
                                : up    ? builder_.CreateFCmpOLT(is, value)
                                        : builder_.CreateFCmpOGT(is, value);
  llvm::Value* const is_negative = builder_.CreateICmpSLT(bits, builder_.getInt16(0));
  llvm::Value* const away = to_zero ? builder_.getFalse()
                            : up    ? builder_.CreateNot(is_negative)
                                    : is_negative;
  llvm::Value* const step =
      builder_.CreateSelect(away, builder_.getInt16(1), builder_.getInt16(0xffff));
  return builder_.CreateBitCast(
      builder_.CreateSelect(is_wrong, builder_.CreateAdd(bits, step), bits), type);
}

// Computes a * b + c for narrow numbers as a float that rounds correctly to a narrow number: the
// float's last bit says whether double has more digits.
llvm::Value* PtxArithmetic::fused(const std::vector<llvm::Value*>& v) {
  std::vector<llvm::Value*> wide;
  for (llvm::Value* value : v)
    wide.push_back(builder_.CreateFPExt(value, builder_.getDoubleTy()));
  llvm::Value* const product = builder_.CreateFMul(wide[0], wide[1]); // exact
  llvm::Value* const sum = builder_.CreateFAdd(product, wide[2]);
  // What the sum has lost (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B).
  llvm::Value* const of_c = builder_.CreateFSub(sum, product);
  llvm::Value* const lost =
      builder_.CreateFAdd(builder_.CreateFSub(product, builder_.CreateFSub(sum, of_c)),
                          builder_.CreateFSub(wide[2], of_c));
  llvm::Value* const zero = llvm::ConstantFP::getZero(builder_.getDoubleTy());
  llvm::Value* const all = builder_.CreateBitCast(sum, builder_.getInt64Ty());
  // The sum is one step too far from zero if it has lost something of the other sign.
  llvm::Value* const is_far =
      builder_.CreateSelect(builder_.CreateFCmpOLT(sum, zero), builder_.CreateFCmpOGT(lost, zero),
                            builder_.CreateFCmpOLT(lost, zero));
  llvm::Value* const bits =
      builder_.CreateOr(builder_.CreateSub(all, builder_.CreateZExt(is_far, all->getType())),
                        builder_.CreateZExt(builder_.CreateFCmpONE(lost, zero), all->getType()));
  constexpr std::uint64_t last = std::uint64_t{1} << 29;
  llvm::Value* const odd =
      builder_.CreateSelect(builder_.CreateIsNull(builder_.CreateAnd(bits, last - 1)),
                            builder_.getInt64(0), builder_.getInt64(last));
  llvm::Value* const rounded = builder_.CreateOr(builder_.CreateAnd(bits, ~(last - 1)), odd);
  return builder_.CreateFPTrunc(
      builder_.CreateSelect(builder_.CreateFCmpUNO(lost, lost), sum, // infinite, or no number
                            builder_.CreateBitCast(rounded, builder_.getDoubleTy())),
      builder_.getFloatTy());
}

// Applies an operation to each part of a vector, and to bf16 in float.
llvm::Value* PtxArithmetic::compute_narrow(const PtxTexts& parts, llvm::Type* type,
                                           const std::vector<llvm::Value*>& v) {
  if (auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    llvm::Value* result = llvm::UndefValue::get(type);
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      std::vector<llvm::Value*> elements;
      for (llvm::Value* value : v) {
        if (value->getType() != type)
          return nullptr;
        elements.push_back(builder_.CreateExtractElement(value, i));
      }
      llvm::Value* const one = compute(parts, vector->getElementType(), is_signed_, elements);
      if (!one || one->getType() != vector->getElementType())
        return nullptr;
      result = builder_.CreateInsertElement(result, one, i);
    }
    return result;
  }
  std::vector<llvm::Value*> wide;
  for (llvm::Value* value : v)
    wide.push_back(flushed(parts, widened(value))); // the exponents are those of float
  const bool fuses = wide.size() == 3 && (parts[0] == "fma" || parts[0] == "mad");
  llvm::Value* const result = fuses && has_part(parts, "relu") ? not_negative(fused(wide))
                              : fuses && !has_part(parts, "sat")
                                  ? fused(wide)
                                  : compute_real(parts, builder_.getFloatTy(), wide);
  return result ? narrowed(flushed(parts, result), type) : nullptr;
}

// Saturates to the range of an integer type, or to [0, 1].
llvm::Value* PtxArithmetic::saturated(llvm::Value* value, bool from_signed, llvm::Type* to,
                                      bool to_signed) {
  if (to->isFloatingPointTy())
    return between_0_and_1(value);
  llvm::Type* const wide = builder_.getInt128Ty();
  const unsigned bits = to->getIntegerBitWidth();
  const auto limit = [&](const llvm::APInt& number) {
    return llvm::ConstantInt::get(wide, to_signed ? number.sext(128) : number.zext(128));
  };
  llvm::Value* const all =
      from_signed ? builder_.CreateSExt(value, wide) : builder_.CreateZExt(value, wide);
  llvm::Value* const least =
      intrinsic(llvm::Intrinsic::smax, {all, limit(to_signed ? llvm::APInt::getSignedMinValue(bits)
                                                             : llvm::APInt::getMinValue(bits))});
  llvm::Value* const most = intrinsic(llvm::Intrinsic::smin,
                                      {least, limit(to_signed ? llvm::APInt::getSignedMaxValue(bits)
                                                              : llvm::APInt::getMaxValue(bits))});
  return builder_.CreateTrunc(most, to);
}

// cvt.rz.f32.f64: as CUDA's function for it, such as __double2float_rz.
llvm::Value* PtxArithmetic::rounded_by_function(const PtxTexts& parts, bool from_signed,
                                                llvm::Type* to, llvm::Value* value) {
  const llvm::StringRef ending = has_part(parts, "rz") ? "rz" : has_part(parts, "rm") ? "rd" : "ru";
  llvm::Type* from = value->getType();
  if (!to->isFloatTy() && !to->isDoubleTy())
    return nullptr;
  if (from->isFloatTy() || from->isHalfTy() ||
      (from->isIntegerTy() && from->getIntegerBitWidth() < (to->isFloatTy() ? 32 : 64))) // exact
    return from->isIntegerTy()
               ? (from_signed ? builder_.CreateSIToFP(value, to) : builder_.CreateUIToFP(value, to))
               : builder_.CreateFPCast(value, to);
  if (from->isDoubleTy() && to->isDoubleTy())
    return value;
  const std::string name = from->isDoubleTy()      ? "double"
                           : from->isIntegerTy(32) ? (from_signed ? "int" : "uint")
                                                   : (from_signed ? "ll" : "ull");
  return device_function("__nv_" + name + "2" + (to->isFloatTy() ? "float" : "double") + "_" +
                             ending.str(),
                         to, {value});
}

llvm::Value* PtxArithmetic::convert(const PtxTexts& parts, bool from_signed, llvm::Type* to,
                                    bool to_signed, llvm::Value* value) {
  for (const char* other : {"rna", "rs"}) // the instruction is refused
    if (has_part(parts, other))
      return nullptr;
  if (value->getType()->isBFloatTy())
    value = widened(value);
  llvm::Type* const from = value->getType();
  const bool is_real = from->isFloatingPointTy(), becomes_real = to->isFloatingPointTy();
  if ((!is_real && !from->isIntegerTy()) || (!becomes_real && !to->isIntegerTy()) ||
      from->isIntegerTy(1) || to->isIntegerTy(1))
    return nullptr;
  const bool directed = has_part(parts, "rz") || has_part(parts, "rm") || has_part(parts, "rp");
  llvm::Value* result = nullptr;
  const llvm::Intrinsic::ID to_whole = has_part(parts, "rni")   ? llvm::Intrinsic::rint
                                       : has_part(parts, "rmi") ? llvm::Intrinsic::floor
                                       : has_part(parts, "rpi") ? llvm::Intrinsic::ceil
                                       : has_part(parts, "rzi") ? llvm::Intrinsic::trunc
                                                                : llvm::Intrinsic::not_intrinsic;
  if (has_part(parts, "relu") && !(is_real && becomes_real))
    return nullptr;
  // .ftz is for single precision alone, and an H200 does not obey it in conversions to f16.
  if (value->getType()->isFloatTy() && !to->isHalfTy())
    value = flushed(parts, value);
  if (has_part(parts, "satfinite")) {
    if (!is_real || (!to->isHalfTy() && !to->isBFloatTy()))
      return nullptr;
    llvm::APFloat most = llvm::APFloat::getLargest(to->getFltSemantics());
    bool loses = false;
    most.convert(from->getFltSemantics(), llvm::APFloat::rmTowardZero, &loses);
    llvm::Value* const limit = llvm::ConstantFP::get(from, most);
    llvm::Value* const size = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
    value = builder_.CreateSelect(
        builder_.CreateFCmpOGT(size, limit),
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, limit, value), value);
  }
  if (is_real && has_part(parts, "relu"))
    value = not_negative(value);
  if (is_real && to_whole != llvm::Intrinsic::not_intrinsic)
    value = builder_.CreateUnaryIntrinsic(to_whole, value);
  if (!is_real && !becomes_real)
    result = has_part(parts, "sat") ? saturated(value, from_signed, to, to_signed)
             : from_signed          ? builder_.CreateSExtOrTrunc(value, to)
                                    : builder_.CreateZExtOrTrunc(value, to);
  else if (is_real && !becomes_real)
    result = saturated_integer(builder_, value, to, to_signed);
  else if (to->isBFloatTy())
    result = from->isFloatTy() || from->isHalfTy() ? narrowed(parts, value, from_signed, to)
                                                   : nullptr; // from sm_90 on
  else if (directed && to->isHalfTy())
    result = narrowed(parts, value, from_signed, to);
  else if (directed)
    result = rounded_by_function(parts, from_signed, to, value);
  else if (is_real)
    result = builder_.CreateFPCast(value, to);
  else
    result = from_signed ? builder_.CreateSIToFP(value, to) : builder_.CreateUIToFP(value, to);
  if (!result || !becomes_real)
    return result;
  result = to->isFloatTy() ? flushed(parts, result) : result;
  return has_part(parts, "sat") && !to->isBFloatTy() ? between_0_and_1(result) : result;
}

} // namespace gputest::ir
