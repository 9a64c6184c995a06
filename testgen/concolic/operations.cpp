// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/operations.h"

#include <algorithm>

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

std::optional<Op> operation_of(const llvm::Instruction& instruction) {
  using I = llvm::Instruction;
  switch (instruction.getOpcode()) {
  case I::Add:
    return Op::Add;
  case I::Sub:
    return Op::Sub;
  case I::Mul:
    return Op::Mul;
  case I::UDiv:
    return Op::UDiv;
  case I::SDiv:
    return Op::SDiv;
  case I::URem:
    return Op::URem;
  case I::SRem:
    return Op::SRem;
  case I::And:
    return Op::And;
  case I::Or:
    return Op::Or;
  case I::Xor:
    return Op::Xor;
  case I::Shl:
    return Op::Shl;
  case I::LShr:
    return Op::LShr;
  case I::AShr:
    return Op::AShr;
  case I::FAdd:
    return Op::FAdd;
  case I::FSub:
    return Op::FSub;
  case I::FMul:
    return Op::FMul;
  case I::FDiv:
    return Op::FDiv;
  case I::FRem:
    return Op::FRem;
  case I::FNeg:
    return Op::FNeg;
  default:
    return std::nullopt;
  }
}

std::optional<Op> conversion_of(const llvm::CastInst& cast) {
  using I = llvm::Instruction;
  switch (cast.getOpcode()) {
  case I::Trunc:
    return Op::Trunc;
  case I::ZExt:
  case I::BitCast:
  case I::AddrSpaceCast:
    return Op::ZExt;
  case I::PtrToInt:
  case I::IntToPtr: {
    const unsigned from = width_of(*cast.getSrcTy()), to = width_of(*cast.getDestTy());
    return to < from ? Op::Trunc : Op::ZExt;
  }
  case I::SExt:
    return Op::SExt;
  case I::FPToSI:
    return Op::FToS;
  case I::FPToUI:
    return Op::FToU;
  case I::SIToFP:
    return Op::SToF;
  case I::UIToFP:
    return Op::UToF;
  case I::FPExt:
    return Op::FExt;
  case I::FPTrunc:
    return Op::FRoundTo;
  default:
    return std::nullopt;
  }
}

std::optional<Comparison> comparison_of(llvm::CmpInst::Predicate predicate) {
  using P = llvm::CmpInst;
  switch (predicate) {
  case P::ICMP_EQ:
    return Comparison{.first = Op::Equal};
  case P::ICMP_NE:
    return Comparison{.first = Op::Equal, .negated = true};
  case P::ICMP_ULT:
    return Comparison{.first = Op::ULess};
  case P::ICMP_ULE:
    return Comparison{.first = Op::ULessEqual};
  case P::ICMP_UGT:
    return Comparison{.first = Op::ULess, .swapped = true};
  case P::ICMP_UGE:
    return Comparison{.first = Op::ULessEqual, .swapped = true};
  case P::ICMP_SLT:
    return Comparison{.first = Op::SLess};
  case P::ICMP_SLE:
    return Comparison{.first = Op::SLessEqual};
  case P::ICMP_SGT:
    return Comparison{.first = Op::SLess, .swapped = true};
  case P::ICMP_SGE:
    return Comparison{.first = Op::SLessEqual, .swapped = true};
  case P::FCMP_OEQ:
    return Comparison{.first = Op::FEqual};
  case P::FCMP_UNE:
    return Comparison{.first = Op::FEqual, .negated = true};
  case P::FCMP_OLT:
    return Comparison{.first = Op::FLess};
  case P::FCMP_OLE:
    return Comparison{.first = Op::FLessEqual};
  case P::FCMP_OGT:
    return Comparison{.first = Op::FLess, .swapped = true};
  case P::FCMP_OGE:
    return Comparison{.first = Op::FLessEqual, .swapped = true};
  case P::FCMP_UNO:
    return Comparison{.first = Op::FUnordered};
  case P::FCMP_ORD:
    return Comparison{.first = Op::FUnordered, .negated = true};
  case P::FCMP_UEQ:
    return Comparison{.first = Op::FEqual, .second = Op::FUnordered};
  case P::FCMP_ULT: // !(a >= b)
    return Comparison{.first = Op::FLessEqual, .swapped = true, .negated = true};
  case P::FCMP_ULE:
    return Comparison{.first = Op::FLess, .swapped = true, .negated = true};
  case P::FCMP_UGT:
    return Comparison{.first = Op::FLessEqual, .negated = true};
  case P::FCMP_UGE:
    return Comparison{.first = Op::FLess, .negated = true};
  case P::FCMP_ONE: // !(a == b || unordered)
    return Comparison{.first = Op::FEqual, .second = Op::FUnordered, .negated = true};
  default:
    return std::nullopt;
  }
}

std::optional<Op> intrinsic_operation(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::fabs:
    return Op::FAbs;
  case llvm::Intrinsic::sqrt:
    return Op::FSqrt;
  case llvm::Intrinsic::floor:
    return Op::FFloor;
  case llvm::Intrinsic::ceil:
    return Op::FCeil;
  case llvm::Intrinsic::trunc:
    return Op::FTrunc;
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::nearbyint:
    return Op::FRint;
  case llvm::Intrinsic::round:
    return Op::FRound;
  case llvm::Intrinsic::minnum:
    return Op::FMin;
  case llvm::Intrinsic::maxnum:
    return Op::FMax;
  case llvm::Intrinsic::fma:
    return Op::FMulAdd;
  case llvm::Intrinsic::ctpop:
    return Op::CountOnes;
  case llvm::Intrinsic::ctlz:
    return Op::CountLeading;
  case llvm::Intrinsic::cttz:
    return Op::CountTrailing;
  case llvm::Intrinsic::bswap:
    return Op::SwapBytes;
  case llvm::Intrinsic::bitreverse:
    return Op::ReverseBits;
  default:
    return std::nullopt;
  }
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
