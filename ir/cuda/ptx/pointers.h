// Addresses in PTX are numbers. Here they become pointers into the variables that they are of.
#pragma once

#include <llvm/IR/Function.h>

namespace gputest::simulator {

// An access by a number that is made of the address of one variable, one argument or one object of
// the thread's own becomes an access of that object, as in code of C++. All others stay.
void point_into_objects(llvm::Function& function);

} // namespace gputest::simulator
