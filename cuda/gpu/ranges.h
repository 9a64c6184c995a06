// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A set of memory ranges, safe for threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>

namespace gputest::cuda::gpu {

class Ranges {
public:
  void add(const void* begin, std::size_t size) {
    const std::lock_guard lock(mutex_);
    sizes_[reinterpret_cast<std::uintptr_t>(begin)] = size;
  }
  void remove(const void* begin) {
    const std::lock_guard lock(mutex_);
    sizes_.erase(reinterpret_cast<std::uintptr_t>(begin));
  }
  // Whether the pointer is in a range. One past the end of a range counts.
  bool has(const void* pointer) const {
    const std::lock_guard lock(mutex_);
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const auto after = sizes_.upper_bound(address);
    return after != sizes_.begin() && address - std::prev(after)->first <= std::prev(after)->second;
  }

private:
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, std::size_t> sizes_; // by begin
};

} // namespace gputest::cuda::gpu
