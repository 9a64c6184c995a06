// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs LLVM's passes and code generation.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

namespace gputest::ir {

// Replaces memory by scalars and simplifies computations. Changes no loop much.
void simplify(llvm::Function& function);

// Replaces memory by scalars, without moving or merging instructions of different lines.
// `reads_differ`: keeps both of two reads of the same memory. `keeps_branches`: also those on which
// nothing depends.
void simplify_lightly(llvm::Function& function, bool reads_differ = false,
                      bool keeps_branches = false);

// Initializes private variables, except large arrays, with 0. LLVM may assume a different value for
// each read of an uninitialized variable, so results would depend on the optimisation.
void define_variables(llvm::Module& module);

// Makes integers wrap around, as in mutants (passes/equivalence/compiled_text.h) and on devices.
// Otherwise LLVM assumes that signed integers do not overflow.
void define_overflow(llvm::Module& module);

// Turns variables that are only accessed as a whole into SSA values, and infers address spaces of
// OpenCL C 2.0's generic pointers. Changes nothing else.
void promote_variables(llvm::Function& function);

// Splits functions marked presplitcoroutine.
void split_coroutines(llvm::Module& module);

// Makes functions marked sanitize_memory track definedness. Reports do not end them.
void run_memory_sanitizer(llvm::Module& module);

enum class Effort {
  Quick, // for short runs: compiles in a fraction of the time
  Full,  // -O3 and LLVM's best code generation
};

// Optimises `module` and returns ELF object code for the host. Both efforts give equal results,
// except for arithmetic that may be rearranged (is_rearrangeable()). Throws SimulatorFailure.
std::string machine_code(llvm::Module& module, Effort effort);

// Whether results of floating-point arithmetic depend on the optimisation, as with
// -cl-fast-relaxed-math and -ffast-math.
bool is_rearrangeable(const llvm::Module& module);

} // namespace gputest::ir
