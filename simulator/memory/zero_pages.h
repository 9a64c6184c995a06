// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of zeros that is used again. A page fault costs more than what a small launch does, so
// pages of small memory are kept.
#pragma once

#include <cstddef>
#include <span>

namespace gputest::simulator {

// Makes all bytes 0, and for large memory gives its pages back; the memory may be that of others up
// to the ends of its pages, which also become 0. It must be private and anonymous.
void make_zeros(std::span<std::byte> memory);

// Owns addresses whose pages take no memory until they are used.
class ZeroPages {
public:
  explicit ZeroPages(std::size_t size); // throws SimulatorFailure
  ZeroPages(ZeroPages&& other) noexcept;
  ZeroPages& operator=(ZeroPages&& other) noexcept;
  ~ZeroPages();

  std::byte* begin() const { return memory_.data(); }
  std::size_t size() const { return memory_.size(); }

private:
  std::span<std::byte> memory_;
};

} // namespace gputest::simulator
