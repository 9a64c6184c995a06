// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises calls that protect values for the checks from the optimiser
// (simulator/checks/protect.h).
#pragma once

#include <llvm/IR/Instructions.h>

namespace gputest::ir {

// Metadata of libclc's operations, which the author has not written (builtins.cpp).
constexpr const char* kLibrary = "gputest.library";

// Metadata of the masks of shifts whose amount may be too large (cuda/shifts.h,
// kernels/shift_amounts.h).
constexpr const char* kClamped = "gputest.clamped";

// Metadata of accesses that a check adds, of memory that only the check knows.
constexpr const char* kBeside = "gputest.beside";

// `gputest_member(pointer, begin, size)` returns `pointer`, which must stay within `size` bytes
// from `begin`: an array in a struct, or a variable.
constexpr const char* kMember = "gputest_member.";

// `gputest_chosen(pointer)` returns `pointer`, which may be to one of several objects.
constexpr const char* kChosen = "gputest_chosen.";

// `gputest_component(index, count)` returns `index`, the index of a component of a vector of
// `count`.
constexpr const char* kComponent = "gputest_component.";

// Returns `value` if it is a call of `kind`, or null.
const llvm::CallInst* protected_call(const llvm::Value* value, const char* kind);

} // namespace gputest::ir
