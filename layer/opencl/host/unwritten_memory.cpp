// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layer/opencl/host/unwritten_memory.h"

#include <algorithm>
#include <iterator>

namespace gputest::layer {

void UnwrittenMemory::made(const void* memory, std::uint64_t unwritten) {
  Ends& ends = memory_[memory];
  ends.clear();
  if (unwritten > 0)
    ends[0] = unwritten;
}

void UnwrittenMemory::written(const void* memory, const Range& range) {
  const auto known = memory_.find(memory);
  if (known == memory_.end() || range.size == 0)
    return;
  Ends& ends = known->second;
  const std::uint64_t end = range.begin + range.size;
  auto at = ends.upper_bound(range.begin);
  if (at != ends.begin())
    --at;
  while (at != ends.end() && at->first < end) {
    const auto [old_begin, old_end] = *at;
    if (old_end <= range.begin) {
      ++at;
      continue;
    }
    at = ends.erase(at);
    if (old_begin < range.begin)
      ends[old_begin] = range.begin;
    if (old_end > end)
      ends[end] = old_end;
  }
}

void UnwrittenMemory::copied(const void* from, const Range& range, const void* to,
                             std::uint64_t to_begin) {
  const std::vector<Range> unwritten = within(from, range);
  const auto known = memory_.find(to);
  written(to, {to_begin, range.size});
  if (known == memory_.end())
    return;
  for (const Range& part : unwritten)
    known->second[to_begin + part.begin] = to_begin + part.begin + part.size;
}

void UnwrittenMemory::forget(const void* memory) {
  memory_.erase(memory);
}

std::vector<UnwrittenMemory::Range> UnwrittenMemory::within(const void* memory,
                                                            const Range& part) const {
  std::vector<Range> all;
  const auto known = memory_.find(memory);
  if (known == memory_.end())
    return all;
  const std::uint64_t part_end = part.begin + part.size;
  auto at = known->second.upper_bound(part.begin);
  if (at != known->second.begin())
    --at;
  for (; at != known->second.end() && at->first < part_end; ++at) {
    const std::uint64_t begin = std::max(at->first, part.begin),
                        end = std::min(at->second, part_end);
    if (begin < end)
      all.push_back({begin - part.begin, end - begin});
  }
  return all;
}

} // namespace gputest::layer
