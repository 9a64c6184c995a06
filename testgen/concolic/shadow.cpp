// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "testgen/concolic/shadow.h"

#include "ir/error.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>

namespace gputest::testgen {
namespace {

constexpr std::size_t kBytes = 4 * (kShadowMask + 1);

} // namespace

ShadowMemory::ShadowMemory() {
  void* const wanted = reinterpret_cast<void*>(kShadow);
  if (::mmap(wanted, kBytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != wanted)
    throw ir::SimulatorFailure(
        fmt::format("following values needs {} TiB of addresses, which this process does not get "
                    "({}); raise `ulimit -v`",
                    kBytes >> 40, std::strerror(errno)));
}

std::shared_ptr<ShadowMemory> ShadowMemory::shared() {
  static std::weak_ptr<ShadowMemory> known; // NOLINT: addresses are the process's
  std::shared_ptr<ShadowMemory> memory = known.lock();
  if (!memory)
    known = memory = std::shared_ptr<ShadowMemory>(new ShadowMemory);
  return memory;
}

ShadowMemory::~ShadowMemory() {
  ::munmap(reinterpret_cast<void*>(kShadow), kBytes);
}

void ShadowMemory::clear() {
  ::madvise(reinterpret_cast<void*>(kShadow), kBytes, MADV_DONTNEED);
}

} // namespace gputest::testgen
