// Delta debugging (Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, IEEE TSE
// 2002, the algorithm ddmin).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace gputest::runtime {

// The fewest of `elements`, in their order, for which `shows` holds; it holds for all of them. What
// is returned loses it when any one element is left out, unless more than `most` questions would
// have been needed to find that.
std::vector<std::uint32_t>
shrink(std::vector<std::uint32_t> elements,
       const std::function<bool(const std::vector<std::uint32_t>&)>& shows, unsigned most);

// The elements of `order` that are not at their own place.
std::vector<std::uint32_t> moved(const std::vector<std::uint32_t>& order);

// As launched, but for `chosen`, elements of `order`: they keep its order among each other, in the
// places they have as launched.
std::vector<std::uint32_t> restricted(const std::vector<std::uint32_t>& order,
                                      const std::vector<std::uint32_t>& chosen);

} // namespace gputest::runtime
