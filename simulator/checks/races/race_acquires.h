// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of the author's atomic accesses order others.
#pragma once

#include "ir/accesses.h"
#include "simulator/checks/check.h"

#include <llvm/IR/IRBuilder.h>

namespace gputest::simulator {

// Names of metadata: the access acquires, or releases. Later passes give all accesses an order.
constexpr const char *kAcquires = "gputest.acquires", *kReleases = "gputest.releases";

// Marks the accesses of the author's code, whose variables are memory. Removes the calls that tell
// orders (ir/kernels/lower.h).
void note_orders(CheckedKernel& kernel);

// Whether an atomic access is for the threads of its group only.
bool is_of_block(const llvm::Instruction& instruction);

struct StrongAccess {
  llvm::Value *pointer, *local, *writes; // the last two: numbers of 32 bits, 0 or 1
};
// Emits code that tells the simulator of an atomic access, before the access. Nothing happens
// between the two.
void tell_of_strong(const ir::Access& access, llvm::IRBuilder<>& builder, const StrongAccess& what);

} // namespace gputest::simulator
