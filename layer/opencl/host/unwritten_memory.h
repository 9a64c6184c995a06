// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Knows which bytes of buffers neither the host, nor kernels, nor copies of written bytes have
// written. Commands count in the order of their calls.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace gputest::layer {

class UnwrittenMemory {
public:
  struct Range {
    std::uint64_t begin = 0, size = 0; // bytes
    bool operator==(const Range&) const = default;
  };

  // `memory`: a handle. `unwritten`: the bytes from its begin on that are not written. Memory of
  // which nothing was said counts as written.
  void made(const void* memory, std::uint64_t unwritten);
  void written(const void* memory, const Range& range);
  void copied(const void* from, const Range& range, const void* to, std::uint64_t to_begin);
  void forget(const void* memory); // it is free, or all of it may be written
  void forget_all() { memory_.clear(); }

  // Returns what is unwritten of a part, as ranges of this part.
  std::vector<Range> within(const void* memory, const Range& part) const;

private:
  using Ends = std::map<std::uint64_t, std::uint64_t>; // of unwritten ranges, by their begins
  std::map<const void*, Ends> memory_;
};

} // namespace gputest::layer
