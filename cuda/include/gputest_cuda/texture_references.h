// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references, which CUDA 12 has removed. gputest-cuda includes this header only
// for sources that use references (frontend/cuda/references.h), because other programs may use the
// names.
//
// A reference is a host variable and a device variable. The device variable holds a texture object,
// which the runtime library writes when memory is bound. Clang makes one from the other.
#ifndef GPUTEST_CUDA_TEXTURE_REFERENCES_H
#define GPUTEST_CUDA_TEXTURE_REFERENCES_H

#include "cuda_runtime.h"

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization;
};
struct surfaceReference {
  cudaChannelFormatDesc channelDesc;
};

extern "C" {
cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                            const cudaChannelFormatDesc* desc, size_t size = ~0U);
cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference,
                              const void* pointer, const cudaChannelFormatDesc* desc, size_t width,
                              size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* desc);
cudaError_t cudaBindTextureToMipmappedArray(const textureReference* reference,
                                            cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc* desc);
cudaError_t cudaUnbindTexture(const textureReference* reference);
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference);
cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol);
cudaError_t cudaBindSurfaceToArray(const surfaceReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* desc);
cudaError_t cudaGetSurfaceReference(const surfaceReference** reference, const void* symbol);
}

#ifdef __CUDA__

template <typename T, int type = cudaTextureType1D,
          cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  __host__ texture(int are_normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                   cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(are_normalized, filter, address, cudaCreateChannelDesc<T>()) {}
  __host__ texture(int are_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                   cudaChannelFormatDesc desc)
      : textureReference{are_normalized, filter, {address, address, address}, desc} {}
};
template <typename T, int type = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : surfaceReference {
  __host__ surface() : surfaceReference{cudaCreateChannelDesc<T>()} {}
};
template <int type>
struct __attribute__((device_builtin_surface_type)) surface<void, type> : surfaceReference {
  __host__ surface() : surfaceReference{} {}
};

// The type that a fetch returns.
template <typename T, cudaTextureReadMode mode> struct __gputest_fetched {
  typedef T type;
};
template <int channels> struct __gputest_floats {
  typedef float4 type;
};
template <> struct __gputest_floats<1> {
  typedef float type;
};
template <> struct __gputest_floats<2> {
  typedef float2 type;
};
template <typename T> struct __gputest_fetched<T, cudaReadModeNormalizedFloat> {
  typedef typename __gputest_floats<__gputest_texel<T>::count>::type type;
};
#define GPUTEST_OF_ONE(T)                                                                          \
  template <> struct __gputest_fetched<T, cudaReadModeNormalizedFloat> {                           \
    typedef float1 type;                                                                           \
  };
GPUTEST_OF_ONE(char1)
GPUTEST_OF_ONE(uchar1)
GPUTEST_OF_ONE(short1)
GPUTEST_OF_ONE(ushort1)
#undef GPUTEST_OF_ONE

// In device code, a reference has its object's value.
template <typename Reference>
static __device__ __forceinline__ cudaTextureObject_t __gputest_object(Reference reference) {
  cudaTextureObject_t object;
  asm("mov.b64 %0, %1;" : "=l"(object) : "l"(reference));
  return object;
}

#define GPUTEST_PARTS(...) __VA_ARGS__
#define GPUTEST_FETCH(name, kind, parameters, ...)                                                 \
  template <typename T, cudaTextureReadMode mode>                                                  \
  static __device__ __forceinline__ typename __gputest_fetched<T, mode>::type name(                \
      texture<T, cudaTextureType##kind, mode> reference, GPUTEST_PARTS parameters) {               \
    return name<typename __gputest_fetched<T, mode>::type>(__gputest_object(reference),            \
                                                           __VA_ARGS__);                           \
  }
GPUTEST_FETCH(tex1Dfetch, 1D, (int x), x)
GPUTEST_FETCH(tex1D, 1D, (float x), x)
GPUTEST_FETCH(tex2D, 2D, (float x, float y), x, y)
GPUTEST_FETCH(tex3D, 3D, (float x, float y, float z), x, y, z)
GPUTEST_FETCH(tex1DLayered, 1DLayered, (float x, int layer), x, layer)
GPUTEST_FETCH(tex2DLayered, 2DLayered, (float x, float y, int layer), x, y, layer)
GPUTEST_FETCH(texCubemap, Cubemap, (float x, float y, float z), x, y, z)
GPUTEST_FETCH(texCubemapLayered, CubemapLayered, (float x, float y, float z, int layer),
              x, y, z, layer)
GPUTEST_FETCH(tex1DLod, 1D, (float x, float level), x, level)
GPUTEST_FETCH(tex2DLod, 2D, (float x, float y, float level), x, y, level)
GPUTEST_FETCH(tex3DLod, 3D, (float x, float y, float z, float level), x, y, z, level)
GPUTEST_FETCH(tex1DLayeredLod, 1DLayered, (float x, int layer, float level), x, layer, level)
GPUTEST_FETCH(tex2DLayeredLod, 2DLayered, (float x, float y, int layer, float level),
              x, y, layer, level)
GPUTEST_FETCH(texCubemapLod, Cubemap, (float x, float y, float z, float level), x, y, z, level)
GPUTEST_FETCH(texCubemapLayeredLod, CubemapLayered, (float x, float y, float z, int layer, float level),
              x, y, z, layer, level)
GPUTEST_FETCH(tex1DGrad, 1D, (float x, float dx, float dy), x, dx, dy)
GPUTEST_FETCH(tex2DGrad, 2D, (float x, float y, float2 dx, float2 dy), x, y, dx, dy)
GPUTEST_FETCH(tex3DGrad, 3D, (float x, float y, float z, float4 dx, float4 dy), x, y, z, dx, dy)
GPUTEST_FETCH(tex1DLayeredGrad, 1DLayered, (float x, int layer, float dx, float dy),
              x, layer, dx, dy)
GPUTEST_FETCH(tex2DLayeredGrad, 2DLayered, (float x, float y, int layer, float2 dx, float2 dy),
              x, y, layer, dx, dy)
#undef GPUTEST_FETCH

// The type of one channel of four texels.
template <typename T> struct __gputest_gathered;
#define GPUTEST_GATHERED_BY(T, V)                                                                  \
  template <> struct __gputest_gathered<T> {                                                       \
    typedef V##4 type;                                                                             \
  };
#define GPUTEST_GATHERED(V)                                                                        \
  GPUTEST_GATHERED_BY(V##1, V)                                                                     \
  GPUTEST_GATHERED_BY(V##2, V)                                                                     \
  GPUTEST_GATHERED_BY(V##3, V)                                                                     \
  GPUTEST_GATHERED_BY(V##4, V)
GPUTEST_GATHERED(char)
GPUTEST_GATHERED(uchar)
GPUTEST_GATHERED(short)
GPUTEST_GATHERED(ushort)
GPUTEST_GATHERED(int)
GPUTEST_GATHERED(uint)
GPUTEST_GATHERED(float)
GPUTEST_GATHERED_BY(char, char)
GPUTEST_GATHERED_BY(signed char, char)
GPUTEST_GATHERED_BY(unsigned char, uchar)
GPUTEST_GATHERED_BY(short, short)
GPUTEST_GATHERED_BY(unsigned short, ushort)
GPUTEST_GATHERED_BY(int, int)
GPUTEST_GATHERED_BY(unsigned, uint)
GPUTEST_GATHERED_BY(float, float)
#undef GPUTEST_GATHERED_BY
#undef GPUTEST_GATHERED
template <typename T, cudaTextureReadMode mode>
static __device__ __forceinline__
    typename __gputest_gathered<typename __gputest_fetched<T, mode>::type>::type
    tex2Dgather(texture<T, cudaTextureType2D, mode> reference, float x, float y, int channel = 0) {
  return tex2Dgather<typename __gputest_gathered<typename __gputest_fetched<T, mode>::type>::type>(
      __gputest_object(reference), x, y, channel);
}

#define GPUTEST_SURFACE(name, kind, parameters, ...)                                               \
  template <typename T, typename U>                                                                \
  static __device__ __forceinline__ T name##read(                                                  \
      surface<U, cudaSurfaceType##kind> reference, GPUTEST_PARTS parameters,                       \
      cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {                                   \
    return name##read<T>(__gputest_object(reference), __VA_ARGS__, boundary);                      \
  }                                                                                                \
  template <typename T, typename U>                                                                \
  static __device__ __forceinline__ void name##read(                                               \
      T* value, surface<U, cudaSurfaceType##kind> reference, GPUTEST_PARTS parameters,             \
      cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {                                   \
    *value = name##read<T>(__gputest_object(reference), __VA_ARGS__, boundary);                    \
  }                                                                                                \
  template <typename T, typename U>                                                                \
  static __device__ __forceinline__ void name##write(                                              \
      T value, surface<U, cudaSurfaceType##kind> reference, GPUTEST_PARTS parameters,              \
      cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {                                   \
    name##write<T>(value, __gputest_object(reference), __VA_ARGS__, boundary);                     \
  }
GPUTEST_SURFACE(surf1D, 1D, (int x), x)
GPUTEST_SURFACE(surf2D, 2D, (int x, int y), x, y)
GPUTEST_SURFACE(surf3D, 3D, (int x, int y, int z), x, y, z)
GPUTEST_SURFACE(surf1DLayered, 1DLayered, (int x, int layer), x, layer)
GPUTEST_SURFACE(surf2DLayered, 2DLayered, (int x, int y, int layer), x, y, layer)
GPUTEST_SURFACE(surfCubemap, Cubemap, (int x, int y, int face), x, y, face)
GPUTEST_SURFACE(surfCubemapLayered, CubemapLayered, (int x, int y, int face), x, y, face)
#undef GPUTEST_SURFACE
#undef GPUTEST_PARTS

// The functions for typed references.
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference,
                                   const void* pointer, const cudaChannelFormatDesc& desc,
                                   size_t size = ~0U) {
  return cudaBindTexture(offset, static_cast<const textureReference*>(&reference), pointer, &desc,
                         size);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference,
                                   const void* pointer, size_t size = ~0U) {
  return cudaBindTexture(offset, reference, pointer, reference.channelDesc, size);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference,
                                     const void* pointer, const cudaChannelFormatDesc& desc,
                                     size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, static_cast<const textureReference*>(&reference), pointer, &desc,
                           width, height, pitch);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference,
                                     const void* pointer, size_t width, size_t height,
                                     size_t pitch) {
  return cudaBindTexture2D(offset, reference, pointer, reference.channelDesc, width, height, pitch);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference,
                                          cudaArray_const_t array,
                                          const cudaChannelFormatDesc& desc) {
  return cudaBindTextureToArray(static_cast<const textureReference*>(&reference), array, &desc);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference,
                                          cudaArray_const_t array) {
  return cudaBindTextureToArray(static_cast<const textureReference*>(&reference), array, nullptr);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToMipmappedArray(const texture<T, type, mode>& reference,
                                                   cudaMipmappedArray_const_t array,
                                                   const cudaChannelFormatDesc& desc) {
  return cudaBindTextureToMipmappedArray(static_cast<const textureReference*>(&reference), array,
                                         &desc);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToMipmappedArray(const texture<T, type, mode>& reference,
                                                   cudaMipmappedArray_const_t array) {
  return cudaBindTextureToMipmappedArray(static_cast<const textureReference*>(&reference), array,
                                         nullptr);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const texture<T, type, mode>& reference) {
  return cudaUnbindTexture(static_cast<const textureReference*>(&reference));
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset,
                                                 const texture<T, type, mode>& reference) {
  return cudaGetTextureAlignmentOffset(offset, static_cast<const textureReference*>(&reference));
}
template <typename T, int type>
inline cudaError_t cudaBindSurfaceToArray(const surface<T, type>& reference,
                                          cudaArray_const_t array,
                                          const cudaChannelFormatDesc& desc) {
  return cudaBindSurfaceToArray(static_cast<const surfaceReference*>(&reference), array, &desc);
}
template <typename T, int type>
inline cudaError_t cudaBindSurfaceToArray(const surface<T, type>& reference,
                                          cudaArray_const_t array) {
  return cudaBindSurfaceToArray(static_cast<const surfaceReference*>(&reference), array, nullptr);
}

#endif

#endif
