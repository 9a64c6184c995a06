// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds operations that can make one label together.
#pragma once

#include "testgen/concolic/chain.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <set>
#include <vector>

namespace gputest::testgen {

struct FoundChain {
  Chain chain;
  std::vector<llvm::Value*> inputs{}; // numbers and pointers
};

struct Chains {
  std::map<const llvm::Instruction*, FoundChain> by_last; // by the instruction of the last step
  std::set<const llvm::Instruction*> inner;               // all others, which need no labels
};

// `instructions`: of a kernel, in an order in which definitions come before their uses, except for
// those of phis. `labelled`: values that have labels.
Chains find_chains(const std::vector<llvm::Instruction*>& instructions,
                   const std::set<const llvm::Value*>& labelled);

} // namespace gputest::testgen
