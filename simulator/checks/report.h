// Reports that need nothing but a sentence: checks of values call them where they are rare.
#pragma once

#include "simulator/checks/check.h"

#include <llvm/IR/IRBuilder.h>

namespace gputest::simulator {

// Where `bad` holds before `at`, of a vector in any component, there is a finding of `kind` at the
// place of `at`: "work-item (3) of group (1) <text>". The builder is left before `at`.
void report_where(llvm::IRBuilder<>& builder, CheckedKernel& kernel, llvm::Instruction& at,
                  llvm::Value* bad, const char* kind, const char* text);

} // namespace gputest::simulator
