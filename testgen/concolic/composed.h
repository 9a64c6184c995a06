// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM intrinsics that take several nodes of the table.
#pragma once

#include "testgen/concolic/table.h"

#include <llvm/IR/Intrinsics.h>

#include <array>
#include <optional>

namespace gputest::testgen {

enum class Composed : std::uint8_t { SMin, SMax, UMin, UMax, Abs, ShiftLeft, ShiftRight };

// Returns nullopt for other intrinsics.
std::optional<Composed> composed_operation(llvm::Intrinsic::ID id);

// Returns the label of the operation's result. `operands`: nodes of `bits` bits; surplus ones are
// ignored. ShiftLeft and ShiftRight are llvm.fshl and llvm.fshr: operands a and b are the upper and
// the lower half of a number that is shifted by c.
Label compose(Table& table, Composed operation, unsigned bits, std::array<Label, 3> operands);

} // namespace gputest::testgen
