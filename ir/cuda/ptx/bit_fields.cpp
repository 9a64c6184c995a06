// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's instructions for parts of words.
#include "ir/cuda/ptx/arithmetic.h"

#include "ir/call.h"

#include <llvm/ADT/StringSwitch.h>

namespace gputest::ir {

// A position or length of bfe and bfi. PTX counts its lowest byte alone; of 64 bits an H200 counts
// the whole word.
llvm::Value* PtxArithmetic::place_of_bits(llvm::Type* type, llvm::Value* value) {
  return builder_.CreateZExt(type->isIntegerTy(64) ? value : builder_.CreateAnd(value, 255),
                             builder_.getInt128Ty());
}

llvm::Value* PtxArithmetic::field(llvm::Type* type,
                                  const std::vector<llvm::Value*>& v) { // bfe: a, position, length
  const unsigned bits = type->getIntegerBitWidth();
  llvm::Type* const wide = builder_.getInt128Ty();
  const auto byte = [&](llvm::Value* value) { return place_of_bits(type, value); };
  llvm::Value* const whole =
      is_signed_ ? builder_.CreateSExt(v[0], wide) : builder_.CreateZExt(v[0], wide);
  llvm::Value* const limit = llvm::ConstantInt::get(wide, is_signed_ ? bits - 1 : bits);
  llvm::Value* const position =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, byte(v[1]), limit);
  llvm::Value* const length = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, byte(v[2]),
                                                             llvm::ConstantInt::get(wide, bits));
  llvm::Value* const above = builder_.CreateSub(llvm::ConstantInt::get(wide, 127), length);
  llvm::Value* const moved =
      builder_.CreateShl(builder_.CreateShl(builder_.CreateLShr(whole, position), above),
                         llvm::ConstantInt::get(wide, 1));
  llvm::Value* const down = builder_.CreateAdd(above, llvm::ConstantInt::get(wide, 1));
  llvm::Value* const last = llvm::ConstantInt::get(wide, 127);
  llvm::Value* const by = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, down, last);
  llvm::Value* const taken =
      is_signed_ ? builder_.CreateAShr(moved, by) : builder_.CreateLShr(moved, by);
  return builder_.CreateSelect(builder_.CreateICmpEQ(length, llvm::ConstantInt::get(wide, 0)),
                               llvm::ConstantInt::get(type, 0), builder_.CreateTrunc(taken, type));
}

llvm::Value*
PtxArithmetic::inserted(llvm::Type* type,
                        const std::vector<llvm::Value*>& v) { // bfi: a, b, position, length
  llvm::Type* const wide = builder_.getInt128Ty();
  const auto byte = [&](llvm::Value* value) {
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, place_of_bits(type, value),
                                          llvm::ConstantInt::get(wide, 64));
  };
  llvm::Value* const one = llvm::ConstantInt::get(wide, 1);
  llvm::Value* const ones = builder_.CreateSub(builder_.CreateShl(one, byte(v[3])), one);
  llvm::Value* const position = byte(v[2]);
  llvm::Value* const mask = builder_.CreateShl(ones, position);
  llvm::Value* const bits =
      builder_.CreateShl(builder_.CreateAnd(builder_.CreateZExt(v[0], wide), ones), position);
  llvm::Value* const kept =
      builder_.CreateAnd(builder_.CreateZExt(v[1], wide), builder_.CreateNot(mask));
  return builder_.CreateTrunc(builder_.CreateOr(kept, bits), type);
}

// bmsk.clamp.b32: so many ones from a position on.
llvm::Value* PtxArithmetic::ones(const PtxTexts& parts, llvm::Value* position,
                                 llvm::Value* length) {
  llvm::Type* const wide = builder_.getInt64Ty();
  const auto limited = [&](llvm::Value* value) {
    return builder_.CreateZExt(
        has_part(parts, "wrap") ? builder_.CreateAnd(value, 31)
                                : intrinsic(llvm::Intrinsic::umin, {value, builder_.getInt32(32)}),
        wide);
  };
  llvm::Value* const mask = builder_.CreateSub(
      builder_.CreateShl(builder_.getInt64(1), limited(length)), builder_.getInt64(1));
  return builder_.CreateTrunc(builder_.CreateShl(mask, limited(position)), builder_.getInt32Ty());
}

llvm::Value* PtxArithmetic::any_of_three(const std::vector<llvm::Value*>& v) { // lop3
  const auto* const table = llvm::dyn_cast<llvm::ConstantInt>(v[3]);
  if (!table)
    return nullptr;
  llvm::Value* result = builder_.getInt32(0);
  for (unsigned row = 0; row < 8; ++row)
    if (table->getZExtValue() >> row & 1) {
      llvm::Value* one = builder_.getInt32(~0u);
      for (unsigned i = 0; i < 3; ++i)
        one = builder_.CreateAnd(one, row >> (2 - i) & 1 ? v[i] : builder_.CreateNot(v[i]));
      result = builder_.CreateOr(result, one);
    }
  return result;
}

// prmt.b32, prmt.b32.rc8: bytes of two words. The modes stand for four selectors each, one for each
// value of the lowest two bits of the third operand.
llvm::Value* PtxArithmetic::permuted(const PtxTexts& parts, const std::vector<llvm::Value*>& v) {
  llvm::Value* selector = v[2];
  if (parts.size() > 2) {
    const std::uint64_t of_mode = llvm::StringSwitch<std::uint64_t>(parts[2])
                                      .Case("f4e", 0x6543'5432'4321'3210)
                                      .Case("b4e", 0x0123'7012'6701'5670)
                                      .Case("rc8", 0x3333'2222'1111'0000)
                                      .Case("ecl", 0x3333'3222'3211'3210)
                                      .Case("ecr", 0x3210'2210'1110'0000)
                                      .Case("rc16", 0x3232'1010'3232'1010)
                                      .Default(0);
    if (of_mode == 0 || parts.size() > 3)
      return nullptr;
    llvm::Value* const by = builder_.CreateShl(
        builder_.CreateZExt(builder_.CreateAnd(v[2], 3), builder_.getInt64Ty()), 4);
    selector =
        builder_.CreateAnd(builder_.CreateTrunc(builder_.CreateLShr(builder_.getInt64(of_mode), by),
                                                builder_.getInt32Ty()),
                           0xffff);
  }
  return device_function("__nv_byte_perm", builder_.getInt32Ty(), {v[0], v[1], selector});
}

// szext.clamp.s32: the number in so many lower bits.
llvm::Value* PtxArithmetic::extended(const PtxTexts& parts, llvm::Value* word,
                                     llvm::Value* length) {
  llvm::Type* const wide = builder_.getInt64Ty();
  llvm::Value* const bits = builder_.CreateZExt(
      has_part(parts, "wrap") ? builder_.CreateAnd(length, 31)
                              : intrinsic(llvm::Intrinsic::umin, {length, builder_.getInt32(32)}),
      wide);
  llvm::Value* const above = builder_.CreateSub(builder_.getInt64(64), bits);
  // No bits are two shifts by half of 64.
  llvm::Value* const half = builder_.CreateLShr(above, 1);
  llvm::Value* const rest = builder_.CreateSub(above, half);
  llvm::Value* const top =
      builder_.CreateShl(builder_.CreateShl(builder_.CreateZExt(word, wide), half), rest);
  llvm::Value* const down = is_signed_ ? builder_.CreateAShr(builder_.CreateAShr(top, half), rest)
                                       : builder_.CreateLShr(builder_.CreateLShr(top, half), rest);
  return builder_.CreateTrunc(down, builder_.getInt32Ty());
}

} // namespace gputest::ir
