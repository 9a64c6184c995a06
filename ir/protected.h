// What checks look at, out of the optimiser's reach (simulator/checks/protect.h), as it is found in
// a kernel.
#pragma once

#include <llvm/IR/Instructions.h>

namespace gputest::simulator {

// Metadata of operations that the author has not written: libclc's own (builtins.cpp).
constexpr const char* kLibrary = "gputest.library";

// `gputest_member(pointer, begin, size)` is `pointer`, which must stay within the `size` bytes from
// `begin`: an array that is a member of a struct, or a variable.
constexpr const char* kMember = "gputest_member.";

// `gputest_component(index, count)` is `index`, of a component of a vector of `count`.
constexpr const char* kComponent = "gputest_component.";

// The call of `kind` that `value` is; null: it is something else.
const llvm::CallInst* protected_call(const llvm::Value* value, const char* kind);

} // namespace gputest::simulator
