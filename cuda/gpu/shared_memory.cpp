// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/gpu/shared_memory.h"

#include "cuda/gpu/calls.h"
#include "cuda/gpu/ranges.h"
#include "cuda/gpu/reads.h"
#include "cuda/gpu/remote.h"
#include "cuda/gpu/server.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace gputest::cuda::gpu {
namespace {

constexpr std::size_t kReserved = std::size_t{1} << 30;
constexpr std::size_t kAtOnce = std::size_t{16} << 20; // the GPU gets memory in pieces of this size
constexpr std::size_t kAlignment = 256;

std::byte* reserved = nullptr;
std::size_t given = 0; // bytes that the server has given to the GPU, or the other process to the
                       // program

int give_to_gpu(std::size_t size) {
  int is_same_address = 0;
  int error = cudaDeviceGetAttribute(&is_same_address, kCanUseAddressOfRegistered, 0);
  if (error == kSuccess && !is_same_address)
    error = kErrorNotSupported;
  while (error == kSuccess && given < size) {
    error = cudaHostRegister(reserved + given, kAtOnce, kPortableAndMapped);
    given += kAtOnce;
  }
  return error;
}

int allocate_in_simulator(void** memory, std::size_t size) {
  return Server::get().keep(cudaHostAlloc(memory, size, kPortableAndMapped), memory, cudaFreeHost);
}

Ranges& in_simulator() {
  static auto* const ranges = new Ranges; // needed until the very end
  return *ranges;
}

// So far, only the server's mapping lets the host access the memory.
int open_in_simulator(void** memory, std::size_t size) {
  const int error = forward<allocate_in_simulator>(results(memory), size);
  if (error != kSuccess)
    return error;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(*memory);
  const std::uintptr_t begin = address / page * page;
  in_simulator().add(*memory, size);
  return ::mprotect(reinterpret_cast<void*>(begin), address + size - begin,
                    PROT_READ | PROT_WRITE) == 0
             ? kSuccess
             : kErrorMemoryAllocation;
}

} // namespace

bool reserve_shared_memory() {
  void* const memory = ::mmap(nullptr, kReserved, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  reserved = memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
  return reserved != nullptr;
}

int allocate_shared(void** memory, std::size_t size) {
  Call one_at_a_time;
  size = (std::max<std::size_t>(size, 1) + kAlignment - 1) / kAlignment * kAlignment;
  if (gputest_cuda_forget) // all forks already share the simulator's memory
    return open_in_simulator(memory, size);
  if (size > kReserved - given)
    refuse("very much pinned or managed memory");
  const int error = forward<give_to_gpu>(given + size);
  if (error == kErrorNotSupported)
    refuse("memory that both host and GPU access");
  if (error != kSuccess)
    return error;
  *memory = reserved + given;
  std::memset(*memory, 0, size); // may hold bytes of an earlier run
  given += size;
  return kSuccess;
}

bool is_shared(const void* pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto begin = reinterpret_cast<std::uintptr_t>(reserved);
  if (address >= begin && address - begin < given)
    return true;
  return in_simulator().has(pointer);
}

} // namespace gputest::cuda::gpu

using namespace gputest::cuda::gpu;

namespace {
int is_reached_as_it_is(void** device, void* host) {
  if (!is_shared(host))
    refuse("cudaHostGetDevicePointer");
  *device = host;
  return kSuccess;
}
int give_back(void*) {
  return kSuccess;
}
} // namespace

GPUTEST_WRAP_THEN(cudaMallocHost, (void** memory, std::size_t size), (memory, size),
                  allocate_shared(memory, size), Reads::get().shared(error, memory, size))
GPUTEST_WRAP_THEN(cudaHostAlloc, (void** memory, std::size_t size, unsigned flags),
                  (memory, size, flags), allocate_shared(memory, size),
                  Reads::get().shared(error, memory, size))
GPUTEST_WRAP_THEN(cudaMallocManaged, (void** memory, std::size_t size, unsigned flags),
                  (memory, size, flags), allocate_shared(memory, size),
                  Reads::get().shared(error, memory, size))
GPUTEST_WRAP_THEN(cudaFreeHost, (void* memory), (memory), give_back(memory),
                  (Reads::get().forget(memory), error))
GPUTEST_WRAP(cudaHostGetDevicePointer, (void** device, void* host, unsigned flags),
             (device, host, flags), is_reached_as_it_is(device, host))
