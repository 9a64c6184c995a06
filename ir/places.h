// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in the author's files, read from debug information.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>

#include <string>

namespace gputest::ir {

// Returns the place of an instruction. Inlined code has the place in its own function. Line 0: not
// known.
model::CodePlace place_of(const llvm::Instruction& instruction);

// Returns "file:line:column: ", or "".
std::string place_prefix(const model::CodePlace& site);

// Returns a variable's name in the source: "part" for "sum.part" and for "_ZZ3sumPiE4part", the
// variable `part` of `sum`.
std::string name_of_variable(llvm::StringRef name);

// Returns a function's name in the source. OpenCL's built-ins and overloaded functions have mangled
// names.
std::string source_name(const llvm::Function& function);

// Returns the index of the instruction's place among the shape's sites, and adds it if necessary.
unsigned site_of(const llvm::Instruction& instruction, KernelShape& shape);

// Marks the code of C++ as C. Splitting coroutines looks for variables of C++ code, but this code
// only has lines.
void call_it_c(llvm::Module& module);

} // namespace gputest::ir
