// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory: allocations, copies and symbols.
#include "cuda/runtime/call.h"
#include "cuda/runtime/order/host_faults.h"

#include <algorithm>
#include <cstring>

using namespace gputest::cuda;

namespace {

// Whether the kind of a copy agrees with where its pointers point.
cudaError_t wrong_direction(const State& state, const void* to, const void* from,
                            cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if ((to_device && !state.heap.find(to)) || (from_device && !state.heap.find(from)))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

// Tells the check HOST of work beyond the end of an allocation.
cudaError_t too_long(const State& state, const void* begin, std::size_t count, const char* what) {
  if (HostFaults* const faults = state.host_faults()) {
    const OperationPtr& current = state.order()->current();
    faults->does_not_fit(begin, count, what, current ? current->callers : Callers());
  }
  return cudaErrorInvalidValue;
}

cudaError_t copy(State& state, void* to, const void* from, std::size_t count, cudaMemcpyKind kind) {
  if (count == 0)
    return cudaSuccess;
  if (!to || !from)
    return cudaErrorInvalidValue;
  if (const cudaError_t error = wrong_direction(state, to, from, kind))
    return error;
  for (const void* const begin : {static_cast<const void*>(to), from})
    if (!state.heap.is_inside(begin, count))
      return too_long(state, begin, count, "a copy");
  std::memmove(state.place_of_host(to), state.place_of_host(from), count);
  state.copied(to, from, count);
  return cudaSuccess;
}

bool are_devices(std::initializer_list<int> numbers) {
  return std::ranges::all_of(numbers, [](int one) { return State::get().is_device(one); });
}

cudaError_t set(State& state, void* pointer, int value, std::size_t count) {
  if (count == 0)
    return cudaSuccess;
  if (!state.heap.find(pointer))
    return cudaErrorInvalidValue;
  if (!state.heap.is_inside(pointer, count))
    return too_long(state, pointer, count, "a memset");
  std::memset(state.place_of_host(pointer), value, count);
  state.written(pointer, count);
  return cudaSuccess;
}

std::byte* row(const void* begin, std::size_t pitch, std::size_t index) {
  return const_cast<std::byte*>(static_cast<const std::byte*>(begin)) + pitch * index;
}

cudaError_t copy_rows(State& state, void* to, std::size_t to_pitch, const void* from,
                      std::size_t from_pitch, std::size_t width, std::size_t height,
                      cudaMemcpyKind kind) {
  if (width > to_pitch || width > from_pitch)
    return cudaErrorInvalidPitchValue;
  const OpenPiece rows(state.reads);
  for (std::size_t i = 0; i < height; ++i)
    if (const cudaError_t error =
            copy(state, row(to, to_pitch, i), row(from, from_pitch, i), width, kind))
      return error;
  return cudaSuccess;
}

cudaError_t allocate(void** pointer, std::size_t size, MemoryKind kind, unsigned flags = 0) {
  if (const cudaError_t error = end_captures_by(Unsafe::Memory))
    return error;
  return call([&](State& state) {
    if (!pointer)
      return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (size == 0)
      return cudaSuccess;
    const std::uint64_t address = state.allocate(size, kind, flags);
    if (address == 0)
      return cudaErrorMemoryAllocation;
    *pointer = reinterpret_cast<void*>(address);
    if (HostFaults* const faults = state.host_faults())
      faults->allocated(address);
    return cudaSuccess;
  });
}

cudaError_t release(void* pointer, bool host) {
  if (const cudaError_t error = end_captures_by(Unsafe::Memory))
    return error;
  wait_for_device();
  return call([&](State& state) {
    state.flush();
    if (!pointer)
      return cudaSuccess;
    bool is_of_graph = false;
    if (const cudaError_t error = free_graph_memory(state, pointer, is_of_graph); is_of_graph)
      return error;
    const Allocation* const allocation = state.heap.find(pointer);
    if (!allocation || (allocation->kind == MemoryKind::Host) != host)
      return cudaErrorInvalidValue;
    return state.free(reinterpret_cast<std::uint64_t>(pointer)) ? cudaSuccess
                                                                : cudaErrorInvalidValue;
  });
}

// Synchronous calls print the output of kernels.
template <typename What> cudaError_t blocking(What&& what) {
  return blocking_call([&](State& state) {
    state.flush();
    return what(state);
  });
}

bool is_pageable(State& state, const void* pointer) {
  const auto* const at = static_cast<const std::byte*>(pointer);
  return !state.heap.find(pointer) &&
         std::ranges::none_of(state.host_ranges, [&](const HostRange& range) {
           return at >= range.host && at < range.host + range.size;
         });
}

// A copy reads pageable memory during the call, even if it is made later.
std::shared_ptr<std::vector<std::byte>> kept_bytes(const void* from, std::size_t count,
                                                   cudaStream_t stream) {
  State& state = State::get();
  const Lock lock(state.mutex);
  if (!from || count == 0 || capture_of(stream) || state.queue().performing() ||
      !state.queue().has_of(stream) || !is_pageable(state, from))
    return nullptr;
  const auto* const begin = static_cast<const std::byte*>(from);
  return std::make_shared<std::vector<std::byte>>(begin, begin + count);
}

// A copy to pageable memory is done when the call returns.
void wait_if_pageable(const void* to, cudaStream_t stream) {
  State& state = State::get();
  std::uint64_t item = 0;
  {
    const Lock lock(state.mutex);
    if (Order* const order = state.order(); order && order->last() && !capture_of(stream) &&
                                            !state.queue().performing() && is_pageable(state, to))
      order->host_waits(Clock(order->last()->done));
    if (!state.queue().empty() && !capture_of(stream) && is_pageable(state, to))
      item = state.queue().last();
  }
  if (item != 0)
    wait_until([=](const Queue& queue) { return !queue.has(item); });
}

cudaError_t copy_symbol(State& state, const void* symbol, void* other, std::size_t count,
                        std::size_t offset, cudaMemcpyKind kind, bool to_symbol) {
  const VariableInfo* const variable = state.variable(symbol);
  if (!variable)
    return cudaErrorInvalidSymbol;
  if (offset > variable->size || count > variable->size - offset) {
    if (HostFaults* const faults = state.host_faults())
      faults->does_not_fit(variable->size, offset, count);
    return cudaErrorInvalidValue;
  }
  void* const address = reinterpret_cast<void*>(variable->address + offset);
  return to_symbol ? copy(state, address, other, count, kind)
                   : copy(state, other, address, count, kind);
}

} // namespace

extern "C" {
cudaError_t cudaMalloc(void** pointer, size_t size) {
  return allocate(pointer, size, MemoryKind::Device);
}
cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags) {
  return flags == cudaMemAttachGlobal || flags == cudaMemAttachHost
             ? allocate(pointer, size, MemoryKind::Managed, flags)
             : State::get().report(cudaErrorInvalidValue);
}
cudaError_t cudaMallocHost(void** pointer, size_t size) {
  return allocate(pointer, size, MemoryKind::Host);
}
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags) {
  return flags <= (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined)
             ? allocate(pointer, size, MemoryKind::Host, flags)
             : State::get().report(cudaErrorInvalidValue);
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (!pitch)
    return State::get().report(cudaErrorInvalidValue);
  *pitch = (width + 511) / 512 * 512;
  return allocate(pointer, *pitch * height, MemoryKind::Device);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  if (!pointer)
    return State::get().report(cudaErrorInvalidValue);
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width,
                         extent.height * extent.depth);
}
cudaError_t cudaFree(void* pointer) {
  return release(pointer, false);
}
cudaError_t cudaFreeHost(void* pointer) {
  return release(pointer, true);
}
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int) {
  return call([&](State& state) {
    auto* const host = static_cast<std::byte*>(pointer);
    if (!pointer || size == 0)
      return cudaErrorInvalidValue;
    for (const HostRange& range : state.host_ranges)
      if (host < range.host + range.size && range.host < host + size)
        return cudaErrorHostMemoryAlreadyRegistered;
    const std::uint64_t device = state.allocate(size, MemoryKind::Host);
    if (device == 0)
      return cudaErrorMemoryAllocation;
    state.host_ranges.push_back(
        {.host = host, .size = size, .device = device, .of_device = State::device()});
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* pointer) {
  wait_for_device();
  return call([&](State& state) {
    const auto found =
        std::ranges::find(state.host_ranges, static_cast<std::byte*>(pointer), &HostRange::host);
    if (found == state.host_ranges.end())
      return cudaErrorHostMemoryNotRegistered;
    state.free(found->device);
    state.host_ranges.erase(found);
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
  return call_with({device}, [&](State& state) {
    if (state.heap.find(host)) {
      *device = host;
      return cudaSuccess;
    }
    if (const HostRange* const range = state.host_range_of(host)) {
      *device = reinterpret_cast<void*>(range->device_address(host));
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  return call([&](State& state) {
    const Allocation* const allocation = state.heap.find(host);
    if (!allocation || allocation->kind != MemoryKind::Host)
      return cudaErrorInvalidValue;
    *flags = allocation->flags | cudaHostAllocMapped; // as with unified addressing
    return cudaSuccess;
  });
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return call([&](State& state) {
    if (!free || !total)
      return cudaErrorInvalidValue;
    *total = kTotalMemory;
    *free = kTotalMemory - state.heap.used(State::device());
    return cudaSuccess;
  });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return call([&](State& state) {
    if (!attributes)
      return cudaErrorInvalidValue;
    *attributes = {};
    void* const plain = const_cast<void*>(pointer);
    if (const HostRange* const range = state.host_range_of(pointer)) {
      attributes->type =
          range->kind == MemoryKind::Host ? cudaMemoryTypeHost : cudaMemoryTypeManaged;
      attributes->device = range->of_device;
      attributes->devicePointer = attributes->hostPointer = plain;
      return cudaSuccess;
    }
    const Allocation* const allocation = state.heap.find(pointer);
    if (!allocation) {
      attributes->type = cudaMemoryTypeUnregistered;
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = plain;
      return cudaSuccess;
    }
    attributes->type = allocation->kind == MemoryKind::Device ? cudaMemoryTypeDevice
                       : allocation->kind == MemoryKind::Host ? cudaMemoryTypeHost
                                                              : cudaMemoryTypeManaged;
    attributes->device = allocation->device;
    attributes->devicePointer = plain;
    attributes->hostPointer = allocation->kind == MemoryKind::Device ? nullptr : plain;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  return blocking([&](State& state) { return copy(state, to, from, count, kind); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  const auto kept = kept_bytes(from, count, stream);
  const cudaError_t error = in_stream(stream, cudaGraphNodeTypeMemcpy, [=](State& state) {
    return copy(state, to, kept ? kept->data() : from, count, kind);
  });
  wait_if_pageable(to, stream);
  return error;
}
cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice, size_t count) {
  if (!are_devices({toDevice, fromDevice}))
    return State::get().report(cudaErrorInvalidDevice);
  return cudaMemcpy(to, from, count, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice,
                                size_t count, cudaStream_t stream) {
  if (!are_devices({toDevice, fromDevice}))
    return State::get().report(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(to, from, count, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return blocking([&](State& state) {
    return copy_rows(state, to, toPitch, from, fromPitch, width, height, kind);
  });
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  const cudaError_t error = in_stream(stream, cudaGraphNodeTypeMemcpy, [=](State& state) {
    return copy_rows(state, to, toPitch, from, fromPitch, width, height, kind);
  });
  wait_if_pageable(to, stream);
  return error;
}
cudaError_t cudaMemset(void* pointer, int value, size_t count) {
  return call([&](State& state) {
    state.flush();
    return host_has_set(pointer, cudaMemsetAsync(pointer, value, count, nullptr));
  });
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemset,
                   [=](State& state) { return set(state, pointer, value, count); });
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return host_has_set(pointer, cudaMemset2DAsync(pointer, pitch, value, width, height, nullptr));
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemset, [=](State& state) {
    for (std::size_t i = 0; i < height; ++i)
      if (const cudaError_t error = set(state, row(pointer, pitch, i), value, width))
        return error;
    return cudaSuccess;
  });
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return host_has_set(pointer.ptr, cudaMemset3DAsync(pointer, value, extent, nullptr));
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                              cudaStream_t stream) {
  if (const cudaError_t error = wrong_stream(stream))
    return State::get().report(error);
  for (std::size_t i = 0; i < extent.depth; ++i)
    if (const cudaError_t error =
            cudaMemset2DAsync(row(pointer.ptr, pointer.pitch * pointer.ysize, i), pointer.pitch,
                              value, extent.width, extent.height, stream))
      return error;
  return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  return blocking([&](State& state) {
    return copy_symbol(state, symbol, const_cast<void*>(from), count, offset, kind, true);
  });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemcpy, [=](State& state) {
    return copy_symbol(state, symbol, const_cast<void*>(from), count, offset, kind, true);
  });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset,
                                 cudaMemcpyKind kind) {
  return blocking(
      [&](State& state) { return copy_symbol(state, symbol, to, count, offset, kind, false); });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemcpy, [=](State& state) {
    return copy_symbol(state, symbol, to, count, offset, kind, false);
  });
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return call([&](State& state) {
    const VariableInfo* const variable = state.variable(symbol);
    if (!variable)
      return cudaErrorInvalidSymbol;
    if (!pointer)
      return cudaErrorInvalidValue;
    *pointer = reinterpret_cast<void*>(variable->address);
    return cudaSuccess;
  });
}
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return call([&](State& state) {
    const VariableInfo* const variable = state.variable(symbol);
    if (!variable)
      return cudaErrorInvalidSymbol;
    if (!size)
      return cudaErrorInvalidValue;
    *size = variable->size;
    return cudaSuccess;
  });
}
}
