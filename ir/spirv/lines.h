// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines for instructions of translated SPIR-V that have none.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::ir {

// Gives each instruction of a function that has debug information a line. OpLine holds until the
// end of a block, so the first instructions of a block may have none, and those after OpNoLine have
// none either. Such an instruction gets the line of the one before it in its block, or else that of
// the next one there, or else that of the nearest before or behind its block. A function without
// any line has the one where it is declared.
void fill_lines(llvm::Module& module);

} // namespace gputest::ir
