// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an unwritten value may come from, and the way from there to its use, as the code says. So
// nothing of it costs time in a launch.
#pragma once

#include "ir/kernel.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

#include <string>
#include <vector>

namespace gputest::simulator {

// Returns the variable's name; "": it is a temporary object of the compiler's.
std::string name_of(const llvm::AllocaInst& variable);

// The prefix of functions that return the value with which a variable begins.
constexpr const char* kUndefined = "gputest_undefined.";

// Names the variable in messages; `value` stands for the value that it begins with.
void set_variable(llvm::Instruction& value, const llvm::AllocaInst& variable);

class ValueSources {
public:
  // Of what the instruction `use` uses: `values`.
  ValueSources(const std::vector<const llvm::Value*>& values, const llvm::Instruction& use,
               ir::KernelShape& shape);

  // The variables, the nearest to the use first.
  std::vector<std::string> names() const;
  // "; 'x' is declared at k.cl:2:7, and its value comes here by way of lines 6 and 7". Empty: there
  // is nothing to say, or more than one variable.
  std::string text() const;
  // "uses of 'x' of line 2, which nobody has written"; empty: the variable is not known.
  std::string cause() const;
  // The one read of an array or of memory that the value comes from; null: there is none.
  const llvm::LoadInst* read() const;

private:
  struct Source {
    std::string name;
    const llvm::Instruction* begin; // stands for the first value, or reads it
  };
  std::string way(const Source& source) const;

  const llvm::Instruction& use_;
  std::vector<Source> sources_;
  llvm::DenseMap<const llvm::Value*, const llvm::Instruction*> next_; // towards the use
};

} // namespace gputest::simulator
