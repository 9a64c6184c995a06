// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the values of a kernel that a decision or an address is computed from. Others need no
// labels, because nobody asks for their expressions.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <set>
#include <vector>

namespace gputest::testgen {

// Memory that pointers are told apart by: two pointers of different places never point to the same
// byte, unless the kernel leaves an object. Unknown: it may be any of them.
struct MemoryPlace {
  enum class Kind : std::uint8_t {
    Unknown,
    Given,    // the launch's sizes and arguments by value, which no kernel writes
    Variable, // private, or a constant of the program
    Argument, // a buffer, or __local memory
    Object,   // a __local variable, or a variable of the program
    Slots     // what threads tell their warp
  };
  Kind kind = Kind::Unknown;
  const llvm::Value* variable = nullptr; // Variable
  std::int64_t offset = 0;               // Argument, Object: that of its pointer, in a list
  auto operator<=>(const MemoryPlace&) const = default;
};
MemoryPlace memory_place(const llvm::Value* pointer, const llvm::Function& item);

struct Relevant {
  std::set<const llvm::Value*> values;
  std::set<MemoryPlace> memory; // that relevant values are read from

  // Whether relevant values may be read from there.
  bool is_read(const MemoryPlace& place) const;
};

// Returns those of `depends` (values_that_depend()) that an event is about (sites.h), or that one
// is computed from, also by way of memory. `outputs`: so is all that the kernel leaves in its
// arguments.
Relevant relevant_values(const llvm::Function& item,
                         const std::vector<llvm::Instruction*>& instructions,
                         const std::set<const llvm::Value*>& depends, bool outputs);

} // namespace gputest::testgen
