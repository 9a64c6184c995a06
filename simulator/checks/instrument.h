// Checks that are part of a kernel's code: calls before what they check. Reports come from the
// simulator's native functions (monitor.h), and the kernel goes on.
#pragma once

#include "ir/accesses.h"
#include "ir/kernel.h"
#include "simulator/checks/checks.h"

namespace gputest::simulator {

// Makes the __local variables that `item` (lower.h) uses memory that the launch places, beside the
// buffers: objects of the shape.
void place_local_variables(llvm::Function& item, KernelShape& shape);

// Bounds and alignment of every access. An access out of bounds happens elsewhere.
void check_bounds(llvm::Function& item, const AccessSet& accesses, KernelShape& shape);

// Races of every access of memory that work-items share. Sets what the shape says about marks;
// after check_bounds(), so that it is where the access happens that is watched.
void check_races(llvm::Function& item, const AccessSet& accesses, KernelShape& shape);

// Divisors that are 0, shifts by more than the width, signed overflow.
void check_arithmetic(llvm::Function& item, const Checks& checks, KernelShape& shape);

} // namespace gputest::simulator
