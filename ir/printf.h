// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf() of OpenCL C 1.2 (6.12.13), with vectors.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Instructions.h>

namespace gputest::ir {

// An argument after the format in lowered code. Each is in a slot of kPrintfSlot bytes.
struct PrintfArgument {
  enum Kind : unsigned char { Integer, Floating, Pointer };
  unsigned char kind, size, count; // size: bytes of a component; count: components
};
constexpr std::size_t kPrintfSlot = 128;

// Replaces a call of printf() by one of gputest_printf(ptr format, i32 count, ptr arguments, ptr
// slots), which is not variadic.
void lower_printf(llvm::CallInst& call, KernelShape& shape);

// Returns the output of gputest_printf(). A conversion without a matching argument prints "(?)".
std::string printf_text(const char* format, unsigned count, const PrintfArgument* arguments,
                        const unsigned char* slots);

} // namespace gputest::ir
