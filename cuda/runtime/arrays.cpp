// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/runtime/arrays.h"

#include "cuda/runtime/call.h"
#include "cuda/runtime/order/host_faults.h"

#include <algorithm>
#include <cstring>

namespace gputest::cuda {

std::size_t texel_size(const cudaChannelFormatDesc& desc) {
  return static_cast<std::size_t>(desc.x + desc.y + desc.z + desc.w) / 8;
}

std::size_t unit_of_copy(const cudaArray* from, const cudaArray* to) {
  const cudaArray* const counts = from ? from : to;
  return counts ? texel_size(counts->desc) : 1;
}

__gputest_texture texture_of(const cudaArray& array) {
  __gputest_texture texture;
  std::memset(&texture, 0, sizeof texture);
  texture.data = reinterpret_cast<unsigned char*>(array.address);
  texture.width = array.extent.width;
  texture.height = array.extent.height;
  texture.depth = array.extent.depth;
  texture.pitch = array.pitch;
  texture.slice = array.slice;
  texture.format = array.desc;
  texture.layered = (array.flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  return texture;
}

} // namespace gputest::cuda

using namespace gputest::cuda;

namespace {

std::size_t rows_of(const cudaArray& array) {
  return std::max<std::size_t>(array.extent.height, 1);
}

std::byte* place(const cudaArray& array, std::size_t x_bytes, std::size_t y, std::size_t z) {
  return reinterpret_cast<std::byte*>(array.address) + z * array.slice + y * array.pitch + x_bytes;
}

// Converts addresses between numbers and pointers.
cudaError_t copy_row(State& state, std::byte* to, const std::byte* from, std::size_t width) {
  if (!state.heap.is_inside(to, width) || !state.heap.is_inside(from, width))
    return cudaErrorInvalidValue;
  std::memmove(state.place_of_host(to), state.place_of_host(from), width);
  state.copied(to, from, width);
  return cudaSuccess;
}

cudaError_t copy_array(State& state, const cudaArray* there, std::size_t x, std::size_t y,
                       void* other, std::size_t pitch, std::size_t width, std::size_t height,
                       bool to_array) {
  if (!is_live(there))
    return cudaErrorInvalidResourceHandle;
  if (!other)
    return cudaErrorInvalidValue;
  const cudaArray& array = *there;
  const std::size_t row = array.extent.width * texel_size(array.desc);
  if (width > row || x > row - width || y + height > rows_of(array))
    return cudaErrorInvalidValue;
  const OpenPiece rows(state.reads);
  for (std::size_t i = 0; i < height; ++i) {
    std::byte* const inside = place(array, x, y + i, 0);
    std::byte* const outside = static_cast<std::byte*>(other) + i * pitch;
    if (const cudaError_t error = to_array ? copy_row(state, inside, outside, width)
                                           : copy_row(state, outside, inside, width))
      return error;
  }
  return cudaSuccess;
}

// One side of cudaMemcpy3D.
struct Side {
  cudaArray_t array;
  cudaPos pos;
  cudaPitchedPtr pointer;
  std::size_t unit; // unit_of_copy()

  // Whether a box of so many bytes, rows and slices lies in it.
  bool has(std::size_t width, std::size_t height, std::size_t depth) const {
    const std::size_t end = pos.x * unit + width;
    if (array)
      return end <= array->extent.width * texel_size(array->desc) &&
             pos.y + height <= rows_of(*array) &&
             pos.z + depth <= std::max<std::size_t>(array->extent.depth, 1);
    return pointer.ptr && ((height <= 1 && pointer.pitch == 0) || end <= pointer.pitch) &&
           (depth <= 1 || pos.y + height <= pointer.ysize);
  }
  std::byte* row(std::size_t y, std::size_t z) const {
    if (array)
      return place(*array, pos.x * unit, pos.y + y, pos.z + z);
    return static_cast<std::byte*>(pointer.ptr) +
           ((pos.z + z) * pointer.ysize + pos.y + y) * pointer.pitch + pos.x * unit;
  }
};

cudaError_t copy_3d(State& state, const cudaMemcpy3DParms& p) {
  for (const cudaArray_t array : {p.srcArray, p.dstArray})
    if (array && !is_live(array))
      return cudaErrorInvalidValue;
  const std::size_t unit = unit_of_copy(p.srcArray, p.dstArray);
  const Side to{p.dstArray, p.dstPos, p.dstPtr, unit}, from{p.srcArray, p.srcPos, p.srcPtr, unit};
  const std::size_t width = p.extent.width * unit;
  if (!to.has(width, p.extent.height, p.extent.depth) ||
      !from.has(width, p.extent.height, p.extent.depth))
    return cudaErrorInvalidValue;
  const OpenPiece rows(state.reads);
  for (std::size_t z = 0; z < p.extent.depth; ++z)
    for (std::size_t y = 0; y < p.extent.height; ++y)
      if (const cudaError_t error = copy_row(state, to.row(y, z), from.row(y, z), width))
        return error;
  return cudaSuccess;
}

// For questions about kinds of arrays that the device does not have.
cudaError_t of_no_array(const void* array) {
  return State::get().report(array ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
}

} // namespace

extern "C" {
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                              cudaExtent extent, unsigned int flags) {
  return call([&](State& state) {
    const std::size_t texel = array && desc ? texel_size(*desc) : 0;
    if (texel == 0 || extent.width == 0)
      return cudaErrorInvalidValue;
    if (flags & (cudaArraySparse | cudaArrayDeferredMapping)) // the device says that it has none
      return cudaErrorNotSupported;
    const std::size_t pitch = (extent.width * texel + 63) / 64 * 64;
    const std::size_t slice = pitch * std::max<std::size_t>(extent.height, 1);
    const std::uint64_t address =
        state.allocate(slice * std::max<std::size_t>(extent.depth, 1), MemoryKind::Device);
    if (address == 0)
      return cudaErrorMemoryAllocation;
    *array = new cudaArray{.desc = *desc,
                           .extent = extent,
                           .flags = flags,
                           .address = address,
                           .pitch = pitch,
                           .slice = slice};
    if (HostFaults* const faults = state.host_faults())
      faults->allocated(address);
    return cudaSuccess;
  });
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned int flags) {
  return cudaMalloc3DArray(array, desc, {width, height, 0}, flags);
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  return call([&](State& state) {
    if (array && !is_live(array))
      return cudaErrorInvalidResourceHandle;
    if (array) {
      state.free(array->address);
      delete array;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  if (!is_live(array))
    return State::get().report(cudaErrorInvalidResourceHandle);
  if (desc)
    *desc = array->desc;
  if (extent)
    *extent = array->extent;
  if (flags)
    *flags = array->flags;
  return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  if (!desc || !is_live(array))
    return State::get().report(cudaErrorInvalidValue);
  *desc = array->desc;
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind) {
  return blocking_call([&](State& state) {
    return copy_array(state, to, x, y, const_cast<void*>(from), pitch, width, height, true);
  });
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind,
                                     cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemcpy, [=](State& state) {
    return copy_array(state, to, x, y, const_cast<void*>(from), pitch, width, height, true);
  });
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind) {
  return blocking_call(
      [&](State& state) { return copy_array(state, from, x, y, to, pitch, width, height, false); });
}
// Copies `count` bytes row by row, from position (x, y) on.
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t count,
                              cudaMemcpyKind) {
  return blocking_call([&](State& state) {
    if (!is_live(to))
      return cudaErrorInvalidResourceHandle;
    const std::size_t row = to->extent.width * texel_size(to->desc);
    for (size_t done = 0; done < count;) {
      const size_t part = std::min(count - done, row - x);
      if (const cudaError_t error =
              copy_array(state, to, x, y, const_cast<char*>(static_cast<const char*>(from)) + done,
                         part, part, 1, true))
        return error;
      done += part;
      x = 0;
      ++y;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                cudaMemcpyKind) {
  return blocking_call([&](State& state) {
    if (!is_live(from))
      return cudaErrorInvalidResourceHandle;
    const std::size_t row = from->extent.width * texel_size(from->desc);
    for (size_t done = 0; done < count;) {
      const size_t part = std::min(count - done, row - x);
      if (const cudaError_t error =
              copy_array(state, from, x, y, static_cast<char*>(to) + done, part, part, 1, false))
        return error;
      done += part;
      x = 0;
      ++y;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return blocking_call([&](State& state) {
    state.flush();
    return parameters ? copy_3d(state, *parameters) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  if (!parameters)
    return State::get().report(cudaErrorInvalidValue);
  if (capture_of(stream))
    return in_stream(stream, cudaGraphNodeTypeMemcpy, Work(*parameters));
  return in_stream(stream, cudaGraphNodeTypeMemcpy,
                   [parameters = *parameters](State& state) { return copy_3d(state, parameters); });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind,
                                       cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemcpy, [=](State& state) {
    return copy_array(state, from, x, y, to, pitch, width, height, false);
  });
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemcpy,
                   [=](State&) { return cudaMemcpyToArray(to, x, y, from, count, kind); });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return in_stream(stream, cudaGraphNodeTypeMemcpy,
                   [=](State&) { return cudaMemcpyFromArray(to, from, x, y, count, kind); });
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                     size_t fromX, size_t fromY, size_t width, size_t height,
                                     cudaMemcpyKind) {
  return blocking_call([&](State& state) {
    std::vector<std::byte> rows(width * height);
    if (const cudaError_t error =
            copy_array(state, from, fromX, fromY, rows.data(), width, width, height, false))
      return error;
    return copy_array(state, to, toX, toY, rows.data(), width, width, height, true);
  });
}
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                   size_t fromX, size_t fromY, size_t count, cudaMemcpyKind kind) {
  std::vector<std::byte> bytes(count);
  if (const cudaError_t error = cudaMemcpyFromArray(bytes.data(), from, fromX, fromY, count, kind))
    return error;
  return cudaMemcpyToArray(to, toX, toY, bytes.data(), count, kind);
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  return cudaMemcpy3DPeerAsync(p, nullptr);
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  if (!p)
    return State::get().report(cudaErrorInvalidValue);
  const cudaMemcpy3DParms same{.srcArray = p->srcArray,
                               .srcPos = p->srcPos,
                               .srcPtr = p->srcPtr,
                               .dstArray = p->dstArray,
                               .dstPos = p->dstPos,
                               .dstPtr = p->dstPtr,
                               .extent = p->extent,
                               .kind = cudaMemcpyDeviceToDevice};
  return cudaMemcpy3DAsync(&same, stream);
}

// Each level has half the size of the previous one.
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* desc,
                                     cudaExtent extent, unsigned int levels, unsigned int flags) {
  return call([&](State&) {
    if (levels == 0 || !array)
      return cudaErrorInvalidValue;
    const bool layered = flags & (cudaArrayLayered | cudaArrayCubemap);
    auto made = std::make_unique<cudaMipmappedArray>();
    const auto half = [](std::size_t size) { return size > 1 ? size / 2 : size; };
    for (; levels > 0; --levels) {
      cudaArray_t level = nullptr;
      if (const cudaError_t error = cudaMalloc3DArray(&level, desc, extent, flags))
        return error;
      made->levels.push_back(level);
      if (extent.width <= 1 && extent.height <= 1 && (layered || extent.depth <= 1))
        break;
      extent = {half(extent.width), half(extent.height),
                layered ? extent.depth : half(extent.depth)};
    }
    *array = made.release();
    return cudaSuccess;
  });
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned int index) {
  return call([&](State&) {
    if (!level || !is_live(array) || index >= array->levels.size())
      return cudaErrorInvalidValue;
    *level = array->levels[index];
    return cudaSuccess;
  });
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  return call([&](State&) {
    if (array && !is_live(array))
      return cudaErrorInvalidResourceHandle;
    if (array)
      for (cudaArray_t level : array->levels)
        cudaFreeArray(level);
    delete array;
    return cudaSuccess;
  });
}
// Arrays have one plane, and their memory exists from their creation on.
cudaError_t cudaArrayGetPlane(cudaArray_t*, cudaArray_t array, unsigned int) {
  return of_no_array(array);
}
cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements*, cudaArray_t array, int) {
  return of_no_array(array);
}
cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements*,
                                                    cudaMipmappedArray_t array, int) {
  return of_no_array(array);
}
cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties*, cudaArray_t array) {
  return of_no_array(array);
}
cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties*,
                                                  cudaMipmappedArray_t array) {
  return of_no_array(array);
}
}
