// Functions of device code that have addresses: pointers to them, virtual functions.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::simulator {

// Addresses of functions become numbers, the same in every kernel of the module, and calls by
// pointer choose among the functions of that type. Null and wrong numbers end the kernel.
void number_functions(llvm::Module& module);

// PTX gives and takes numbers where functions from elsewhere have pointers or float: calls that say
// so of a function get its own types.
void fit_calls(llvm::Module& module);

} // namespace gputest::simulator
