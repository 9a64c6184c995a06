// Uses of values that nobody has written: LLVM's MemorySanitizer (Stepanov, Serebryany:
// MemorySanitizer: fast detector of uninitialized memory use in C++, CGO 2015) follows values from
// where they come to where they decide a branch, become an address, or are stored to global memory.
#pragma once

#include <cstddef>

namespace gputest::simulator {

// The bytes beside memory that say which of its bits nobody has written. Exists once in a process,
// because where it lies is part of the compiled code.
class DefinednessMemory {
public:
  DefinednessMemory(); // everything is defined; throws SimulatorFailure
  DefinednessMemory(const DefinednessMemory&) = delete;
  DefinednessMemory& operator=(const DefinednessMemory&) = delete;
  ~DefinednessMemory();

  // Copies what is known of `from` to `to`. False: nobody has written some of it.
  static bool copy(void* to, const void* from, std::size_t size);
  static void forget(void* begin, std::size_t size); // nobody has written it
  static void define(void* begin, std::size_t size); // somebody has
};

} // namespace gputest::simulator
