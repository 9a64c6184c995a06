// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/operations.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace gputest::testgen {

unsigned width_of(const llvm::Type& type) {
  const llvm::Type* const scalar = type.getScalarType();
  if (scalar->isPointerTy())
    return 64;
  if (scalar->isFloatTy() || scalar->isDoubleTy())
    return static_cast<unsigned>(scalar->getPrimitiveSizeInBits().getFixedValue());
  if (scalar->isIntegerTy() && scalar->getIntegerBitWidth() <= 64)
    return scalar->getIntegerBitWidth();
  return 0;
}

// Returns what a table has for a key, if it has it.
template <typename Key, typename Value, std::size_t count>
static std::optional<Value> found(const std::pair<Key, Value> (&table)[count],
                                  std::type_identity_t<Key> key) {
  for (const auto& [known, value] : table)
    if (known == key)
      return value;
  return std::nullopt;
}

std::optional<Op> operation_of(const llvm::Instruction& instruction) {
  using I = llvm::Instruction;
  static constexpr std::pair<unsigned, Op> kOperations[]{
      {I::Add, Op::Add},   {I::Sub, Op::Sub},   {I::Mul, Op::Mul},   {I::UDiv, Op::UDiv},
      {I::SDiv, Op::SDiv}, {I::URem, Op::URem}, {I::SRem, Op::SRem}, {I::And, Op::And},
      {I::Or, Op::Or},     {I::Xor, Op::Xor},   {I::Shl, Op::Shl},   {I::LShr, Op::LShr},
      {I::AShr, Op::AShr}, {I::FAdd, Op::FAdd}, {I::FSub, Op::FSub}, {I::FMul, Op::FMul},
      {I::FDiv, Op::FDiv}, {I::FRem, Op::FRem}, {I::FNeg, Op::FNeg}};
  return found(kOperations, instruction.getOpcode());
}

std::optional<Op> conversion_of(const llvm::CastInst& cast) {
  using I = llvm::Instruction;
  static constexpr std::pair<unsigned, Op> kConversions[]{
      {I::Trunc, Op::Trunc},        {I::ZExt, Op::ZExt},       {I::BitCast, Op::ZExt},
      {I::AddrSpaceCast, Op::ZExt}, {I::SExt, Op::SExt},       {I::FPToSI, Op::FToS},
      {I::FPToUI, Op::FToU},        {I::SIToFP, Op::SToF},     {I::UIToFP, Op::UToF},
      {I::FPExt, Op::FExt},         {I::FPTrunc, Op::FRoundTo}};
  if (llvm::isa<llvm::PtrToIntInst, llvm::IntToPtrInst>(cast))
    return width_of(*cast.getDestTy()) < width_of(*cast.getSrcTy()) ? Op::Trunc : Op::ZExt;
  return found(kConversions, cast.getOpcode());
}

std::optional<Comparison> comparison_of(llvm::CmpInst::Predicate predicate) {
  using P = llvm::CmpInst;
  static constexpr std::pair<P::Predicate, Comparison> kComparisons[]{
      {P::ICMP_EQ, {.first = Op::Equal}},
      {P::ICMP_NE, {.first = Op::Equal, .negated = true}},
      {P::ICMP_ULT, {.first = Op::ULess}},
      {P::ICMP_ULE, {.first = Op::ULessEqual}},
      {P::ICMP_UGT, {.first = Op::ULess, .swapped = true}},
      {P::ICMP_UGE, {.first = Op::ULessEqual, .swapped = true}},
      {P::ICMP_SLT, {.first = Op::SLess}},
      {P::ICMP_SLE, {.first = Op::SLessEqual}},
      {P::ICMP_SGT, {.first = Op::SLess, .swapped = true}},
      {P::ICMP_SGE, {.first = Op::SLessEqual, .swapped = true}},
      {P::FCMP_OEQ, {.first = Op::FEqual}},
      {P::FCMP_UNE, {.first = Op::FEqual, .negated = true}},
      {P::FCMP_OLT, {.first = Op::FLess}},
      {P::FCMP_OLE, {.first = Op::FLessEqual}},
      {P::FCMP_OGT, {.first = Op::FLess, .swapped = true}},
      {P::FCMP_OGE, {.first = Op::FLessEqual, .swapped = true}},
      {P::FCMP_UNO, {.first = Op::FUnordered}},
      {P::FCMP_ORD, {.first = Op::FUnordered, .negated = true}},
      {P::FCMP_UEQ, {.first = Op::FEqual, .second = Op::FUnordered}},
      {P::FCMP_ULT, {.first = Op::FLessEqual, .swapped = true, .negated = true}}, // !(a >= b)
      {P::FCMP_ULE, {.first = Op::FLess, .swapped = true, .negated = true}},
      {P::FCMP_UGT, {.first = Op::FLessEqual, .negated = true}},
      {P::FCMP_UGE, {.first = Op::FLess, .negated = true}},
      // !(a == b || unordered)
      {P::FCMP_ONE, {.first = Op::FEqual, .second = Op::FUnordered, .negated = true}}};
  return found(kComparisons, predicate);
}

std::optional<Op> intrinsic_operation(llvm::Intrinsic::ID id) {
  namespace I = llvm::Intrinsic;
  static constexpr std::pair<unsigned, Op> kIntrinsics[]{
      {I::fabs, Op::FAbs},         {I::sqrt, Op::FSqrt},
      {I::floor, Op::FFloor},      {I::ceil, Op::FCeil},
      {I::trunc, Op::FTrunc},      {I::rint, Op::FRint},
      {I::nearbyint, Op::FRint},   {I::round, Op::FRound},
      {I::minnum, Op::FMin},       {I::maxnum, Op::FMax},
      {I::fma, Op::FMulAdd},       {I::ctpop, Op::CountOnes},
      {I::ctlz, Op::CountLeading}, {I::cttz, Op::CountTrailing},
      {I::bswap, Op::SwapBytes},   {I::bitreverse, Op::ReverseBits}};
  return found(kIntrinsics, id);
}

bool is_function_of_numbers(const llvm::Function& function) {
  const auto is_number = [](const llvm::Type& type) {
    return !type.isVectorTy() && !type.isPointerTy() && width_of(type) != 0;
  };
  return function.arg_size() >= 1 && function.arg_size() <= 3 && !function.isVarArg() &&
         is_number(*function.getReturnType()) &&
         std::ranges::all_of(function.args(), [&](const llvm::Argument& argument) {
           return is_number(*argument.getType());
         });
}

} // namespace gputest::testgen
