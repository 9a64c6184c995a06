// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/memory/near_memory.h"

#include "ir/error.h"

#include <cstddef>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace gputest::simulator {
namespace {

using Manager = llvm::SectionMemoryManager;

constexpr std::size_t kSize = std::size_t{1} << 30;

std::size_t page_size() {
  return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_size() - 1) / page_size() * page_size();
}

class Reservation : public Manager::MemoryMapper {
public:
  Reservation() {
    void* const begin =
        ::mmap(nullptr, kSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin == MAP_FAILED)
      throw SimulatorFailure("no address space is left for a kernel's machine code");
    begin_ = static_cast<std::byte*>(begin);
  }
  ~Reservation() override { ::munmap(begin_, kSize); }

  llvm::sys::MemoryBlock allocateMappedMemory(Manager::AllocationPurpose, std::size_t bytes,
                                              const llvm::sys::MemoryBlock*, unsigned flags,
                                              std::error_code& error) override {
    const std::size_t size = whole_pages(bytes);
    if (size > kSize - used_) {
      error = std::make_error_code(std::errc::not_enough_memory);
      return {};
    }
    const llvm::sys::MemoryBlock block(begin_ + used_, size);
    error = protectMappedMemory(block, flags);
    if (error)
      return {};
    used_ += size;
    return block;
  }

  std::error_code protectMappedMemory(const llvm::sys::MemoryBlock& block,
                                      unsigned flags) override {
    return llvm::sys::Memory::protectMappedMemory(block, flags);
  }

  std::error_code releaseMappedMemory(llvm::sys::MemoryBlock&) override {
    return {}; // is freed with the range
  }

private:
  std::byte* begin_ = nullptr;
  std::size_t used_ = 0;
};

struct Holder {
  Reservation reservation;
};

// Declared first, because the manager returns its blocks to it.
class Near : private Holder, public Manager {
public:
  Near() : Manager(&reservation) {}
};

} // namespace

std::unique_ptr<Manager> near_memory() {
  return std::make_unique<Near>();
}

} // namespace gputest::simulator
