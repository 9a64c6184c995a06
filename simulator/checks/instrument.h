// Checks that are part of a kernel's code: calls before what they check. Reports come from the
// simulator's native functions (monitor.h), and the kernel goes on.
#pragma once

#include "ir/accesses.h"
#include "ir/kernel.h"
#include "simulator/checks/checks.h"

#include <llvm/IR/InstrTypes.h>

#include <vector>

namespace gputest::simulator {

// Bounds and alignment of every access, of which one out of bounds happens elsewhere. Where
// definedness is followed as well (uninitialized.h), that comes afterwards.
void check_bounds(llvm::Function& item, const AccessSet& accesses, KernelShape& shape);

// Races of every access of memory that work-items share. Sets what the shape says about marks;
// after check_bounds(), so that it is where the access happens that is watched.
void check_races(llvm::Function& item, const AccessSet& accesses, KernelShape& shape);

// Divisors that are 0, shifts by more than the width, signed overflow: of `operations` of `item`.
void check_arithmetic(llvm::Function& item, const std::vector<llvm::BinaryOperator*>& operations,
                      KernelShape& shape);

// Components of vectors that the vector does not have (protect.h).
void check_components(llvm::Function& item, KernelShape& shape);

} // namespace gputest::simulator
