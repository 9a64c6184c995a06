// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory functions of the driver API that differ from the runtime API's.
#include "cuda/libcuda/libcuda.h"
#include "cuda/runtime/arrays.h"

#include <algorithm>
#include <cstring>

using namespace gputest::cuda;

namespace {

struct Side {
  cudaArray_t array = nullptr;
  cudaPos pos{};
  cudaPitchedPtr pointer{};
};

Side side_of(CUmemorytype type, const void* host, CUdeviceptr device, CUarray array, cudaPos pos,
             std::size_t pitch, std::size_t height, std::size_t unit) {
  Side side{.array = array, .pos = {pos.x / unit, pos.y, pos.z}};
  if (!array) {
    void* const begin = type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : at(device);
    side.pointer = {.ptr = static_cast<std::byte*>(begin) + pos.x % unit,
                    .pitch = pitch,
                    .xsize = pitch,
                    .ysize = height};
  }
  return side;
}

CUresult copy(const CUDA_MEMCPY3D& p, bool waits, CUstream stream) {
  return driver_call([&] {
    cudaMemcpy3DParms parameters{};
    if (const cudaError_t error = parameters_of(p, parameters))
      return error;
    return waits ? cudaMemcpy3D(&parameters) : cudaMemcpy3DAsync(&parameters, stream);
  });
}

CUresult copy_2d(const CUDA_MEMCPY2D& p, bool waits, CUstream stream) {
  CUDA_MEMCPY3D same;
  std::memset(&same, 0, sizeof same);
  same.srcXInBytes = p.srcXInBytes;
  same.srcY = p.srcY;
  same.srcMemoryType = p.srcMemoryType;
  same.srcHost = p.srcHost;
  same.srcDevice = p.srcDevice;
  same.srcArray = p.srcArray;
  same.srcPitch = p.srcPitch;
  same.dstXInBytes = p.dstXInBytes;
  same.dstY = p.dstY;
  same.dstMemoryType = p.dstMemoryType;
  same.dstHost = p.dstHost;
  same.dstDevice = p.dstDevice;
  same.dstArray = p.dstArray;
  same.dstPitch = p.dstPitch;
  same.WidthInBytes = p.WidthInBytes;
  same.Height = p.Height;
  same.Depth = 1;
  return copy(same, waits, stream);
}

// `width` values in each of so many rows.
template <typename Value>
CUresult fill(CUdeviceptr to, std::size_t pitch, Value value, std::size_t width, std::size_t height,
              CUstream stream) {
  return driver_call([&] {
    if (to % sizeof value != 0)
      return cudaErrorInvalidValue;
    return in_stream(stream, cudaGraphNodeTypeMemset, [=](State& state) {
      for (std::size_t i = 0; i < height && width > 0; ++i) {
        const void* const row = at(to + i * pitch);
        const Allocation* const allocation = state.heap.find(row);
        const std::uint64_t begin = to + i * pitch;
        if (!allocation || width > (allocation->address + allocation->size - begin) / sizeof value)
          return cudaErrorInvalidValue;
        std::fill_n(reinterpret_cast<Value*>(state.place_of_host(row)), width, value);
        state.written(row, width * sizeof value);
      }
      return cudaSuccess;
    });
  });
}

template <typename Value>
CUresult fill_now(CUdeviceptr to, std::size_t pitch, Value value, std::size_t width,
                  std::size_t height) {
  const CUresult result = fill(to, pitch, value, width, height, nullptr);
  host_has_set(at(to), cudaSuccess);
  return result;
}

} // namespace

cudaError_t gputest::cuda::parameters_of(const CUDA_MEMCPY3D& p, cudaMemcpy3DParms& parameters) {
  const auto is_type = [](CUmemorytype type) {
    return type >= CU_MEMORYTYPE_HOST && type <= CU_MEMORYTYPE_UNIFIED;
  };
  if (!is_type(p.srcMemoryType) || !is_type(p.dstMemoryType))
    return cudaErrorInvalidValue;
  if ((p.srcMemoryType == CU_MEMORYTYPE_ARRAY && !p.srcArray) ||
      (p.dstMemoryType == CU_MEMORYTYPE_ARRAY && !p.dstArray))
    return cudaErrorInvalidResourceHandle;
  const auto or_width = [&](std::size_t pitch) { return pitch ? pitch : p.WidthInBytes; };
  const auto or_height = [&](std::size_t height) { return height ? height : p.Height; };
  const CUarray from_array = p.srcMemoryType == CU_MEMORYTYPE_ARRAY ? p.srcArray : nullptr;
  const CUarray to_array = p.dstMemoryType == CU_MEMORYTYPE_ARRAY ? p.dstArray : nullptr;
  const std::size_t unit = unit_of_copy(from_array, to_array);
  const Side from =
      side_of(p.srcMemoryType, p.srcHost, p.srcDevice, from_array, {p.srcXInBytes, p.srcY, p.srcZ},
              or_width(p.srcPitch), or_height(p.srcHeight), unit);
  const Side to =
      side_of(p.dstMemoryType, p.dstHost, p.dstDevice, to_array, {p.dstXInBytes, p.dstY, p.dstZ},
              or_width(p.dstPitch), or_height(p.dstHeight), unit);
  parameters = {.srcArray = from.array,
                .srcPos = from.pos,
                .srcPtr = from.pointer,
                .dstArray = to.array,
                .dstPos = to.pos,
                .dstPtr = to.pointer,
                .extent = {p.WidthInBytes / unit, p.Height, p.Depth},
                .kind = cudaMemcpyDefault};
  return cudaSuccess;
}

extern "C" {
CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t size) {
  return driver_call([&] {
    return size == 0 ? cudaErrorInvalidValue : cudaMalloc(reinterpret_cast<void**>(pointer), size);
  });
}
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* p) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  return copy_2d(*p, true, nullptr);
}
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* p) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  return copy_2d(*p, true, nullptr);
}
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* p, CUstream stream) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  return copy_2d(*p, false, stream);
}
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* p) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  return copy(*p, true, nullptr);
}
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* p, CUstream stream) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  return copy(*p, false, stream);
}
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* p) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  return copy(as<CUDA_MEMCPY3D>(*p), true, nullptr);
}
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* p, CUstream stream) {
  if (!p)
    return CUDA_ERROR_INVALID_VALUE;
  return copy(as<CUDA_MEMCPY3D>(*p), false, stream);
}
CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill_now(to, 0, value, count, 1);
}
CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill_now(to, 0, value, count, 1);
}
CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned int value, size_t count) {
  return fill_now(to, 0, value, count, 1);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill(to, 0, value, count, 1, stream);
}
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill(to, 0, value, count, 1, stream);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
  return fill(to, 0, value, count, 1, stream);
}
CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                         size_t height) {
  return fill_now(to, pitch, value, width, height);
}
CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                          size_t height) {
  return fill_now(to, pitch, value, width, height);
}
CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned int value, size_t width,
                          size_t height) {
  return fill_now(to, pitch, value, width, height);
}
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream) {
  return fill(to, pitch, value, width, height, stream);
}
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream) {
  return fill(to, pitch, value, width, height, stream);
}
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value, size_t width,
                            size_t height, CUstream stream) {
  return fill(to, pitch, value, width, height, stream);
}
}
