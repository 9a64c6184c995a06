// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Delta debugging (Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, IEEE TSE
// 2002, the algorithm ddmin).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace gputest::runtime {

// Returns few of `elements`, in their order, for which `shows` holds. It must hold for all of them.
// It no longer holds when any one element is left out of the result, unless finding that would have
// taken more than `most` questions.
std::vector<std::uint32_t>
shrink(std::vector<std::uint32_t> elements,
       const std::function<bool(const std::vector<std::uint32_t>&)>& shows, unsigned most);

// Returns the elements of `order` that are not at their own place.
std::vector<std::uint32_t> moved(const std::vector<std::uint32_t>& order);

// Returns the order as launched, except for the elements in `chosen`. These exchange the places
// that they have as launched, so that they stand in the order that they have in `order`.
std::vector<std::uint32_t> restricted(const std::vector<std::uint32_t>& order,
                                      const std::vector<std::uint32_t>& chosen);

} // namespace gputest::runtime
