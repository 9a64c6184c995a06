// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds uses of uninitialized values with LLVM's MemorySanitizer (Stepanov, Serebryany:
// MemorySanitizer: fast detector of uninitialized memory use in C++, CGO 2015). It tracks a value
// until it decides a branch, becomes an address, or is stored to global memory.
#pragma once

#include <cstddef>
#include <span>

namespace gputest::simulator {

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
  // Returns the index of the first byte that is uninitialized, or `size`.
  static std::size_t first_undefined(const void* begin, std::size_t size);

private:
  bool ended_ = false;
};

} // namespace gputest::simulator
