// LLVM's passes and code generation, as the simulator runs them.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

namespace gputest::simulator {

// Scalars instead of memory, less to compute; no loop is changed much.
void simplify(llvm::Function& function);

// Scalars instead of memory, and nothing that would move or merge what has a line of its own.
// `reads_differ`: of two reads of the same memory neither is left out.
void simplify_lightly(llvm::Function& function, bool reads_differ = false);

// Variables of a work-item begin as 0, but large arrays. LLVM would take what nobody has written
// for something else each time that it is asked, and results would depend on how the code is made.
void define_variables(llvm::Module& module);

// Variables that are only read and written as a whole are none any more, and pointers of OpenCL C
// 2.0 have the address space that they always point into. Nothing else changes.
void promote_variables(llvm::Function& function);

// Functions marked presplitcoroutine become their parts.
void split_coroutines(llvm::Module& module);

// Functions marked sanitize_memory follow which values are defined; reports do not end them.
void run_memory_sanitizer(llvm::Module& module);

enum class Effort {
  Quick, // for what runs for a moment: made in a fraction of the time
  Full,  // all of -O3, and LLVM's good code generation
};

// Optimises `module` and returns object code for the host, in ELF. Throws SimulatorFailure. Both
// efforts compute the same bits, but of arithmetic that may be rearranged (is_rearrangeable()).
std::string machine_code(llvm::Module& module, Effort effort);

// Whether floating-point arithmetic is marked such that its results depend on how it is compiled,
// as with -cl-fast-relaxed-math and -ffast-math.
bool is_rearrangeable(const llvm::Module& module);

} // namespace gputest::simulator
