// LLVM's passes and code generation, as the simulator runs them.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>

#include <string>

namespace gputest::simulator {

// Scalars instead of memory, less to compute; no loop is changed much.
void simplify(llvm::Function& function);

// Scalars instead of memory, and nothing that would move or merge what has a line of its own.
// `reads_differ`: of two reads of the same memory neither is left out.
void simplify_lightly(llvm::Function& function, bool reads_differ = false);

// Variables that are only read and written as a whole are none any more, and pointers of OpenCL C
// 2.0 have the address space that they always point into. Nothing else changes.
void promote_variables(llvm::Function& function);

// Functions marked presplitcoroutine become their parts.
void split_coroutines(llvm::Module& module);

// Functions marked sanitize_memory follow which values are defined; reports do not end them.
void run_memory_sanitizer(llvm::Module& module);

// All of -O3.
void optimise(llvm::Module& module);

// Object code for the host, in ELF. Throws SimulatorFailure.
std::string emit_object(llvm::Module& module);

} // namespace gputest::simulator
