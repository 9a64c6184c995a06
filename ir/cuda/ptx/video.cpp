// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/cuda/ptx/video.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>

namespace gputest::ir {

bool is_video(llvm::StringRef instruction) {
  return (instruction.ends_with("2") || instruction.ends_with("4")) &&
         llvm::StringSwitch<bool>(instruction.drop_back())
             .Cases("vadd", "vsub", "vabsdiff", "vavrg", "vmin", "vmax", "vset", true)
             .Default(false);
}

llvm::Value* video(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::StringRef> parts,
                   llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  if (parts.size() < 4)
    return nullptr;
  const unsigned lanes = parts[0].ends_with("2") ? 2 : 4, bits = 32 / lanes;
  const bool saturates = llvm::is_contained(parts, "sat"), adds = llvm::is_contained(parts, "add");
  const llvm::StringRef name = parts[0].drop_back();
  const unsigned first = name == "vset" ? 1 : 2; // the type of the first operand
  auto* const narrow = llvm::FixedVectorType::get(builder.getIntNTy(bits), lanes);
  auto* const wide = llvm::FixedVectorType::get(builder.getInt32Ty(), lanes);
  const auto spread = [&](llvm::Value* word, llvm::StringRef type) {
    llvm::Value* const parted = builder.CreateBitCast(word, narrow);
    return type.starts_with("s") ? builder.CreateSExt(parted, wide)
                                 : builder.CreateZExt(parted, wide);
  };
  llvm::Value *const x = spread(a, parts[first]), *const y = spread(b, parts[first + 1]);
  const auto number = [&](std::int64_t value) { return llvm::ConstantInt::getSigned(wide, value); };
  const auto least = [&](llvm::Value* p, llvm::Value* q) {
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, p, q);
  };
  const auto most = [&](llvm::Value* p, llvm::Value* q) {
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, p, q);
  };
  llvm::Value* result = nullptr;
  if (name == "vadd")
    result = builder.CreateAdd(x, y);
  else if (name == "vsub")
    result = builder.CreateSub(x, y);
  else if (name == "vabsdiff")
    result = builder.CreateSub(most(x, y), least(x, y));
  else if (name == "vavrg") { // to the next one away from zero
    llvm::Value* const sum = builder.CreateAdd(x, y);
    llvm::Value* const up = builder.CreateZExt(builder.CreateICmpSGE(sum, number(0)), wide);
    result = builder.CreateAShr(builder.CreateAdd(sum, up), number(1));
  } else if (name == "vmin")
    result = least(x, y);
  else if (name == "vmax")
    result = most(x, y);
  else {
    using P = llvm::CmpInst::Predicate;
    const P how = llvm::StringSwitch<P>(parts[3])
                      .Case("eq", P::ICMP_EQ)
                      .Case("ne", P::ICMP_NE)
                      .Case("lt", P::ICMP_SLT)
                      .Case("le", P::ICMP_SLE)
                      .Case("gt", P::ICMP_SGT)
                      .Case("ge", P::ICMP_SGE)
                      .Default(P::BAD_ICMP_PREDICATE);
    if (how == P::BAD_ICMP_PREDICATE)
      return nullptr;
    result = builder.CreateZExt(builder.CreateICmp(how, x, y), wide);
  }
  if (saturates) {
    const bool to_signed = parts[1].starts_with("s");
    const std::int64_t top = (std::int64_t{1} << (to_signed ? bits - 1 : bits)) - 1;
    result = most(least(result, number(top)), number(to_signed ? -top - 1 : 0));
  }
  if (adds)
    return builder.CreateAdd(c, builder.CreateAddReduce(result));
  return builder.CreateBitCast(builder.CreateTrunc(result, narrow), builder.getInt32Ty());
}

bool is_scalar_video(llvm::StringRef instruction) {
  return llvm::StringSwitch<bool>(instruction)
      .Cases("vadd", "vsub", "vabsdiff", "vmin", "vmax", true)
      .Default(false);
}

llvm::Value* scalar_video(llvm::IRBuilder<>& builder, llvm::ArrayRef<llvm::StringRef> parts,
                          llvm::ArrayRef<llvm::Value*> values,
                          llvm::ArrayRef<llvm::StringRef> selectors) {
  if (parts.size() < 4)
    return nullptr;
  llvm::Type* const wide = builder.getInt64Ty();
  const auto widened = [&](llvm::Value* word, bool is_signed) {
    return is_signed ? builder.CreateSExt(word, wide) : builder.CreateZExt(word, wide);
  };
  const auto part = [&](unsigned operand) { // b0 to b3, h0 and h1: a byte or a half
    llvm::Value* word = values[operand];
    const llvm::StringRef selector = selectors[operand];
    unsigned index = 0;
    if (!selector.empty()) {
      const unsigned bits = selector.front() == 'b' ? 8 : 16;
      if (selector.drop_front().getAsInteger(10, index) || std::uint64_t{bits} * (index + 1) > 32)
        return static_cast<llvm::Value*>(nullptr);
      word = builder.CreateTrunc(builder.CreateLShr(word, std::uint64_t{bits} * index),
                                 builder.getIntNTy(bits));
    }
    return widened(word, parts[2 + operand].starts_with("s"));
  };
  const auto least = [&](llvm::Value* p, llvm::Value* q) {
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, p, q);
  };
  const auto most = [&](llvm::Value* p, llvm::Value* q) {
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, p, q);
  };
  llvm::Value *const x = part(0), *const y = part(1);
  if (!x || !y)
    return nullptr;
  const llvm::StringRef name = parts[0];
  const bool to_signed = parts[1].starts_with("s");
  llvm::Value* result = name == "vadd"   ? builder.CreateAdd(x, y)
                        : name == "vsub" ? builder.CreateSub(x, y)
                        : name == "vmin" ? least(x, y)
                        : name == "vmax" ? most(x, y)
                                         : builder.CreateSub(most(x, y), least(x, y));
  if (llvm::is_contained(parts, "sat")) {
    const std::int64_t top = (std::int64_t{1} << (to_signed ? 31 : 32)) - 1;
    const auto number = [&](std::int64_t value) {
      return llvm::ConstantInt::getSigned(wide, value);
    };
    result = most(least(result, number(top)), number(to_signed ? -top - 1 : 0));
  }
  result = builder.CreateTrunc(result, builder.getInt32Ty());
  if (values.size() == 2)
    return parts.back().starts_with("u") || parts.back().starts_with("s") ? result : nullptr;
  llvm::Value* const other = widened(values[2], to_signed);
  const llvm::StringRef second = parts.back();
  llvm::Value* const mine = widened(result, to_signed);
  llvm::Value* const both = second == "add"   ? builder.CreateAdd(mine, other)
                            : second == "min" ? least(mine, other)
                            : second == "max" ? most(mine, other)
                                              : nullptr;
  return both ? builder.CreateTrunc(both, builder.getInt32Ty()) : nullptr;
}

} // namespace gputest::ir
