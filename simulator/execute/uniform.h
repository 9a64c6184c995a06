// Values that are the same for all work-items that have stopped at the same place.
#pragma once

#include <llvm/IR/Function.h>

#include <set>

namespace gputest::simulator {

// The instructions of `item` whose values depend on none of the arguments `own` and on no memory
// that may change: neither what they compute nor whether and how often they are executed. Stops
// (stops.h) have blocks of their own. Empty where work-items may come to stops in another order.
std::set<const llvm::Value*> uniform_values(llvm::Function& item,
                                            const std::set<const llvm::Value*>& own);

} // namespace gputest::simulator
