// A label for each byte of this process's memory: which byte of which expression it holds.
#pragma once

#include "testgen/concolic/table.h"

#include <cstdint>
#include <memory>

namespace gputest::testgen {

// The shadow of the byte at an address is the word at kShadow + 4 * (address & kShadowMask): its
// highest three bits say which byte of the node's value, the lowest first, and the others which
// node. 0: it depends on no input. Addresses are those that Linux gives on 64-bit machines: the
// parts in use, the program's and what is mapped, differ within the mask.
constexpr std::uint64_t kShadow = 0x100000000000, kShadowMask = (std::uint64_t{1} << 42) - 1;
constexpr unsigned kByteShift = 29;

inline std::uint32_t* shadow_of(const void* address) {
  return reinterpret_cast<std::uint32_t*>(
      kShadow + 4 * (reinterpret_cast<std::uint64_t>(address) & kShadowMask));
}

// The addresses that shadows have: reserved, and given memory where one is written. A process has
// them once, for all of its tracers: only one of these runs at a time.
class ShadowMemory {
public:
  // That of this process. Throws SimulatorFailure where the addresses are not to be had.
  static std::shared_ptr<ShadowMemory> shared();

  ShadowMemory(const ShadowMemory&) = delete;
  ShadowMemory& operator=(const ShadowMemory&) = delete;
  ~ShadowMemory();

  // Everything is concrete again.
  void clear();

private:
  ShadowMemory();
};

} // namespace gputest::testgen
