// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and copies (remote.h).
#include "cuda/gpu/remote_memory.h"

#include "cuda/gpu/ranges.h"
#include "cuda/gpu/reads.h"
#include "cuda/gpu/server.h"
#include "cuda/gpu/shared_memory.h"

namespace gputest::cuda::gpu {
namespace {

// In the server -----------------------------------------------------------------------------------

// Fills new memory with zeros, as in a new process. Otherwise a run could find results of an
// earlier run.
int make_zeros(void* memory, std::size_t size) {
  const int error = cudaMemset(memory, 0, size);
  return error != kSuccess ? error : cudaStreamSynchronize(nullptr);
}

int allocate(void** memory, std::size_t size) {
  const int error = make<cudaMalloc, cudaFree>(memory, size);
  return error != kSuccess || !*memory ? error : make_zeros(*memory, size);
}
int allocate_rows(void** memory, std::size_t* pitch, std::size_t width, std::size_t height) {
  const int error =
      Server::get().keep(cudaMallocPitch(memory, pitch, width, height), memory, cudaFree);
  return error != kSuccess || !*memory ? error : make_zeros(*memory, *pitch * height);
}
int allocate_in(void** memory, std::size_t size, void* stream) {
  const int error = Server::get().keep(cudaMallocAsync(memory, size, stream), memory, cudaFree);
  return error != kSuccess || !*memory ? error : cudaMemsetAsync(*memory, 0, size, stream);
}
int give_back_in(void* memory, void* stream) {
  Server::get().forget(memory);
  return cudaFreeAsync(memory, stream);
}

int reset_in_server() {
  return Server::get().reset();
}

// In the other process ----------------------------------------------------------------------------

Ranges& on_device() {
  static auto* const ranges = new Ranges; // needed until the very end
  return *ranges;
}

int known(int error, void* const* memory, std::size_t size) {
  if (error == kSuccess && memory)
    on_device().add(*memory, size);
  return error;
}
int forget(int error, void* memory) {
  on_device().remove(memory);
  return error;
}

int give_any_back(void* memory) {
  return is_shared(memory) ? kSuccess : forget(forward<release<cudaFree>>(memory), memory);
}

// Where an address of a copy is: in memory of this process only, in shared memory, or in the
// device's.
enum class Side { Here, Shared, Device };

Side side_of(const void* address, int kind, int kind_in_device) {
  if (is_shared(address))
    return Side::Shared;
  const bool is_device =
      kind == kByAddresses ? on_device().has(address) : kind == kInDevice || kind == kind_in_device;
  return is_device ? Side::Device : Side::Here;
}

// Copies a part in the server and waits for it, because the next part needs `bytes`.
int copy_rows(void* bytes, std::size_t width, std::size_t first, std::size_t count, bool to_device,
              void* device, std::size_t pitch, void* stream) {
  void* const rows = static_cast<std::byte*>(device) + first * pitch;
  int error = kSuccess;
  if (to_device)
    error = count == 1 || pitch == width
                ? cudaMemcpyAsync(rows, bytes, width * count, kToDevice, stream)
                : cudaMemcpy2DAsync(rows, pitch, bytes, width, width, count, kToDevice, stream);
  else
    error = count == 1 || pitch == width
                ? cudaMemcpyAsync(bytes, rows, width * count, kToHost, stream)
                : cudaMemcpy2DAsync(bytes, width, rows, pitch, width, count, kToHost, stream);
  return error != kSuccess ? error : cudaStreamSynchronize(stream);
}
int copy_variable(void* bytes, std::size_t width, std::size_t first, std::size_t count,
                  bool to_device, const void* symbol, std::size_t offset, void* stream) {
  const std::size_t at = offset + first * width, size = width * count;
  const int error = to_device ? cudaMemcpyToSymbolAsync(symbol, bytes, size, at, kToDevice, stream)
                              : cudaMemcpyFromSymbolAsync(bytes, symbol, size, at, kToHost, stream);
  return error != kSuccess ? error : cudaStreamSynchronize(stream);
}

struct Copy {
  void* to;
  std::size_t to_pitch;
  const void* from;
  std::size_t from_pitch, width, height;
  int kind;
  void* stream;
};

int in_server(const Copy& copy) {
  if (copy.to_pitch == copy.width && copy.from_pitch == copy.width)
    return forward<cudaMemcpyAsync>(copy.to, copy.from, copy.width * copy.height, kByAddresses,
                                    copy.stream);
  return forward<cudaMemcpy2DAsync>(copy.to, copy.to_pitch, copy.from, copy.from_pitch, copy.width,
                                    copy.height, kByAddresses, copy.stream);
}

int copy(const Copy& copy, bool waits) {
  const Side to = side_of(copy.to, copy.kind, kToDevice),
             from = side_of(copy.from, copy.kind, kToHost);
  const Rows source{bytes_at(copy.from), copy.width, copy.height, copy.from_pitch},
      target{bytes_at(copy.to), copy.width, copy.height, copy.to_pitch};
  if (from == Side::Here && to == Side::Device)
    return in_parts<copy_rows>(source, true, copy.to, copy.to_pitch, copy.stream);
  if (from == Side::Device && to == Side::Here)
    return in_parts<copy_rows>(target, false, const_cast<void*>(copy.from), copy.from_pitch,
                               copy.stream);
  if (from != Side::Here && to != Side::Here) {
    const int error = in_server(copy);
    return error == kSuccess && waits ? forward<cudaStreamSynchronize>(copy.stream) : error;
  }
  const int error = forward<cudaStreamSynchronize>(copy.stream);
  for (std::size_t i = 0; error == kSuccess && i < copy.height; ++i)
    std::memmove(target.row(i), source.row(i), copy.width);
  return error;
}
int copy(void* to, const void* from, std::size_t size, int kind, void* stream, bool waits) {
  return copy({to, 1, from, 1, 1, size, kind, stream}, waits);
}
int copy_to_variable(const void* symbol, const void* from, std::size_t size, std::size_t offset,
                     int kind, void* stream) {
  if (side_of(from, kind, kToHost) != Side::Here)
    return forward<cudaMemcpyToSymbolAsync>(symbol, from, size, offset, kByAddresses, stream);
  return in_parts<copy_variable>({bytes_at(from), 1, size, 1}, true, symbol, offset, stream);
}
int copy_from_variable(void* to, const void* symbol, std::size_t size, std::size_t offset, int kind,
                       void* stream) {
  if (side_of(to, kind, kToDevice) != Side::Here)
    return forward<cudaMemcpyFromSymbolAsync>(to, symbol, size, offset, kByAddresses, stream);
  return in_parts<copy_variable>({bytes_at(to), 1, size, 1}, false, symbol, offset, stream);
}

int address_of_variable(void** address, const void* symbol) {
  std::size_t size = 0;
  int error = forward<cudaGetSymbolAddress>(results(address), symbol);
  if (error == kSuccess)
    error = forward<cudaGetSymbolSize>(results(&size), symbol);
  return known(error, address, size);
}

// The rows of a copy of contiguous memory.
Rows bytes_of(void* to, std::size_t size) {
  return {bytes_at(to), size, 1, size};
}

int allocate_pitched(void** memory, std::size_t* pitch, std::size_t width, std::size_t height) {
  const int error = forward<allocate_rows>(results(memory, pitch), width, height);
  return known(error, memory, error == kSuccess ? *pitch * height : 0);
}

} // namespace

bool is_here(const void* address, int kind, int kind_in_device) {
  return side_of(address, kind, kind_in_device) == Side::Here;
}

int reset_device() {
  return forward<reset_in_server>();
}

} // namespace gputest::cuda::gpu

using namespace gputest::cuda::gpu;

GPUTEST_WRAP(cudaMalloc, (void** memory, std::size_t size), (memory, size),
             known(forward<allocate>(results(memory), size), memory, size))
GPUTEST_WRAP(cudaMallocPitch,
             (void** memory, std::size_t* pitch, std::size_t width, std::size_t height),
             (memory, pitch, width, height), allocate_pitched(memory, pitch, width, height))
GPUTEST_WRAP(cudaMallocAsync, (void** memory, std::size_t size, void* stream),
             (memory, size, stream),
             known(forward<allocate_in>(results(memory), size, stream), memory, size))
GPUTEST_WRAP_THEN(cudaFree, (void* memory), (memory), give_any_back(memory),
                  (Reads::get().forget(memory), error))
GPUTEST_WRAP(cudaFreeAsync, (void* memory, void* stream), (memory, stream),
             forget(forward<give_back_in>(memory, stream), memory))
GPUTEST_WRAP(cudaMemGetInfo, (std::size_t* free, std::size_t* total), (free, total),
             forward<__real_cudaMemGetInfo>(results(free, total)))

GPUTEST_WRAP_VALUES(cudaMemset, (void* memory, int value, std::size_t size), (memory, value, size),
                    memory, value, size)
GPUTEST_WRAP_VALUES(cudaMemsetAsync, (void* memory, int value, std::size_t size, void* stream),
                    (memory, value, size, stream), memory, value, size, stream)
GPUTEST_WRAP_VALUES(cudaMemset2D,
                    (void* memory, std::size_t pitch, int value, std::size_t width,
                     std::size_t height),
                    (memory, pitch, value, width, height), memory, pitch, value, width, height)
GPUTEST_WRAP_THEN(cudaMemcpy, (void* to, const void* from, std::size_t size, int kind),
                  (to, from, size, kind), copy(to, from, size, kind, nullptr, true),
                  Reads::get().copied(error, bytes_of(to, size), from, kind, true))
GPUTEST_WRAP_THEN(cudaMemcpyAsync,
                  (void* to, const void* from, std::size_t size, int kind, void* stream),
                  (to, from, size, kind, stream), copy(to, from, size, kind, stream, false),
                  Reads::get().copied(error, bytes_of(to, size), from, kind, false))
GPUTEST_WRAP_THEN(cudaMemcpy2D,
                  (void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                   std::size_t width, std::size_t height, int kind),
                  (to, to_pitch, from, from_pitch, width, height, kind),
                  copy({to, to_pitch, from, from_pitch, width, height, kind, nullptr}, true),
                  Reads::get().copied(error, {bytes_at(to), width, height, to_pitch}, from, kind,
                                      true))
GPUTEST_WRAP_THEN(cudaMemcpy2DAsync,
                  (void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                   std::size_t width, std::size_t height, int kind, void* stream),
                  (to, to_pitch, from, from_pitch, width, height, kind, stream),
                  copy({to, to_pitch, from, from_pitch, width, height, kind, stream}, false),
                  Reads::get().copied(error, {bytes_at(to), width, height, to_pitch}, from, kind,
                                      false))
GPUTEST_WRAP(cudaMemcpyToSymbol,
             (const void* symbol, const void* from, std::size_t size, std::size_t offset, int kind),
             (symbol, from, size, offset, kind),
             copy_to_variable(symbol, from, size, offset, kind, nullptr))
GPUTEST_WRAP(cudaMemcpyToSymbolAsync,
             (const void* symbol, const void* from, std::size_t size, std::size_t offset, int kind,
              void* stream),
             (symbol, from, size, offset, kind, stream),
             copy_to_variable(symbol, from, size, offset, kind, stream))
GPUTEST_WRAP_THEN(cudaMemcpyFromSymbol,
                  (void* to, const void* symbol, std::size_t size, std::size_t offset, int kind),
                  (to, symbol, size, offset, kind),
                  copy_from_variable(to, symbol, size, offset, kind, nullptr),
                  Reads::get().copied(error, bytes_of(to, size), nullptr, kind, true))
GPUTEST_WRAP_THEN(cudaMemcpyFromSymbolAsync,
                  (void* to, const void* symbol, std::size_t size, std::size_t offset, int kind,
                   void* stream),
                  (to, symbol, size, offset, kind, stream),
                  copy_from_variable(to, symbol, size, offset, kind, stream),
                  Reads::get().copied(error, bytes_of(to, size), nullptr, kind, false))
GPUTEST_WRAP(cudaGetSymbolSize, (std::size_t* size, const void* symbol), (size, symbol),
             forward<__real_cudaGetSymbolSize>(results(size), symbol))
GPUTEST_WRAP(cudaGetSymbolAddress, (void** address, const void* symbol), (address, symbol),
             address_of_variable(address, symbol))
