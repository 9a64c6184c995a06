// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/gpu/reads.h"

#include "cuda/gpu/calls.h"
#include "cuda/gpu/shared_memory.h"

#include <utility>

namespace gputest::cuda::gpu {
namespace {

// Memory of the device is Device also for a process whose calls a server makes. Shared: pinned and
// managed memory.
enum class Place { Pageable, Shared, Device };

Place place_of(const void* address) {
  if (is_remote())
    return is_shared(address)                             ? Place::Shared
           : is_here(address, kByAddresses, kByAddresses) ? Place::Pageable
                                                          : Place::Device;
  constexpr int kUnregistered = 0, kDevice = 2; // enum cudaMemoryType
  struct { // struct cudaPointerAttributes, which has more behind it in some versions
    int type;
    std::byte rest[252];
  } attributes{};
  if (cudaPointerGetAttributes(&attributes, address) != kSuccess) {
    cudaGetLastError(); // CUDA before 11, of pageable memory
    return Place::Pageable;
  }
  return attributes.type == kUnregistered ? Place::Pageable
         : attributes.type == kDevice     ? Place::Device
                                          : Place::Shared;
}

} // namespace

Reads& Reads::get() {
  static Reads* const reads = new Reads; // needed until the very end
  return *reads;
}

void Reads::stop() {
  stopped_ = true;
}

void Reads::add(const Rows& rows) {
  const OpenPiece piece(back_);
  for (std::size_t i = 0; i < rows.height; ++i)
    back_.add(rows.row(i), rows.width);
}

// A copy to pageable memory has ended when its call returns, whatever the function's name is.
int Reads::copied(int error, const Rows& to, const void* from, int kind, bool waits) {
  if (error != kSuccess || stopped_ || !back_.is_wanted())
    return error;
  const bool is_by_addresses = kind == kByAddresses;
  if (kind != kToHost && !is_by_addresses)
    return error;
  const Place place = place_of(to.first);
  if (is_by_addresses && (place == Place::Device || (from && place_of(from) != Place::Device)))
    return error;
  const std::lock_guard lock(mutex_);
  if (waits || place == Place::Pageable)
    add(to);
  else
    awaited_.push_back(to);
  return error;
}

int Reads::shared(int error, void* const* memory, std::size_t size) {
  const std::lock_guard lock(mutex_);
  if (error == kSuccess && !stopped_ && back_.is_wanted())
    shared_.push_back({static_cast<const std::byte*>(*memory), size});
  return error;
}

int Reads::synchronised(int error) {
  const std::lock_guard lock(mutex_);
  if (error != kSuccess || stopped_)
    return error;
  for (const Rows& rows : std::exchange(awaited_, {}))
    add(rows);
  for (const Bytes& bytes : shared_)
    back_.add(bytes.first, bytes.size);
  return error;
}

void Reads::forget(const void* memory) {
  const std::lock_guard lock(mutex_);
  std::erase_if(shared_, [&](const Bytes& bytes) { return bytes.first == memory; });
}

} // namespace gputest::cuda::gpu
