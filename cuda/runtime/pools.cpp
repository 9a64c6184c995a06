// Memory in the order of streams: pools and asynchronous allocations.
#include "cuda/runtime/call.h"

#include <algorithm>

struct CUmemPoolHandle_st {
  std::map<int, std::uint64_t> attributes{{cudaMemPoolReuseFollowEventDependencies, 1},
                                          {cudaMemPoolReuseAllowOpportunistic, 1},
                                          {cudaMemPoolReuseAllowInternalDependencies, 1},
                                          {cudaMemPoolAttrReleaseThreshold, 0}};
  std::uint64_t used = 0, high = 0; // bytes
  std::map<void*, std::size_t> memory{};
};

using namespace gputest::cuda;

namespace {

struct Pools {
  CUmemPoolHandle_st standard;
  cudaMemPool_t current = &standard;
  std::map<void*, cudaMemPool_t> by_memory;
};
Pools& pools() {
  static auto* const all = new Pools; // NOLINT
  return *all;
}

cudaError_t allocate(void** pointer, std::size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return call([&](State& state) {
    if (!pointer || !pool)
      return cudaErrorInvalidValue;
    if (CUgraph_st* const graph = capture_of(stream)) {
      cudaMemAllocNodeParams params{};
      params.bytesize = size;
      CUgraphNode_st* node = nullptr;
      if (const cudaError_t error = add_allocation(state, *graph, params, stream->last, node))
        return error;
      stream->last = {node};
      *pointer = params.dptr;
      return cudaSuccess;
    }
    if (const cudaError_t error = cudaMalloc(pointer, size); error || !*pointer)
      return error;
    pool->memory[*pointer] = size;
    pool->used += size;
    pool->high = std::max(pool->high, pool->used);
    pools().by_memory[*pointer] = pool;
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

} // namespace

extern "C" {
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return allocate(pointer, size, pools().current, stream);
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return allocate(pointer, size, pool, stream);
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (capture_of(stream))
    return in_stream(stream, cudaGraphNodeTypeMemFree, Work(FreeWork{pointer}));
  return call([&](State&) {
    forget(pointer);
    return cudaFree(pointer);
  });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* props) {
  return call([&](State&) {
    if (!pool || !props || props->location.id != 0)
      return cudaErrorInvalidValue;
    if (props->handleTypes != cudaMemHandleTypeNone) // nobody else can be given it
      return cudaErrorNotSupported;
    *pool = new CUmemPoolHandle_st;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call([&](State&) {
    if (!pool || pool == &pools().standard)
      return cudaErrorInvalidValue;
    if (pools().current == pool)
      pools().current = &pools().standard;
    std::erase_if(pools().by_memory, [&](const auto& one) { return one.second == pool; });
    delete pool;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return call([&](State&) { return pool ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call([&](State&) {
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
    case cudaMemPoolAttrUsedMemHigh: // they can be reset alone
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
  return call([&](State&) {
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
  return call([&](State&) {
    for (size_t i = 0; i < count; ++i)
      if (list[i].location.id != 0) // there is one device
        return cudaErrorInvalidDevice;
    return pool ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t, cudaMemLocation*) {
  *flags = cudaMemAccessFlagsProtReadWrite;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call([&](State&) {
    *pool = &pools().standard;
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
  });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call([&](State&) {
    *pool = pools().current;
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
  });
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call([&](State&) {
    if (device != 0 || !pool)
      return device != 0 ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    pools().current = pool;
    return cudaSuccess;
  });
}
}
