// Intrinsics that are several operations of the table.
#pragma once

#include "testgen/concolic/table.h"

#include <llvm/IR/Intrinsics.h>

#include <array>
#include <optional>

namespace gputest::testgen {

enum class Composed : std::uint8_t { SMin, SMax, UMin, UMax, Abs, ShiftLeft, ShiftRight };

std::optional<Composed> composed_operation(llvm::Intrinsic::ID id);

// `operands`: nodes of `bits` bits; those that the operation has not are not looked at. The last
// two are llvm.fshl and llvm.fshr: the upper and the lower half of a number shifted by the third.
Label compose(Table& table, Composed operation, unsigned bits, std::array<Label, 3> operands);

} // namespace gputest::testgen
