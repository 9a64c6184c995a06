// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the simulator shares with who asks for launches: places of contents in a memory file.
#pragma once

#include "ir/alignment.h"

#include <cstddef>
#include <cstdint>

namespace gputest::simulator {

// Fills __local and __shared__ memory when a group begins, because devices leave any values there.
// As a number, the fill is neither small nor 0 nor NaN.
constexpr std::uint8_t kUnwrittenByte = 0xcb;

constexpr std::size_t kPageBytes = 4096;

// Returns the offset for content of `size` bytes in a memory file whose used part ends at `end`.
// The content's end, rounded up to kBufferAlignment, is the end of a page, so the next byte is
// unused.
constexpr std::size_t shared_offset(std::size_t end, std::size_t size) {
  const std::size_t first = (end + kPageBytes - 1) / kPageBytes * kPageBytes;
  const std::size_t whole =
      (size + ir::kBufferAlignment - 1) / ir::kBufferAlignment * ir::kBufferAlignment;
  const std::size_t pages = (whole + kPageBytes - 1) / kPageBytes * kPageBytes;
  return first + pages - whole;
}

// Returns the end of that content in the memory file.
constexpr std::size_t shared_end(std::size_t offset, std::size_t size) {
  const std::size_t whole =
      (size + ir::kBufferAlignment - 1) / ir::kBufferAlignment * ir::kBufferAlignment;
  return offset + whole;
}

} // namespace gputest::simulator
