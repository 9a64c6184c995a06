// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel as the proofs read it: one work-item, with nothing optimised that decides.
#pragma once

#include "ir/frontend.h"
#include "ir/kernel.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/LLVMContext.h>
#include <memory>
#include <string>

namespace gputest::testgen {

// Calls that stay where the passes drop what has no effect, because the checks see it, too:
//     kReads(pointer, bytes of an element, elements)   memory that is no variable of the kernel
//     kDivides(divisor), kShifts(amount, width)        integers
//     kCopies()                                        such memory as a whole
inline constexpr const char* kReads = "gputest_marks_read";
inline constexpr const char* kDivides = "gputest_marks_division";
inline constexpr const char* kShifts = "gputest_marks_shift";
inline constexpr const char* kCopies = "gputest_marks_copy";

struct StaticKernel {
  enum class Marks { None, Findings };
  // Loops with a small constant number of iterations are unrolled, and integers wrap around. Throws
  // what the simulator's compiler throws. Call it on a large stack (simulator::on_large_stack).
  StaticKernel(const ir::Source& source, const std::string& kernel, Marks marks = Marks::None);
  StaticKernel(const StaticKernel&) = delete;
  StaticKernel& operator=(const StaticKernel&) = delete;

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  ir::KernelShape shape;
  llvm::Function* item = nullptr; // of a work-item: ir/kernels/lower.h
};

} // namespace gputest::testgen
