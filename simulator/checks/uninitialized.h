// Uses of values that nobody has written: LLVM's MemorySanitizer (Stepanov, Serebryany:
// MemorySanitizer: fast detector of uninitialized memory use in C++, CGO 2015) follows values from
// where they come to where they decide a branch, become an address, or are stored to global memory.
#pragma once

#include "ir/kernel.h"

namespace gputest::simulator {

// Before variables become scalars: those that are declared without a value get one that
// check_uninitialized() knows.
void mark_undefined(llvm::Function& item);

// Reports come from gputest_uninitialized(context, site), and the kernel goes on. Throws
// SimulatorFailure on machines that MemorySanitizer's memory layout is not known for.
void check_uninitialized(llvm::Function& item, KernelShape& shape);

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
