// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory in the order of streams: pools and asynchronous allocations.
#include "cuda/runtime/call.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>

struct CUmemPoolHandle_st {
  gputest::cuda::Live<CUmemPoolHandle_st> live{};
  int device = 0;
  bool is_exportable = false;
  int file = -1; // of the process that has exported it
  std::map<int, std::uint64_t> attributes{{cudaMemPoolReuseFollowEventDependencies, 1},
                                          {cudaMemPoolReuseAllowOpportunistic, 1},
                                          {cudaMemPoolReuseAllowInternalDependencies, 1},
                                          {cudaMemPoolAttrReleaseThreshold, 0}};
  std::uint64_t used = 0, high = 0; // bytes
  std::map<void*, std::size_t> memory{};
};

using namespace gputest::cuda;

namespace {

struct Pools { // by the device
  std::map<int, CUmemPoolHandle_st> standard;
  std::map<int, cudaMemPool_t> current;
  std::map<void*, cudaMemPool_t> by_memory;
};
Pools& pools() {
  static auto* const all = new Pools; // NOLINT
  return *all;
}

cudaMemPool_t standard_of(int device) {
  return &pools().standard.try_emplace(device, CUmemPoolHandle_st{.device = device}).first->second;
}
cudaMemPool_t current_of(int device) {
  cudaMemPool_t& current = pools().current[device];
  return current ? current : current = standard_of(device);
}

cudaError_t allocate(void** pointer, std::size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return call([&](State& state) {
    if (!pointer || !is_live(pool) || pool->file >= 0) // an imported pool only has exported memory
      return cudaErrorInvalidValue;
    if (const cudaError_t error = wrong_stream(stream))
      return error;
    if (CUgraph_st* const graph = capture_of(stream)) {
      cudaMemAllocNodeParams params{};
      params.bytesize = size;
      CUgraphNode_st* node = nullptr;
      std::vector<cudaGraphNode_t>& last = record_of(stream)->last;
      if (const cudaError_t error = add_allocation(state, *graph, params, last, node))
        return error;
      last = {node};
      *pointer = params.dptr;
      return cudaSuccess;
    }
    const int device = State::device();
    State::choose_device(pool->device);
    const cudaError_t error = cudaMalloc(pointer, size);
    State::choose_device(device);
    if (error || !*pointer)
      return error;
    pool->memory[*pointer] = size;
    pool->used += size;
    pool->high = std::max(pool->high, pool->used);
    pools().by_memory[*pointer] = pool;
    if (Order* const order = state.order(); order && !state.queue().performing()) {
      const Doing doing(order, order->put(place_of(stream), "an allocation"));
      order->access(*pointer, size, true);
    }
    return cudaSuccess;
  });
}

void forget(void* pointer) {
  const auto found = pools().by_memory.find(pointer);
  if (found == pools().by_memory.end())
    return;
  found->second->used -= found->second->memory[pointer];
  found->second->memory.erase(pointer);
  pools().by_memory.erase(found);
}

cudaError_t wrong_pool(const void* pool, const cudaMemLocation* location,
                       cudaMemAllocationType type) {
  if (!pool || !location || location->type > cudaMemLocationTypeHostNuma ||
      (type != cudaMemAllocationTypePinned && type != cudaMemAllocationTypeManaged) ||
      (type == cudaMemAllocationTypePinned && location->type == cudaMemLocationTypeNone))
    return cudaErrorInvalidValue;
  return location->type == cudaMemLocationTypeDevice && type == cudaMemAllocationTypePinned
             ? cudaSuccess
             : cudaErrorNotSupported;
}

} // namespace

cudaMemPool_t gputest::cuda::pool_of(void* memory) {
  const auto found = pools().by_memory.find(memory);
  return found == pools().by_memory.end() ? nullptr : found->second;
}

extern "C" {
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return allocate(pointer, size, current_of(device_of(stream)), stream);
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return allocate(pointer, size, pool, stream);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (capture_of(stream))
    return in_stream(stream, cudaGraphNodeTypeMemFree, Work(FreeWork{pointer}));
  return in_stream(stream, cudaGraphNodeTypeMemFree, [=](State& state) {
    if (const Allocation* const freed = state.heap.find(pointer); freed && state.order())
      state.order()->access(pointer, freed->size, true);
    forget(pointer);
    return cudaFree(pointer);
  });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* props) {
  return call([&](State&) {
    if (!pool || !props || wrong_device(props->location.id))
      return cudaErrorInvalidValue;
    if (props->handleTypes != cudaMemHandleTypeNone &&
        props->handleTypes != cudaMemHandleTypePosixFileDescriptor)
      return cudaErrorNotSupported;
    *pool = new CUmemPoolHandle_st{.device = props->location.id,
                                   .is_exportable = props->handleTypes != cudaMemHandleTypeNone};
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call([&](State&) {
    if (!is_live(pool) || pool == standard_of(pool->device))
      return cudaErrorInvalidValue;
    std::erase_if(pools().current, [&](const auto& one) { return one.second == pool; });
    std::erase_if(pools().by_memory, [&](const auto& one) { return one.second == pool; });
    delete pool;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return call_with({pool}, [&](State&) { return cudaSuccess; });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call_with({pool, value}, [&](State&) {
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      pool->attributes[attribute] = static_cast<std::uint64_t>(*static_cast<int*>(value));
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      pool->attributes[attribute] = *static_cast<std::uint64_t*>(value);
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: // only high-water marks can be set
      if (*static_cast<std::uint64_t*>(value) != 0)
        return cudaErrorInvalidValue;
      pool->high = pool->used;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
    }
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call_with({pool, value}, [&](State&) {
    auto& bytes = *static_cast<std::uint64_t*>(value);
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      *static_cast<int*>(value) = static_cast<int>(pool->attributes[attribute]);
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      bytes = pool->attributes[attribute];
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      bytes = pool->used;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      bytes = pool->high;
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count) {
  return call_with({pool}, [&](State&) {
    if (count > 0 && !list)
      return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
      if (wrong_device(list[i].location.id))
        return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return call([&](State&) {
    if (!flags || !is_live(pool) || !location)
      return cudaErrorInvalidValue;
    *flags = cudaMemAccessFlagsProtReadWrite; // of all devices: peer access is not enforced
    return wrong_device(location->id);
  });
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call([&](State&) {
    if (!pool)
      return cudaErrorInvalidValue;
    if (!wrong_device(device))
      *pool = standard_of(device);
    return wrong_device(device);
  });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call_with({pool}, [&](State&) {
    if (!wrong_device(device))
      *pool = current_of(device);
    return wrong_device(device);
  });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call([&](State&) {
    if (wrong_device(device) || !is_live(pool))
      return wrong_device(device) ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    pools().current[device] = pool;
    return cudaSuccess;
  });
}
// Only pools of devices serve stream-ordered allocations.
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                                     cudaMemAllocationType type) {
  if (const cudaError_t error = wrong_pool(pool, location, type))
    return State::get().report(error);
  return cudaDeviceGetDefaultMemPool(pool, location->id);
}
cudaError_t cudaMemGetMemPool(cudaMemPool_t* pool, cudaMemLocation* location,
                              cudaMemAllocationType type) {
  if (const cudaError_t error = wrong_pool(pool, location, type))
    return State::get().report(error);
  return cudaDeviceGetMemPool(pool, location->id);
}
cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type,
                              cudaMemPool_t pool) {
  if (const cudaError_t error = wrong_pool(pool, location, type))
    return State::get().report(error);
  return cudaDeviceSetMemPool(location->id, pool);
}

// Other processes get a descriptor of the device's memory, and the offset of each allocation in it.
cudaError_t cudaMemPoolExportToShareableHandle(void* handle, cudaMemPool_t pool,
                                               cudaMemAllocationHandleType type,
                                               unsigned int flags) {
  return call([&](State& state) {
    if (!handle || !is_live(pool) || !pool->is_exportable || flags != 0 ||
        type != cudaMemHandleTypePosixFileDescriptor)
      return cudaErrorInvalidValue;
    const int file = ::fcntl(state.heap.descriptor(), F_DUPFD_CLOEXEC, 3);
    if (file < 0)
      return cudaErrorOperatingSystem;
    *static_cast<int*>(handle) = file;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* handle,
                                                 cudaMemAllocationHandleType type,
                                                 unsigned int flags) {
  return call([&](State&) {
    if (!pool || flags != 0 || type != cudaMemHandleTypePosixFileDescriptor)
      return cudaErrorInvalidValue;
    const int file =
        ::fcntl(static_cast<int>(reinterpret_cast<std::intptr_t>(handle)), F_DUPFD_CLOEXEC, 3);
    if (file < 0)
      return cudaErrorInvalidValue;
    *pool = new CUmemPoolHandle_st{.device = State::device(), .file = file};
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* data, void* pointer) {
  return call([&](State& state) {
    const auto found = pools().by_memory.find(pointer);
    const Allocation* const allocation = state.heap.find(pointer);
    if (!data || found == pools().by_memory.end() || !found->second->is_exportable)
      return cudaErrorInvalidValue;
    const std::uint64_t words[] = {Heap::offset_of(allocation->address), allocation->size};
    static_assert(sizeof words <= sizeof *data);
    std::memset(data, 0, sizeof *data);
    std::memcpy(data, words, sizeof words);
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool,
                                     cudaMemPoolPtrExportData* data) {
  return call([&](State& state) {
    std::uint64_t words[2];
    if (!pointer || !is_live(pool) || !data || pool->file < 0)
      return cudaErrorInvalidValue;
    std::memcpy(words, data, sizeof words);
    const std::uint64_t address = words[1] > 0 ? state.import(pool->file, words[0], words[1]) : 0;
    *pointer = reinterpret_cast<void*>(address);
    return address ? cudaSuccess : cudaErrorInvalidValue;
  });
}
}
