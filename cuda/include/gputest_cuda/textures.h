// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface objects, implemented in device code. An object is the address of a
// description in device memory, which the runtime library writes. Fetches compute what CUDA's
// documentation defines (CUDA C++ Programming Guide, "Texture Fetching").
#ifndef GPUTEST_CUDA_TEXTURES_H
#define GPUTEST_CUDA_TEXTURES_H

#include "driver_types.h"

struct __gputest_texture {
  unsigned char* data;
  unsigned long long width, height, depth, pitch, slice; // texels; depth counts layers and faces,
                                                         // too
  cudaChannelFormatDesc format;
  int address[3];
  int linear, normalized_read, normalized_coordinates, layered;
  float border[4];
  // The levels of a mipmapped array, and how fetches choose among them.
  const __gputest_texture* levels;
  int level_count, between_levels;
  float bias, least_level, most_level;
};

#ifdef __CUDA__

template <typename T> struct __gputest_texel {
  typedef T scalar;
  static constexpr int count = 1;
  static __device__ T make(const T* v) { return v[0]; }
};
#define GPUTEST_TEXEL(V, S, n, ...)                                                                \
  template <> struct __gputest_texel<V> {                                                          \
    typedef S scalar;                                                                              \
    static constexpr int count = n;                                                                \
    static __device__ V make(const S* v) { return V{__VA_ARGS__}; }                                \
  };
#define GPUTEST_TEXELS(V, S)                                                                       \
  GPUTEST_TEXEL(V##1, S, 1, v[0])                                                                  \
  GPUTEST_TEXEL(V##2, S, 2, v[0], v[1])                                                            \
  GPUTEST_TEXEL(V##3, S, 3, v[0], v[1], v[2])                                                      \
  GPUTEST_TEXEL(V##4, S, 4, v[0], v[1], v[2], v[3])
GPUTEST_TEXELS(char, signed char)
GPUTEST_TEXELS(uchar, unsigned char)
GPUTEST_TEXELS(short, short)
GPUTEST_TEXELS(ushort, unsigned short)
GPUTEST_TEXELS(int, int)
GPUTEST_TEXELS(uint, unsigned)
GPUTEST_TEXELS(float, float)
#undef GPUTEST_TEXELS
#undef GPUTEST_TEXEL

// Reads channel `channel` of a texel as a number.
static __device__ inline void __gputest_channel(const __gputest_texture& t, long long x, long long y,
                                                long long z, int channel, float& number,
                                                unsigned& bits) {
  const int sizes[4] = {t.format.x, t.format.y, t.format.z, t.format.w};
  unsigned texel = 0, before = 0;
  for (int i = 0; i < 4; ++i) {
    texel += sizes[i] / 8;
    if (i < channel)
      before += sizes[i] / 8;
  }
  const int size = sizes[channel];
  number = 0;
  bits = 0;
  if (size == 0)
    return;
  const unsigned char* at =
      t.data + (unsigned long long)z * t.slice + (unsigned long long)y * t.pitch + x * texel + before;
  if (size == 8)
    bits = *at;
  else if (size == 16)
    bits = *(const unsigned short*)at;
  else
    bits = *(const unsigned*)at;
  if (t.format.f == cudaChannelFormatKindFloat) {
    if (size == 16)
      number = (float)*(const _Float16*)at;
    else
      number = *(const float*)at;
    bits = __float_as_uint(number);
  } else if (t.format.f == cudaChannelFormatKindSigned) {
    const int value = size == 8 ? (signed char)bits : size == 16 ? (short)bits : (int)bits;
    bits = (unsigned)value;
    number = size == 32 ? (float)value : fmaxf(-1.0f, (float)value / (size == 8 ? 127.0f : 32767.0f));
  } else {
    number = size == 32 ? (float)bits : (float)bits / (size == 8 ? 255.0f : 65535.0f);
  }
}

// Returns the index within [0, size), or -1 for the border.
static __device__ inline long long __gputest_address(long long at, long long size, int mode) {
  if (at >= 0 && at < size)
    return at;
  switch (mode) {
  case cudaAddressModeWrap:
    at %= size;
    return at < 0 ? at + size : at;
  case cudaAddressModeMirror:
    at %= 2 * size;
    if (at < 0)
      at += 2 * size;
    return at < size ? at : 2 * size - 1 - at;
  case cudaAddressModeClamp:
    return at < 0 ? 0 : size - 1;
  default:
    return -1;
  }
}

// Returns the border's color in a channel as an H200 does: one that the texels do not have is 0. An
// integer is the lower bits of the float, or for normalized reads the nearest one in the range.
static __device__ inline void __gputest_border(const __gputest_texture& t, int channel,
                                               float& number, unsigned& bits) {
  const int sizes[4] = {t.format.x, t.format.y, t.format.z, t.format.w}, size = sizes[channel];
  number = size == 0 ? 0.0f : t.border[channel];
  bits = __float_as_uint(number);
  if (size == 0 || size == 32)
    return;
  if (t.format.f == cudaChannelFormatKindFloat) {
    number = (float)(_Float16)fminf(fmaxf(number, -65504.0f), 65504.0f);
    return;
  }
  const bool is_signed = t.format.f == cudaChannelFormatKindSigned;
  if (is_signed)
    bits = (unsigned)(size == 8 ? (int)(signed char)bits : (int)(short)bits);
  else
    bits &= (1u << size) - 1;
  const float most = (float)((1u << (size - is_signed)) - 1);
  const float whole = fminf(fmaxf(number, is_signed ? -1.0f : 0.0f), 1.0f) * most;
  number = copysignf(ceilf(fabsf(whole) - 0.5f), whole) / most; // a half goes toward zero
}

static __device__ inline void __gputest_fetch(const __gputest_texture& t, long long x, long long y,
                                              long long z, int channel, float& number,
                                              unsigned& bits) {
  // Wrapping and mirroring need normalized coordinates.
  const auto mode = [&](int axis) {
    return t.normalized_coordinates || t.address[axis] == cudaAddressModeBorder
               ? t.address[axis]
               : (int)cudaAddressModeClamp;
  };
  x = __gputest_address(x, (long long)t.width, mode(0));
  y = __gputest_address(y, t.height ? (long long)t.height : 1, mode(1));
  z = t.layered ? (z < 0 ? 0 : z >= (long long)t.depth ? (long long)t.depth - 1 : z)
                : __gputest_address(z, t.depth ? (long long)t.depth : 1, mode(2));
  if (x < 0 || y < 0 || z < 0) {
    __gputest_border(t, channel, number, bits);
    return;
  }
  __gputest_channel(t, x, y, z, channel, number, bits);
}

template <typename T> static __device__ inline T __gputest_value(float number, unsigned bits) {
  return (T)bits;
}
template <> __device__ inline float __gputest_value<float>(float number, unsigned) {
  return number;
}

// Returns a coordinate in texels. Normalized ones have 21 bits behind the point, as on an H200.
static __device__ inline double __gputest_place(const __gputest_texture& t, float at,
                                                unsigned long long size) {
  return t.normalized_coordinates
             ? (double)(floorf(at * 2097152.0f) / 2097152.0f) * (double)(size ? size : 1)
             : (double)at;
}

// `dimensions`: the number of dimensions that are filtered. Weights have 8 bits, as in hardware.
template <typename T>
static __device__ inline T __gputest_sample(cudaTextureObject_t object, int dimensions, float x,
                                            float y, float z, int layer) {
  typedef __gputest_texel<T> Texel;
  const __gputest_texture& t = *(const __gputest_texture*)object;
  typename Texel::scalar result[4];
  const double place[3] = {__gputest_place(t, x, t.width),
                           dimensions > 1 ? __gputest_place(t, y, t.height) : 0,
                           dimensions > 2 ? __gputest_place(t, z, t.depth) : 0};
  for (int channel = 0; channel < Texel::count; ++channel) {
    float number = 0;
    unsigned bits = 0;
    if (!t.linear) {
      __gputest_fetch(t, (long long)floor(place[0]), (long long)floor(place[1]),
                      t.layered ? layer : (long long)floor(place[2]), channel, number, bits);
    } else {
      long long first[3];
      float weight[3];
      for (int axis = 0; axis < 3; ++axis) {
        const double at = axis < dimensions ? place[axis] - 0.5 : 0, whole = floor(at);
        first[axis] = (long long)whole;
        weight[axis] = floorf((float)(at - whole) * 256.0f + 0.5f) / 256.0f;
      }
      for (int corner = 0; corner < 1 << dimensions; ++corner) {
        float part = 1, one = 0;
        for (int axis = 0; axis < dimensions; ++axis)
          part *= corner >> axis & 1 ? weight[axis] : 1 - weight[axis];
        if (part == 0)
          continue;
        __gputest_fetch(t, first[0] + (corner & 1), first[1] + (corner >> 1 & 1),
                        t.layered ? layer : first[2] + (corner >> 2 & 1), channel, one, bits);
        number += part * one;
      }
      // An H200 reads a row at the coordinate 0, which is half outside.
      if (dimensions == 1 && !t.layered && t.address[1] == cudaAddressModeBorder) {
        float outside = 0;
        __gputest_border(t, channel, outside, bits);
        number = (number + outside) / 2;
      }
    }
    result[channel] = __gputest_value<typename Texel::scalar>(number, bits);
  }
  return Texel::make(result);
}

template <typename T>
static __device__ __forceinline__ T tex1Dfetch(cudaTextureObject_t object, int x) {
  typedef __gputest_texel<T> Texel;
  const __gputest_texture& t = *(const __gputest_texture*)object;
  typename Texel::scalar result[4];
  for (int channel = 0; channel < Texel::count; ++channel) {
    float number = 0;
    unsigned bits = 0;
    if (x >= 0 && (unsigned long long)x < t.width)
      __gputest_channel(t, x, 0, 0, channel, number, bits);
    result[channel] = __gputest_value<typename Texel::scalar>(number, bits);
  }
  return Texel::make(result);
}
#define GPUTEST_PARTS(...) __VA_ARGS__
#define GPUTEST_FETCH(name, parameters, ...)                                                       \
  template <typename T>                                                                            \
  static __device__ __forceinline__ T name(cudaTextureObject_t object, GPUTEST_PARTS parameters) { \
    return __VA_ARGS__;                                                                            \
  }
GPUTEST_FETCH(tex1D, (float x), __gputest_sample<T>(object, 1, x, 0, 0, 0))
GPUTEST_FETCH(tex2D, (float x, float y), __gputest_sample<T>(object, 2, x, y, 0, 0))
GPUTEST_FETCH(tex3D, (float x, float y, float z), __gputest_sample<T>(object, 3, x, y, z, 0))
GPUTEST_FETCH(tex1DLayered, (float x, int layer), __gputest_sample<T>(object, 1, x, 0, 0, layer))
GPUTEST_FETCH(tex2DLayered, (float x, float y, int layer),
              __gputest_sample<T>(object, 2, x, y, 0, layer))
// Finds the face in a direction and the place on it (Programming Guide, "Cubemap Textures"). Of
// equal coordinates z counts first, then y, as on an H200.
template <typename T>
static __device__ inline T __gputest_cubemap(cudaTextureObject_t object, float x, float y, float z,
                                             int first_face) {
  const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
  int face;
  float m, s, t;
  if (az >= ax && az >= ay) {
    face = z >= 0 ? 4 : 5, m = az, s = z >= 0 ? x : -x, t = -y;
  } else if (ay >= ax) {
    face = y >= 0 ? 2 : 3, m = ay, s = x, t = y >= 0 ? z : -z;
  } else {
    face = x >= 0 ? 0 : 1, m = ax, s = x >= 0 ? -z : z, t = -y;
  }
  if (m == 0)
    m = 1; // no direction: the middle of the face
  const __gputest_texture& texture = *(const __gputest_texture*)object;
  const float wide = texture.normalized_coordinates ? 1.0f : (float)texture.width;
  return __gputest_sample<T>(object, 2, (s / m + 1) / 2 * wide, (t / m + 1) / 2 * wide, 0,
                            first_face + face);
}
GPUTEST_FETCH(texCubemap, (float x, float y, float z), __gputest_cubemap<T>(object, x, y, z, 0))
GPUTEST_FETCH(texCubemapLayered, (float x, float y, float z, int layer),
              __gputest_cubemap<T>(object, x, y, z, 6 * layer))
#undef GPUTEST_FETCH

// Returns a + (b - a) * weight for each channel.
template <typename T> static __device__ inline T __gputest_between(T a, T b, float weight) {
  typedef __gputest_texel<T> Texel;
  typename Texel::scalar parts[2][Texel::count], result[4];
  __builtin_memcpy(parts[0], &a, sizeof a);
  __builtin_memcpy(parts[1], &b, sizeof b);
  for (int i = 0; i < Texel::count; ++i)
    result[i] = (typename Texel::scalar)((float)parts[0][i] +
                                         ((float)parts[1][i] - (float)parts[0][i]) * weight);
  return Texel::make(result);
}
// Samples one level of a mipmapped array or blends two. Other textures have one level.
template <typename T, typename Sample>
static __device__ inline T __gputest_level(cudaTextureObject_t object, float level, Sample sample) {
  const __gputest_texture& t = *(const __gputest_texture*)object;
  if (!t.levels)
    return sample(object);
  level = fminf(fmaxf(level + t.bias, t.least_level), t.most_level);
  level = fminf(fmaxf(level, 0.0f), (float)(t.level_count - 1));
  if (!t.between_levels)
    return sample((cudaTextureObject_t)(t.levels + (int)floorf(level + 0.5f)));
  const int first = (int)level, second = first + 1 < t.level_count ? first + 1 : first;
  const float weight = floorf((level - (float)first) * 256.0f) / 256.0f;
  const T a = sample((cudaTextureObject_t)(t.levels + first));
  return weight == 0 ? a
                     : __gputest_between(a, sample((cudaTextureObject_t)(t.levels + second)), weight);
}
#define GPUTEST_LOD(name, parameters, ...)                                                         \
  template <typename T>                                                                            \
  static __device__ __forceinline__ T name##Lod(cudaTextureObject_t object,                        \
                                                GPUTEST_PARTS parameters, float level) {           \
    return __gputest_level<T>(                                                                     \
        object, level, [&](cudaTextureObject_t at) { return name<T>(at, __VA_ARGS__); });          \
  }
GPUTEST_LOD(tex1D, (float x), x)
GPUTEST_LOD(tex2D, (float x, float y), x, y)
GPUTEST_LOD(tex3D, (float x, float y, float z), x, y, z)
GPUTEST_LOD(tex2DLayered, (float x, float y, int layer), x, y, layer)
GPUTEST_LOD(tex1DLayered, (float x, int layer), x, layer)
GPUTEST_LOD(texCubemap, (float x, float y, float z), x, y, z)
GPUTEST_LOD(texCubemapLayered, (float x, float y, float z, int layer), x, y, z, layer)
#undef GPUTEST_LOD
// Chooses the level by the distance of the texels of neighbouring pixels.
template <typename T>
static __device__ __forceinline__ T tex2DGrad(cudaTextureObject_t object, float x, float y,
                                              float2 dx, float2 dy) {
  const __gputest_texture& t = *(const __gputest_texture*)object;
  const float w = (float)t.width, h = (float)t.height;
  const float longest = fmaxf(hypotf(dx.x * w, dx.y * h), hypotf(dy.x * w, dy.y * h));
  return tex2DLod<T>(object, x, y, log2f(longest));
}
template <typename T>
static __device__ __forceinline__ T tex1DGrad(cudaTextureObject_t object, float x, float dx,
                                              float dy) {
  const float w = (float)((const __gputest_texture*)object)->width;
  return tex1DLod<T>(object, x, log2f(fmaxf(fabsf(dx), fabsf(dy)) * w));
}
template <typename T>
static __device__ __forceinline__ T tex1DLayeredGrad(cudaTextureObject_t object, float x, int layer,
                                                     float dx, float dy) {
  const float w = (float)((const __gputest_texture*)object)->width;
  return tex1DLayeredLod<T>(object, x, layer, log2f(fmaxf(fabsf(dx), fabsf(dy)) * w));
}
template <typename T>
static __device__ __forceinline__ T tex2DLayeredGrad(cudaTextureObject_t object, float x, float y,
                                                     int layer, float2 dx, float2 dy) {
  const __gputest_texture& t = *(const __gputest_texture*)object;
  const float w = (float)t.width, h = (float)t.height;
  const float longest = fmaxf(hypotf(dx.x * w, dx.y * h), hypotf(dy.x * w, dy.y * h));
  return tex2DLayeredLod<T>(object, x, y, layer, log2f(longest));
}
template <typename T>
static __device__ __forceinline__ T tex3DGrad(cudaTextureObject_t object, float x, float y, float z,
                                              float4 dx, float4 dy) {
  const __gputest_texture& t = *(const __gputest_texture*)object;
  const float w = (float)t.width, h = (float)t.height, d = (float)t.depth;
  const float longest = fmaxf(norm3df(dx.x * w, dx.y * h, dx.z * d), norm3df(dy.x * w, dy.y * h, dy.z * d));
  return tex3DLod<T>(object, x, y, z, log2f(longest));
}
// Returns one channel of the four texels that a bilinear filter would read.
template <typename T>
static __device__ inline T tex2Dgather(cudaTextureObject_t object, float x, float y,
                                       int channel = 0) {
  typedef __gputest_texel<T> Texel;
  const __gputest_texture& t = *(const __gputest_texture*)object;
  const auto first = [&](float at, unsigned long long size) { // places have 8 bits for filters
    return (long long)floor(floor((__gputest_place(t, at, size) - 0.5) * 256 + 0.5) / 256);
  };
  const long long left = first(x, t.width), top = first(y, t.height);
  const int right[4] = {0, 1, 1, 0}, below[4] = {1, 1, 0, 0};
  typename Texel::scalar result[4];
  for (int i = 0; i < 4; ++i) {
    float number = 0;
    unsigned bits = 0;
    __gputest_fetch(t, left + right[i], top + below[i], 0, channel, number, bits);
    result[i] = __gputest_value<typename Texel::scalar>(number, bits);
  }
  return Texel::make(result);
}

// The same functions with a pointer for the result.
#define GPUTEST_INTO(name, parameters, ...)                                                        \
  template <typename T>                                                                            \
  static __device__ __forceinline__ void name(T* value, cudaTextureObject_t object,                \
                                              GPUTEST_PARTS parameters) {                          \
    *value = name<T>(object, __VA_ARGS__);                                                         \
  }
GPUTEST_INTO(tex1Dfetch, (int x), x)
GPUTEST_INTO(tex1D, (float x), x)
GPUTEST_INTO(tex2D, (float x, float y), x, y)
GPUTEST_INTO(tex3D, (float x, float y, float z), x, y, z)
GPUTEST_INTO(tex1DLayered, (float x, int layer), x, layer)
GPUTEST_INTO(tex2DLayered, (float x, float y, int layer), x, y, layer)
GPUTEST_INTO(tex2DLod, (float x, float y, float level), x, y, level)
#undef GPUTEST_INTO

#undef GPUTEST_PARTS

#endif

#endif
