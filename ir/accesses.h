// What a kernel does to memory, for the checks.
#pragma once

#include "ir/kernel.h"

#include <llvm/IR/Instructions.h>

#include <set>
#include <vector>

namespace gputest::simulator {

// One operand of one instruction. A copy has two.
struct Access {
  llvm::Instruction* instruction = nullptr;
  unsigned operand = 0;        // the pointer's
  llvm::Value* size = nullptr; // bytes
  std::uint64_t alignment = 1; // that the instruction relies on
  bool write = false;
  // May happen at any time: atomic operations, reads of volatile objects, and in CUDA writes of
  // them.
  bool atomic = false;

  llvm::Value* pointer() const { return instruction->getOperand(operand); }
  unsigned space() const { return pointer()->getType()->getPointerAddressSpace(); }
};

// Those of `item` (lower.h); `all`: also those at constant places within private variables.
std::vector<Access> accesses_of(llvm::Function& item, bool all = false);

// The object that every value of the pointer comes from, by its index in the shape; none: several,
// or not known. Private variables and constants join the shape's objects.
struct Origin {
  int object = -1;
  llvm::Value* begin = nullptr;
};
Origin origin_of(const llvm::Value* pointer, KernelShape& shape);

// All accesses of a work-item with where they lead.
class AccessSet {
public:
  // `item`: as for accesses_of().
  AccessSet(llvm::Function& item, KernelShape& shape);

  const std::vector<Access>& all() const { return accesses_; }
  const Origin& origin(std::size_t access) const { return origins_[access]; }

  // Memory of several work-items, and something that is written at all: arguments are distinct
  // objects, but of CUDA's kernels.
  bool shared(std::size_t access) const;
  // CUDA: it shows only when the kernel runs whether it is memory of several threads.
  bool anywhere(std::size_t access) const;

private:
  std::vector<Access> accesses_;
  std::vector<Origin> origins_;
  std::vector<bool> generic_; // CUDA: the address does not say in which memory it is
  std::set<int> written_;     // objects
  bool writes_anywhere_ = false;
  bool cuda_ = false; // pointers to one allocation may be several arguments, and anything else
};

} // namespace gputest::simulator
