// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the device, and copies, through the server.
#pragma once

#include "cuda/gpu/calls.h"
#include "cuda/gpu/remote.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace gputest::cuda::gpu {

// Returns whether `address` is in memory of this process only. `kind`: the copy's enum
// cudaMemcpyKind. `kind_in_device`: the one-sided kind in which this address is the device's.
bool is_here(const void* address, int kind, int kind_in_device);

// Resets the device: releases what the program has left and restores variables. Returns an error of
// CUDA's, or 0.
int reset_device();

inline std::byte* bytes_at(const void* host) {
  return static_cast<std::byte*>(const_cast<void*>(host));
}

// Rows of `width` bytes in the host's memory. Contiguous memory is rows of one byte.
struct Rows {
  std::byte* first;
  std::size_t width, height, pitch;

  std::byte* row(std::size_t index) const { return first + index * pitch; }
};

// Copies rows in parts that fit into the channel. In the server, Copy(bytes of the channel, width,
// index of the first row, number of rows, to_device, arguments...) copies a part; its rows have no
// gaps in the channel. Returns an error of CUDA's, or 0.
template <auto Copy, typename... Ins> int in_parts(const Rows& rows, bool to_device, Ins... ins) {
  if (rows.width > Channel::kBytes)
    refuse("a copy of very long rows");
  const std::size_t at_once = rows.width > 0 ? Channel::kBytes / rows.width : 0;
  for (std::size_t first = 0; at_once > 0 && first < rows.height; first += at_once) {
    const std::size_t count = std::min(at_once, rows.height - first);
    Call whole;                                     // keeps other threads' copies out
    std::byte* const bytes = whole.channel().bytes; // the server has them at the same address
    const auto each = [&](auto copy) {
      if (rows.pitch == rows.width)
        copy(rows.row(first), bytes, rows.width * count);
      else
        for (std::size_t i = 0; i < count; ++i)
          copy(rows.row(first + i), bytes + i * rows.width, rows.width);
    };
    if (to_device)
      each([](std::byte* host, std::byte* part, std::size_t size) {
        std::memcpy(part, host, size);
      });
    const int error =
        forward<Copy>(static_cast<void*>(bytes), rows.width, first, count, to_device, ins...);
    if (error != kSuccess)
      return error;
    if (!to_device)
      each([](std::byte* host, std::byte* part, std::size_t size) {
        std::memcpy(host, part, size);
      });
  }
  return kSuccess;
}

} // namespace gputest::cuda::gpu
