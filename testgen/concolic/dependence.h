// Values of a kernel that may depend on its inputs at all: only these can have labels.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace gputest::testgen {

// The word of the context that is read; none: it is not the context.
std::optional<std::uint64_t> context_word(const llvm::LoadInst& load, const llvm::Function& item);

// Whether it points into a thread's slot, by which the thread asks its warp or block
// (templates/simulator/context.h).
bool is_in_slot(const llvm::Value* pointer, const llvm::Function& item);

// What comes from memory, and with `launch_sizes` from sizes of the launch; and what is computed of
// these.
std::set<const llvm::Value*> values_that_depend(const llvm::Function& item,
                                                const std::vector<llvm::Instruction*>& instructions,
                                                bool launch_sizes);

} // namespace gputest::testgen
