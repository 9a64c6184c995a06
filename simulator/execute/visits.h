// Where interleavings matter: accesses of memory that other work-items may see.
#pragma once

#include "ir/kernel.h"

namespace gputest::simulator {

// What is called before such an access: gputest_visit(ptr written, i64 size, i64 effect, ptr read,
// i64 size, i64 value, i64 site). make_coroutine() makes each a place where the work-item stops.
constexpr const char* kVisitFunction = "gputest_visit";

// Calls it before every access of `item` (lower.h) to global or __local memory that the kernel
// writes at all. Throws SourceError that names what cannot be followed: images that are written,
// and variables of the program.
void mark_visits(llvm::Function& item, KernelShape& shape);

} // namespace gputest::simulator
