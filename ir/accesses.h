// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds a kernel's memory accesses, for the checks.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Instructions.h>

#include <optional>
#include <set>
#include <vector>

namespace gputest::ir {

// Returns the parameter that was loaded from the block of arguments; nullopt: another value.
std::optional<unsigned> parameter_of(const llvm::Value* value, const KernelShape& shape);

// An access by one operand of an instruction. A copy has two accesses.
struct Access {
  llvm::Instruction* instruction = nullptr;
  unsigned operand = 0;        // the index of the pointer
  llvm::Value* size = nullptr; // bytes
  std::uint64_t alignment = 1; // bytes, assumed by the instruction
  bool write = false;
  // Is no race by itself: atomic operations, volatile reads, reads of what an atomic exchange of
  // the same place expects and, in CUDA, volatile writes.
  bool atomic = false;

  llvm::Value* pointer() const { return instruction->getOperand(operand); }
  // The pointer's address space. OpenCL: that of the object it comes from, if that is known.
  unsigned space() const;
};

// Returns the accesses of `item` (kernels/lower.h). `all`: also those at constant places within
// private variables.
std::vector<Access> accesses_of(llvm::Function& item, bool all = false);

// The object that all values of a pointer point into, by its index in the shape. -1: several
// objects, or not known.
struct Origin {
  int object = -1;
  llvm::Value* begin = nullptr;
};
// Adds private variables and constants to the shape's objects.
Origin origin_of(const llvm::Value* pointer, KernelShape& shape);

// All accesses of a work-item with their origins.
class AccessSet {
public:
  // `item`: as for accesses_of().
  AccessSet(llvm::Function& item, KernelShape& shape);

  const std::vector<Access>& all() const { return accesses_; }
  const Origin& origin(std::size_t access) const { return origins_[access]; }

  // Whether the access may be to memory that work-items share and that some access writes.
  // Arguments are distinct objects, except in CUDA.
  bool shared(std::size_t access) const;
  // CUDA: whether only a run can show if threads share the memory.
  bool anywhere(std::size_t access) const;

private:
  std::vector<Access> accesses_;
  std::vector<Origin> origins_;
  std::vector<bool> generic_; // the address does not tell its memory
  std::set<int> written_;     // objects
  bool writes_anywhere_ = false;
  bool cuda_ = false; // arguments may point to one allocation
};

} // namespace gputest::ir
