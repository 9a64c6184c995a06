// LLVM's operators as those of a work-item's expressions (memory/static/program.h).
#pragma once

#include "memory/static/program.h"

#include <llvm/IR/Instructions.h>

#include <optional>

namespace gputest::memory {

// Nothing: expressions have none for it. A subtraction is an addition of what is multiplied by -1.
std::optional<Operator> operator_of(const llvm::Instruction& instruction);

// The operator of a comparison of integers. "Greater" is "less" with its sides exchanged.
Operator operator_of(llvm::CmpInst::Predicate predicate);

} // namespace gputest::memory
