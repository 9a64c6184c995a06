// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of CUDA's device code that a GPU would refuse, because their address is no multiple of
// what their type needs.
#pragma once

#include <llvm/IR/Module.h>

namespace gputest::ir {

// Reduces the alignment that accesses assume to that of a GPU's widest one, 16 bytes: a structure
// may be declared to be aligned more (CUB's are, in storage that is not).
void limit_alignments(llvm::Module& module);

// Inserts a call of gputest_end_misaligned(alignment), which ends the kernel, before accesses at
// such addresses. It looks at accesses whose address has steps that are no multiple of the
// alignment: those of a pointer to a smaller type. The compiler knows that others are aligned if
// the pointers are with which the kernel begins. Private memory is not looked at, because its place
// is not that of a GPU.
void trap_misaligned(llvm::Module& module);

} // namespace gputest::ir
