// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the values of a kernel that may depend on its inputs. Only these can have labels.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace gputest::testgen {

// Returns the index of the context's word that `load` reads, or nullopt if it reads something else.
std::optional<std::uint64_t> context_word(const llvm::LoadInst& load, const llvm::Function& item);

// Returns whether `pointer` points into a thread's slot, through which the thread asks its warp or
// block (templates/simulator/context.h).
bool is_in_slot(const llvm::Value* pointer, const llvm::Function& item);

// Returns values read from memory and, with `launch_sizes`, sizes of the launch, and everything
// computed from them.
std::set<const llvm::Value*> values_that_depend(const llvm::Function& item,
                                                const std::vector<llvm::Instruction*>& instructions,
                                                bool launch_sizes);

} // namespace gputest::testgen
