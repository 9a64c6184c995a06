// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/composed.h"

namespace gputest::testgen {

std::optional<Composed> composed_operation(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::smin:
    return Composed::SMin;
  case llvm::Intrinsic::smax:
    return Composed::SMax;
  case llvm::Intrinsic::umin:
    return Composed::UMin;
  case llvm::Intrinsic::umax:
    return Composed::UMax;
  case llvm::Intrinsic::abs:
    return Composed::Abs;
  case llvm::Intrinsic::fshl:
    return Composed::ShiftLeft;
  case llvm::Intrinsic::fshr:
    return Composed::ShiftRight;
  default:
    return std::nullopt;
  }
}

Label compose(Table& table, Composed operation, unsigned bits, std::array<Label, 3> operands) {
  const auto [a, b, c] = operands;
  const auto extreme = [&](Op less, bool smallest) {
    return table.make(Op::Select, bits, table.make(less, 1, a, b), smallest ? a : b,
                      smallest ? b : a);
  };
  switch (operation) {
  case Composed::SMin:
    return extreme(Op::SLess, true);
  case Composed::SMax:
    return extreme(Op::SLess, false);
  case Composed::UMin:
    return extreme(Op::ULess, true);
  case Composed::UMax:
    return extreme(Op::ULess, false);
  case Composed::Abs: {
    const Label zero = table.constant(0, bits);
    return table.make(Op::Select, bits, table.make(Op::SLess, 1, a, zero),
                      table.make(Op::Sub, bits, zero, a), a);
  }
  case Composed::ShiftLeft:
  case Composed::ShiftRight: {
    // By at most bits - 1 each; the other half has one bit more to go.
    const Label by = table.make(Op::And, bits, c, table.constant(bits - 1, bits));
    const Label rest =
        table.make(Op::Xor, bits, by, table.constant(bits - 1, bits)); // bits - 1 - by
    const Label one = table.constant(1, bits);
    if (operation == Composed::ShiftLeft)
      return table.make(Op::Or, bits, table.make(Op::Shl, bits, a, by),
                        table.make(Op::LShr, bits, table.make(Op::LShr, bits, b, one), rest));
    return table.make(Op::Or, bits, table.make(Op::LShr, bits, b, by),
                      table.make(Op::Shl, bits, table.make(Op::Shl, bits, a, one), rest));
  }
  }
  return 0;
}

} // namespace gputest::testgen
