// Places in the author's files, from what the front end left in the IR.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

#include <string>

namespace gputest::simulator {

// Where an instruction comes from. Inlined code keeps the place in its own function. Line 0: not
// known.
model::CodePlace place_of(const llvm::Instruction& instruction);

// "file:line:column: ", or empty.
std::string place_prefix(const model::CodePlace& site);

// The same of a variable: "sum.part" is the variable `part` of `sum`, "_ZZ3sumPiE4part" is, too.
std::string name_of_variable(llvm::StringRef name);

// The name in the source: mangled ones are OpenCL's built-ins and overloaded functions.
std::string source_name(const llvm::Function& function);

// The index of the instruction's place among the shape's sites, which it joins.
unsigned site_of(const llvm::Instruction& instruction, KernelShape& shape);

} // namespace gputest::simulator
