// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/variants/shrink.h"

#include <algorithm>
#include <numeric>

namespace gputest::runtime {

std::vector<std::uint32_t>
shrink(std::vector<std::uint32_t> elements,
       const std::function<bool(const std::vector<std::uint32_t>&)>& shows, unsigned most) {
  std::size_t parts = 2;
  unsigned asked = 0;
  while (elements.size() >= 2 && asked < most) {
    const std::size_t size = (elements.size() + parts - 1) / parts;
    bool smaller = false;
    // Tries each part alone, and then all but one part. With two parts, these are the same.
    for (int complement = 0; complement < (parts == 2 ? 1 : 2) && !smaller; ++complement)
      for (std::size_t at = 0; at < elements.size() && asked < most; at += size) {
        const auto begin = elements.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end =
            elements.begin() + static_cast<std::ptrdiff_t>(std::min(at + size, elements.size()));
        std::vector<std::uint32_t> part;
        if (complement) {
          part.assign(elements.begin(), begin);
          part.insert(part.end(), end, elements.end());
        } else {
          part.assign(begin, end);
        }
        ++asked;
        if (!shows(part))
          continue;
        elements = std::move(part);
        parts = complement ? std::max<std::size_t>(parts - 1, 2) : 2;
        smaller = true;
        break;
      }
    if (smaller)
      continue;
    if (parts >= elements.size())
      break;
    parts = std::min(parts * 2, elements.size());
  }
  return elements;
}

std::vector<std::uint32_t> moved(const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t place = 0; place < order.size(); ++place)
    if (order[place] != place)
      result.push_back(order[place]);
  return result;
}

std::vector<std::uint32_t> restricted(const std::vector<std::uint32_t>& order,
                                      const std::vector<std::uint32_t>& chosen) {
  std::vector<bool> is_chosen(order.size());
  for (const std::uint32_t element : chosen)
    is_chosen[element] = true;
  std::vector<std::uint32_t> result(order.size());
  std::iota(result.begin(), result.end(), 0);
  std::size_t place = 0;
  for (const std::uint32_t element : order) {
    if (!is_chosen[element])
      continue;
    while (!is_chosen[place])
      ++place;
    result[place++] = element;
  }
  return result;
}

} // namespace gputest::runtime
