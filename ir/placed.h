// Memory that the launch places for a kernel: what it is given, and variables that several
// work-items share.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/IRBuilder.h>

namespace gputest::simulator {

// The begin of an object of the shape, and so many bytes may be accessed.
struct PlacedObject {
  llvm::Value *begin, *size;
};
// `function`: its first argument is the context.
PlacedObject placed_object(llvm::IRBuilder<>& builder, llvm::Function& function, unsigned index,
                           bool write);

// The pointer that is loaded is 0 or a multiple of `alignment`.
void set_alignment(llvm::LoadInst& load, std::uint64_t alignment);

// Variables of the program that `item` (lower.h) uses, which keep their values from launch to
// launch whatever kernel is launched, become objects of the shape. Throws SourceError where one
// begins with an address.
void place_program_variables(llvm::Function& item, KernelShape& shape);

// So does memory of a size that the launch says (CUDA: extern __shared__), of which all variables
// are one.
void place_dynamic_variables(llvm::Function& item, KernelShape& shape);

// So do its __local variables: memory that is watched lies beside the buffers.
void place_local_variables(llvm::Function& item, KernelShape& shape);

} // namespace gputest::simulator
