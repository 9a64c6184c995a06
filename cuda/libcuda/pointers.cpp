// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of pointers.
#include "cuda/libcuda/libcuda.h"

using namespace gputest::cuda;

namespace {

// Allocations with CU_POINTER_ATTRIBUTE_SYNC_MEMOPS. Here, copies always wait.
std::set<std::uint64_t>& synchronous() {
  static auto* const all = new std::set<std::uint64_t>; // NOLINT
  return *all;
}

template <typename T> CUresult give(void* to, T value) {
  *static_cast<T*>(to) = value;
  return CUDA_SUCCESS;
}

// `to` is not null.
CUresult attribute_of(const Allocation& allocation, CUpointer_attribute attribute,
                      CUdeviceptr pointer, void* to) {
  const bool is_device = allocation.kind == MemoryKind::Device;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    return cuCtxGetCurrent(static_cast<CUcontext*>(to));
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    return give(to,
                allocation.kind == MemoryKind::Host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    return give(to, pointer);
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    give(to, is_device ? nullptr : at(pointer));
    return is_device ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    return give(to, static_cast<unsigned>(synchronous().contains(allocation.id)));
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    return give(to, static_cast<unsigned long long>(allocation.id));
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    return give(to, static_cast<unsigned>(allocation.kind == MemoryKind::Managed));
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    return give(to, allocation.device);
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    return give(to, static_cast<unsigned>(is_device && !allocation.placed && !allocation.shared));
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    return give(to, static_cast<CUdeviceptr>(allocation.address));
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    return give(to, allocation.size);
  case CU_POINTER_ATTRIBUTE_MAPPED:
    return give(to, 1U);
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    return give(to, static_cast<unsigned long long>(CU_MEM_HANDLE_TYPE_NONE));
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    return give(to, 0U);
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    return give(to, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    return give(to, pool_of(at(pointer)));
  case CU_POINTER_ATTRIBUTE_P2P_TOKENS: // obsolete: older than peer access
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

// The attributes of a pointer that is not to memory of the device.
CUresult attribute_of_none(CUpointer_attribute attribute, void* to) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    return give(to, static_cast<void*>(nullptr));
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_MAPPED:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    return give(to, 0U);
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    return give(to, cudaInvalidDeviceId);
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
  case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    return give(to, 0ULL);
  case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

} // namespace

extern "C" {
CUresult cuMemGetAddressRange_v2(CUdeviceptr* begin, size_t* size, CUdeviceptr pointer) {
  return driver_call([&] {
    const Allocation* const allocation = State::get().heap.find(at(pointer));
    if (!allocation)
      return CUDA_ERROR_NOT_FOUND;
    if (begin)
      *begin = allocation->address;
    if (size)
      *size = allocation->size;
    return CUDA_SUCCESS;
  });
}
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  return driver_call([&] {
    const Allocation* const allocation = State::get().heap.find(at(pointer));
    return allocation && value ? attribute_of(*allocation, attribute, pointer, value)
                               : CUDA_ERROR_INVALID_VALUE;
  });
}
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** values,
                                CUdeviceptr pointer) {
  return driver_call([&] {
    if (count == 0 || !attributes || !values)
      return CUDA_ERROR_INVALID_VALUE;
    const Allocation* const allocation = State::get().heap.find(at(pointer));
    for (unsigned i = 0; i < count; ++i) {
      if (!values[i])
        return CUDA_ERROR_INVALID_VALUE;
      const bool has_none = attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER && allocation &&
                            allocation->kind == MemoryKind::Device;
      const CUresult error = allocation && !has_none
                                 ? attribute_of(*allocation, attributes[i], pointer, values[i])
                                 : attribute_of_none(attributes[i], values[i]);
      if (error)
        return error;
    }
    return CUDA_SUCCESS;
  });
}
CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                               CUdeviceptr pointer) {
  return driver_call([&] {
    const Allocation* const allocation = State::get().heap.find(at(pointer));
    if (!value || !allocation || allocation->kind != MemoryKind::Device ||
        attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS)
      return CUDA_ERROR_INVALID_VALUE;
    if (*static_cast<const unsigned*>(value))
      synchronous().insert(allocation->id);
    else
      synchronous().erase(allocation->id);
    return CUDA_SUCCESS;
  });
}
}
