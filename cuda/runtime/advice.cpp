// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice about managed memory. It has no effect in the simulator, but programs can read it back.
#include "cuda/runtime/call.h"

#include <algorithm>

using namespace gputest::cuda;

namespace {

struct Advice {
  int read_mostly = 0;
  int preferred = cudaInvalidDeviceId, accessed_by = cudaInvalidDeviceId,
      prefetched = cudaInvalidDeviceId;
};
std::map<std::uint64_t, Advice>& advice() { // by the beginning of the allocation
  static auto* const all = new std::map<std::uint64_t, Advice>; // NOLINT
  return *all;
}

// Null: the pointer is not to managed memory.
Advice* advice_of(const State& state, const void* pointer, std::size_t count) {
  const Allocation* const allocation = state.heap.find(pointer);
  if (!allocation || allocation->kind != MemoryKind::Managed ||
      reinterpret_cast<std::uint64_t>(pointer) + count > allocation->address + allocation->size)
    return nullptr;
  return &advice()[allocation->address];
}

bool is_place(int device) {
  return State::get().is_device(device) || device == cudaCpuDeviceId;
}

cudaMemLocationType type_of(int place) {
  return place == cudaInvalidDeviceId ? cudaMemLocationTypeInvalid
         : place == cudaCpuDeviceId   ? cudaMemLocationTypeHost
                                      : cudaMemLocationTypeDevice;
}

} // namespace

extern "C" {
cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise what, int device) {
  return call([&](State& state) {
    Advice* const known = advice_of(state, pointer, count);
    if (!known)
      return cudaErrorInvalidValue;
    const bool of_place = what != cudaMemAdviseSetReadMostly &&
                          what != cudaMemAdviseUnsetReadMostly &&
                          what != cudaMemAdviseUnsetPreferredLocation;
    if (of_place && !is_place(device))
      return cudaErrorInvalidDevice;
    switch (what) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      known->read_mostly = what == cudaMemAdviseSetReadMostly;
      return cudaSuccess;
    case cudaMemAdviseSetPreferredLocation:
    case cudaMemAdviseUnsetPreferredLocation:
      known->preferred = what == cudaMemAdviseSetPreferredLocation ? device : cudaInvalidDeviceId;
      return cudaSuccess;
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy:
      known->accessed_by = what == cudaMemAdviseSetAccessedBy ? device : cudaInvalidDeviceId;
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device, cudaStream_t) {
  return call([&](State& state) {
    Advice* const known = advice_of(state, pointer, count);
    if (!known || !is_place(device))
      return known ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    known->prefetched = device;
    return cudaSuccess;
  });
}
cudaError_t cudaMemRangeGetAttribute(void* data, size_t size, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t count) {
  return call([&](State& state) {
    const Advice* const known = advice_of(state, pointer, count);
    if (!known || !data || size < sizeof(int))
      return cudaErrorInvalidValue;
    int* const values = static_cast<int*>(data);
    switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *values = known->read_mostly;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
      *values = known->preferred;
      return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy:
      for (size_t i = 0; i < size / sizeof(int); ++i)
        values[i] = i == 0 ? known->accessed_by : cudaInvalidDeviceId;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
      *values = known->prefetched;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationType:
      *values = type_of(known->preferred);
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocationId:
      *values = std::max(known->preferred, 0);
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationType:
      *values = type_of(known->prefetched);
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocationId:
      *values = std::max(known->prefetched, 0);
      return cudaSuccess;
    }
    return cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* sizes, cudaMemRangeAttribute* attributes,
                                      size_t how_many, const void* pointer, size_t count) {
  if (how_many > 0 && (!data || !sizes || !attributes))
    return State::get().report(cudaErrorInvalidValue);
  for (size_t i = 0; i < how_many; ++i)
    if (const cudaError_t error =
            cudaMemRangeGetAttribute(data[i], sizes[i], attributes[i], pointer, count))
      return error;
  return cudaSuccess;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, size_t, unsigned int) {
  return call([&](State& state) {
    return advice_of(state, pointer, 0) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
}
