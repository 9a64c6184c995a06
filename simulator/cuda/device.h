// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device memory of a CUDA program: its allocations, and those of kernels.
#pragma once

#include "simulator/checks/definedness_memory.h"
#include "simulator/cuda/wire.h"
#include "simulator/memory/arena.h"
#include "simulator/natives/cuda.h"
#include "templates/simulator/context.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::simulator::cuda {

// Pages outside of allocations cannot be accessed.
class Device final : public KernelHost {
public:
  // `memory`: the descriptor of the memory. Throws SimulatorFailure.
  explicit Device(int memory);
  ~Device();

  // Uses a copy of the memory. Throws SimulatorFailure.
  void move_to(int memory);

  // `constant`: kernels must not write it (__constant__).
  void allocate(std::uint64_t address, std::uint64_t size, const std::string& name,
                bool constant = false);
  // Maps pages of another file, which another process also uses.
  void map(std::uint64_t begin, std::uint64_t size, const std::string& file, std::uint64_t offset);
  void free(std::uint64_t address);
  // Mark an allocation as pinned or managed memory, which the host may write at any time without
  // notice.
  void share_with_host(std::uint64_t address) { of_host_.insert(address); }
  void manage(std::uint64_t address) { managed_.insert(address); }
  bool is_of_host(std::uint64_t address) const { return of_host_.contains(address); }
  // Whether the address is in an allocation of either kind.
  bool is_written_by_host(std::uint64_t address) const;

  // Returns the allocation that contains `address`; null: none.
  const Region* allocation(std::uint64_t address) const;
  // GPUs pad allocations to kPadding bytes. If `address` is in what would be such padding, makes it
  // accessible until close_padding(), and returns the allocation; else null. Allocates no memory.
  static constexpr std::size_t kMostOpen = 16; // at once; no more are made accessible
  const Region* open_padding(std::uint64_t address);
  void close_padding();

  const std::map<std::uint64_t, Region>& allocations() const { return allocations_; }

  // Sets the context's words for device memory (templates/simulator/bounds.c).
  void describe(gputest_context& context) const;

  // Tracks which bytes are initialized, from the first call on. Existing memory counts as
  // initialized.
  void follow_definedness();
  void define(std::uint64_t address, std::uint64_t size);
  // Returns the address of the first uninitialized byte; 0: there is none.
  std::uint64_t first_unwritten(std::uint64_t address, std::uint64_t size) const;
  void copy_definedness(std::uint64_t to, std::uint64_t from, std::uint64_t size);

  // At the end of the memory. What a launch has freed is used again when it has ended, or when the
  // heap is full. So checks, which remember who has accessed an address, see other memory.
  void begin_launch();
  void* kernel_malloc(std::uint64_t size, std::uint64_t alignment) override;
  bool kernel_free(void* pointer) override;
  bool is_allocated(std::uint64_t address) const override { return allocation(address); }
  std::uint64_t kernel_allocations() const {
    return kernel_allocations_;
  } // the number of calls of
    // both

private:
  void map_memory(int flags) const;
  static void open_pages(std::uint64_t address, std::uint64_t size);
  void set_pages(std::uint64_t address, std::uint64_t size, std::uint32_t number);

  int memory_;
  std::map<std::uint64_t, Region> allocations_; // by address
  std::map<std::uint64_t, std::uint32_t> numbers_;
  // By number; 0: none. The table never moves, because running kernels know its address and
  // allocate.
  gputest_context::gputest_object* table_ = nullptr;
  std::uint32_t table_size_ = 1;
  std::vector<std::uint32_t> free_numbers_;
  std::uint32_t* pages_ = nullptr;
  std::uint64_t kernels_end_ = kDeviceMemory + kDeviceBytes; // the lowest address of
                                                             // kernels' allocations
  // Free addresses by size in bytes: at the launch's begin, and since then.
  std::map<std::uint64_t, std::vector<std::uint64_t>> kernels_free_, kernels_freed_;
  std::set<std::uint64_t> of_host_, managed_;
  std::uint64_t kernel_allocations_ = 0;
  std::array<std::uint64_t, kMostOpen> open_{}; // pages
  std::size_t open_count_ = 0;
  std::optional<DefinednessMemory> definedness_;
};

// An allocation that fills its last part of this size is followed by another one.
constexpr std::uint64_t kPadding = 512;

// Bytes at the end of device memory that kernels may allocate.
constexpr std::uint64_t kKernelHeap = std::uint64_t{1} << 30;

} // namespace gputest::simulator::cuda
