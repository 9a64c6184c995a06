// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings that generation prints, for `gputest generate` and `gputest init`.
#pragma once

#include "testgen/generation/generate.h"

namespace gputest::driver {

// Prints the findings of a kernel with some inputs, those with a known condition first. Inputs with
// a finding are no cases.
void print_guards(const testgen::Generated& generated);

// Prints what CHECK will report with the case; nothing if it reports nothing.
void print_same_values(const testgen::CaseRisks& risks);

} // namespace gputest::driver
