// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/execute/orders.h"

#include <algorithm>

namespace gputest::simulator {

std::vector<std::uint32_t> order_within(const std::vector<std::uint32_t>& order,
                                        std::size_t count) {
  std::vector<std::uint32_t> there;
  std::ranges::copy_if(order, std::back_inserter(there),
                       [&](std::uint32_t item) { return item < count; });
  return there;
}

} // namespace gputest::simulator
