// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's texture and surface instructions (ir/cuda/ptx/textures.cpp), by the functions of CUDA's headers.
#define GPUTEST_FETCH(name, T, end, parameters, ...) \
  extern "C" __device__ void gputest_ptx_##name##_##end(T* out, cudaTextureObject_t o, parameters) { *out = __VA_ARGS__; }
#define GPUTEST_COMMA ,
#define GPUTEST_XY float x GPUTEST_COMMA float y
#define GPUTEST_XYZ GPUTEST_XY GPUTEST_COMMA float z
#define GPUTEST_LAYER int layer GPUTEST_COMMA
#define GPUTEST_FETCHES(T, end) \
  GPUTEST_FETCH(tex_1d_at, T, end, int x, tex1Dfetch<T>(o, x)) \
  GPUTEST_FETCH(tex_1d, T, end, float x, tex1D<T>(o, x)) \
  GPUTEST_FETCH(tex_2d, T, end, GPUTEST_XY, tex2D<T>(o, x, y)) \
  GPUTEST_FETCH(tex_3d, T, end, GPUTEST_XYZ, tex3D<T>(o, x, y, z)) \
  GPUTEST_FETCH(tex_a1d, T, end, GPUTEST_LAYER float x, tex1DLayered<T>(o, x, layer)) \
  GPUTEST_FETCH(tex_a2d, T, end, GPUTEST_LAYER GPUTEST_XY, tex2DLayered<T>(o, x, y, layer)) \
  GPUTEST_FETCH(tex_cube, T, end, GPUTEST_XYZ, texCubemap<T>(o, x, y, z)) \
  GPUTEST_FETCH(tex_acube, T, end, GPUTEST_LAYER GPUTEST_XYZ, texCubemapLayered<T>(o, x, y, z, layer)) \
  GPUTEST_FETCH(tex_level_1d, T, end, GPUTEST_XY, tex1DLod<T>(o, x, y)) \
  GPUTEST_FETCH(tex_level_2d, T, end, GPUTEST_XYZ, tex2DLod<T>(o, x, y, z)) \
  GPUTEST_FETCH(tex_level_3d, T, end, GPUTEST_XYZ GPUTEST_COMMA float level, tex3DLod<T>(o, x, y, z, level)) \
  GPUTEST_FETCH(tex_level_a2d, T, end, GPUTEST_LAYER GPUTEST_XYZ, tex2DLayeredLod<T>(o, x, y, layer, z)) \
  GPUTEST_FETCH(tld4_2d, T, end, GPUTEST_XY GPUTEST_COMMA int channel, tex2Dgather<T>(o, x, y, channel))
GPUTEST_FETCHES(float4, f32)
GPUTEST_FETCHES(int4, s32)
GPUTEST_FETCHES(uint4, u32)

template <typename T> static __device__ void __gputest_move(void* memory, bool write, cudaSurfaceObject_t o, int x, int y, int z, int mode) {
  if (write)
    __gputest_write_surface<T>(*(T*)memory, o, x, y, z, (cudaSurfaceBoundaryMode)mode);
  else
    *(T*)memory = __gputest_read_surface<T>(o, x, y, z, (cudaSurfaceBoundaryMode)mode);
}
extern "C" __device__ void gputest_ptx_surface(void* memory, int bytes, bool write, cudaSurfaceObject_t o, int x, int y, int z, int mode) {
  switch (bytes) {
  case 1: return __gputest_move<unsigned char>(memory, write, o, x, y, z, mode);
  case 2: return __gputest_move<unsigned short>(memory, write, o, x, y, z, mode);
  case 4: return __gputest_move<unsigned>(memory, write, o, x, y, z, mode);
  case 8: return __gputest_move<uint2>(memory, write, o, x, y, z, mode);
  default: return __gputest_move<uint4>(memory, write, o, x, y, z, mode);
  }
}
extern "C" __device__ unsigned gputest_ptx_extent(unsigned long long o, int which) {
  const __gputest_texture& t = *(const __gputest_texture*)o;
  return (unsigned)(which == 0 ? t.width : which == 1 ? t.height : t.depth);
}
