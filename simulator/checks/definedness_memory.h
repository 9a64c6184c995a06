// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of memory: which of its bits are initialized.
#pragma once

#include "simulator/wire.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gputest::simulator {

// MemorySanitizer's mapping on Linux for x86-64: the shadow of a byte is at its address with these
// bits changed.
constexpr std::uint64_t kShadowBits = 0x500000000000;

// Shadow memory that says which bits of memory are uninitialized. A process has one, because
// compiled code contains its address.
class DefinednessMemory {
public:
  DefinednessMemory(); // all memory counts as initialized; throws SimulatorFailure
  DefinednessMemory(const DefinednessMemory&) = delete;
  DefinednessMemory& operator=(const DefinednessMemory&) = delete;
  ~DefinednessMemory();

  // Ends the use of this memory early: no other memory than `used`, and the stack that kernels run
  // on, has become uninitialized. So small pages are kept, for the next who needs such memory.
  void end(std::span<const std::span<std::byte>> used);

  // The shadow of memory: a bit for each bit, 1 if it is uninitialized.
  static std::span<std::byte> shadow_of(void* begin, std::size_t size);
  // Copies the shadow of `from` to `to`. Returns false if some of it is uninitialized.
  static bool copy(void* to, const void* from, std::size_t size);
  static void forget(void* begin, std::size_t size); // marks it uninitialized
  static void define(void* begin, std::size_t size); // marks it initialized
  // Returns the ranges that are uninitialized; none if no kernel of this process had shadow memory.
  static std::vector<wire::ByteRange> undefined(const std::byte* begin, std::size_t size);
  // Returns the index of the first byte that is uninitialized, or `size`.
  static std::size_t first_undefined(const void* begin, std::size_t size);

private:
  bool ended_ = false;
};

} // namespace gputest::simulator
