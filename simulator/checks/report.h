// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports with a fixed sentence, for checks of values.
#pragma once

#include "simulator/checks/check.h"

#include <llvm/IR/IRBuilder.h>

namespace gputest::simulator {

// Returns the message's number in the shape, for Monitor::report() (monitor.h).
unsigned number_of_message(ir::KernelShape& shape, const ir::CheckMessage& message);

// Emits code before `at` that reports a finding of `kind` at its place if `bad` is true; for a
// vector, if any component is. The message is "work-item (3) of group (1) <text>". The builder is
// then before `at`.
void report_where(llvm::IRBuilder<>& builder, CheckedKernel& kernel, llvm::Instruction& at,
                  llvm::Value* bad, const char* kind, const char* text);

} // namespace gputest::simulator
