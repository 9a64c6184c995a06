// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records the shared virtual memory that the program has allocated, because a pointer does not tell
// the size of its memory.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

namespace gputest::layer {

class SvmMemory {
public:
  struct Block {
    void* begin = nullptr;
    std::size_t size = 0; // bytes
  };

  void allocated(void* begin, std::size_t size) {
    const std::lock_guard lock(mutex_);
    blocks_[begin] = size;
  }

  void freed(const void* begin) {
    const std::lock_guard lock(mutex_);
    blocks_.erase(const_cast<void*>(begin));
  }

  // Returns the block into which `pointer` points; nullopt: none.
  std::optional<Block> find(const void* pointer) {
    const std::lock_guard lock(mutex_);
    auto after = blocks_.upper_bound(const_cast<void*>(pointer));
    if (after == blocks_.begin())
      return std::nullopt;
    const auto& [begin, size] = *--after;
    const auto at = static_cast<const std::byte*>(pointer) - static_cast<const std::byte*>(begin);
    if (static_cast<std::size_t>(at) >= size)
      return std::nullopt;
    return Block{begin, size};
  }

private:
  std::mutex mutex_;
  std::map<void*, std::size_t, std::less<>> blocks_;
};

} // namespace gputest::layer
