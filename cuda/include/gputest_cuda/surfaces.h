// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Surface objects, implemented in device code as textures.h does it for textures. x counts bytes.
// What the Programming Guide leaves open ("Surface Functions"), these do as an H200.
#ifndef GPUTEST_CUDA_SURFACES_H
#define GPUTEST_CUDA_SURFACES_H

#include "gputest_cuda/textures.h"

#ifdef __CUDA__

extern "C" __device__ void gputest_end_misaligned(unsigned long long size);

// Returns the element's address, or null if it is outside and the mode does not say what to take
// for it. A row has as many whole elements as fit into its texels. Rows need no alignment.
template <typename T>
static __device__ inline unsigned char* __gputest_surface(cudaSurfaceObject_t object, int x, int y,
                                                          int z, cudaSurfaceBoundaryMode mode) {
  const __gputest_texture& t = *(const __gputest_texture*)object;
  const int texel = (t.format.x + t.format.y + t.format.z + t.format.w) / 8, size = sizeof(T);
  const int elements = (int)t.width * texel / size, height = t.height ? (int)t.height : 1,
            depth = t.depth ? (int)t.depth : 1;
  const bool inside = x >= 0 && x / size < elements && y >= 0 && y < height && z >= 0 && z < depth;
  if (!inside && mode == cudaBoundaryModeTrap)
    __trap();
  if (x % size != 0)
    gputest_end_misaligned(size);
  if (!inside) {
    if (mode == cudaBoundaryModeZero || elements == 0)
      return nullptr;
    x = x < 0 ? 0 : x / size < elements ? x : (elements - 1) * size;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    z = z < 0 ? 0 : z >= depth ? depth - 1 : z;
  }
  return t.data + z * t.slice + y * t.pitch + x;
}
#define GPUTEST_PARTS(...) __VA_ARGS__
template <typename T>
static __device__ inline T __gputest_read_surface(cudaSurfaceObject_t object, int x, int y, int z,
                                                  cudaSurfaceBoundaryMode mode) {
  T value{};
  if (const unsigned char* at = __gputest_surface<T>(object, x, y, z, mode))
    __builtin_memcpy(&value, at, sizeof value);
  return value;
}
template <typename T>
static __device__ inline void __gputest_write_surface(T value, cudaSurfaceObject_t object, int x,
                                                      int y, int z, cudaSurfaceBoundaryMode mode) {
  if (unsigned char* at = __gputest_surface<T>(object, x, y, z, mode))
    __builtin_memcpy(at, &value, sizeof value);
}
#define GPUTEST_SURFACE(name, parameters, y, z)                                                    \
  template <typename T>                                                                            \
  static __device__ __forceinline__ T name##read(                                                  \
      cudaSurfaceObject_t object, GPUTEST_PARTS parameters,                                        \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                       \
    return __gputest_read_surface<T>(object, x, y, z, mode);                                       \
  }                                                                                                \
  template <typename T>                                                                            \
  static __device__ __forceinline__ void name##read(                                               \
      T* value, cudaSurfaceObject_t object, GPUTEST_PARTS parameters,                              \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                       \
    *value = __gputest_read_surface<T>(object, x, y, z, mode);                                     \
  }                                                                                                \
  template <typename T>                                                                            \
  static __device__ __forceinline__ void name##write(                                              \
      T value, cudaSurfaceObject_t object, GPUTEST_PARTS parameters,                               \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                       \
    __gputest_write_surface<T>(value, object, x, y, z, mode);                                      \
  }
GPUTEST_SURFACE(surf1D, (int x), 0, 0)
GPUTEST_SURFACE(surf2D, (int x, int y), y, 0)
GPUTEST_SURFACE(surf3D, (int x, int y, int z), y, z)
GPUTEST_SURFACE(surf2DLayered, (int x, int y, int layer), y, layer)
GPUTEST_SURFACE(surfCubemap, (int x, int y, int face), y, face)
GPUTEST_SURFACE(surfCubemapLayered, (int x, int y, int face), y, face)
GPUTEST_SURFACE(surf1DLayered, (int x, int layer), 0, layer)
#undef GPUTEST_PARTS
#undef GPUTEST_SURFACE

#endif

#endif
