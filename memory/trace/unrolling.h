// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which instructions of a loop a GPU's compiler makes less often than the source says:
//
//     for (uint k = 0; k < n; ++k)   // k + 1 and k < n: once in several iterations
//       x += in[k] * (y * 3);        // y * 3: once
//
// What does not change in a loop is computed in front of it, and a product that is only added to
// something becomes one instruction with the addition. In an innermost loop of one way and
// without barriers, which compilers unroll, counters and what they decide belong to several
// iterations, or to none if the loop has so few that it disappears.
#pragma once

#include "memory/trace/item_shape.h"

#include <llvm/IR/Function.h>

#include <functional>
#include <map>
#include <vector>

namespace gputest::memory {

// The instructions of `item`, whose blocks are `order`, that are not made each time.
// `is_constant`: whether a load gives a constant of the launch.
std::map<const llvm::Instruction*, Made>
made_less_often(llvm::Function& item, const std::vector<llvm::BasicBlock*>& order,
                const std::function<bool(const llvm::Instruction&)>& is_constant);

} // namespace gputest::memory
