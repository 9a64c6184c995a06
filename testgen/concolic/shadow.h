// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadow memory: a label for each byte of this process, which says which byte of which expression
// it holds.
#pragma once

#include "testgen/concolic/table.h"

#include <cstdint>
#include <memory>

namespace gputest::testgen {

// The shadow of the byte at an address is the word at kShadow + 4 * (address & kShadowMask). Its
// highest 3 bits say which byte of the node's value, counted from the lowest, and the other 29 bits
// are the node's label. 0: the byte depends on no input. The mask suffices for Linux on 64-bit
// machines: no two addresses in use, of the program or of mappings, have the same shadow.
constexpr std::uint64_t kShadow = 0x100000000000, kShadowMask = (std::uint64_t{1} << 42) - 1;
constexpr unsigned kByteShift = 29;

inline std::uint32_t* shadow_of(const void* address) {
  return reinterpret_cast<std::uint32_t*>(
      kShadow + 4 * (reinterpret_cast<std::uint64_t>(address) & kShadowMask));
}

// The reserved address range of shadows; pages get memory when they are written. All tracers of a
// process share it, so only one tracer runs at a time.
class ShadowMemory {
public:
  // Returns the process's shadow memory. Throws SimulatorFailure if the addresses are taken.
  static std::shared_ptr<ShadowMemory> shared();

  ShadowMemory(const ShadowMemory&) = delete;
  ShadowMemory& operator=(const ShadowMemory&) = delete;
  ~ShadowMemory();

  // Sets all labels to 0.
  void clear();

private:
  ShadowMemory();
};

} // namespace gputest::testgen
