// The memory of the device that a CUDA program uses: its allocations, and what kernels allocate.
#pragma once

#include "simulator/checks/uninitialized.h"
#include "simulator/cuda/wire.h"
#include "simulator/execute/arena.h"
#include "templates/simulator/context.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gputest::simulator::cuda {

// Pages that no allocation has cannot be accessed.
class Device {
public:
  // `memory`: the descriptor. Throws SimulatorFailure.
  explicit Device(int memory);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  void allocate(std::uint64_t address, std::uint64_t size, const std::string& name);
  // Pages that are a part of another file, which another process has as well.
  void map(std::uint64_t begin, std::uint64_t size, const std::string& file, std::uint64_t offset);
  void free(std::uint64_t address);
  // The host may write this allocation at any time, without a word: it is pinned memory, or managed
  // memory.
  void share_with_host(std::uint64_t address) { of_host_.insert(address); }
  void manage(std::uint64_t address) { managed_.insert(address); }
  bool is_of_host(std::uint64_t address) const { return of_host_.contains(address); }
  // Whether there is an allocation of either kind at any address.
  bool is_written_by_host(std::uint64_t address) const;

  // The allocation that `address` is in; null: none.
  const Region* allocation(std::uint64_t address) const;
  const std::map<std::uint64_t, Region>& allocations() const { return allocations_; }

  // What a launch's context needs of it (templates/simulator/bounds.c).
  void describe(gputest_context& context) const;

  // Which bytes somebody has written, from the first call on. Memory that is there already counts
  // as written.
  void follow_definedness();
  void define(std::uint64_t address, std::uint64_t size);
  void copy_definedness(std::uint64_t to, std::uint64_t from, std::uint64_t size);

  // malloc and free of kernels: from the end of the memory; null: no more.
  void* kernel_malloc(std::uint64_t size);
  bool kernel_free(void* pointer); // false: it was not allocated
  std::uint64_t kernel_allocations() const { return kernel_allocations_; } // calls of both

  // An assertion that failed, or another reason why the kernel ends itself.
  struct End {
    std::uint64_t error = kNoError;
    std::string message;
  };
  End ended;

  // Grids that kernels have launched and that have not ended, with all that these launch.
  std::size_t pending_launches = 0;

private:
  void set_pages(std::uint64_t address, std::uint64_t size, std::uint32_t number);

  int memory_;
  std::map<std::uint64_t, Region> allocations_; // by address
  std::map<std::uint64_t, std::uint32_t> numbers_;
  // By number; 0: none. It never moves: kernels that run know where it is, and allocate.
  gputest_context::gputest_object* table_ = nullptr;
  std::uint32_t table_size_ = 1;
  std::vector<std::uint32_t> free_numbers_;
  std::uint32_t* pages_ = nullptr;
  std::uint64_t kernels_end_ = kDeviceMemory + kDeviceBytes;         // lowest that kernels have
  std::map<std::uint64_t, std::vector<std::uint64_t>> kernels_free_; // by bytes of pages
  std::set<std::uint64_t> of_host_, managed_;
  std::uint64_t kernel_allocations_ = 0;
  std::optional<DefinednessMemory> definedness_;
};

// Bytes at the end of device memory that kernels may allocate.
constexpr std::uint64_t kKernelHeap = std::uint64_t{1} << 30;

} // namespace gputest::simulator::cuda
