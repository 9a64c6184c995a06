// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures of an NVIDIA GPU, for numbers of a preset: what a read takes that waits for the one
// before it, how many reads a multiprocessor makes in a cycle, and which sectors warps read and
// write whose threads read texels side by side, in a column or in a rectangle.
//
//     nvcc -O2 -arch=native textures.cu -o textures && ./textures
//     ncu --metrics l1tex__m_xbar2l1tex_read_sectors.sum,lts__t_sectors_op_write.sum ./textures
#include <cstdio>
#include <vector>

__global__ void chase(cudaTextureObject_t t, int rounds, int steps, float* out) {
  float at = 0.5f;
  for (int i = 0; i < rounds; ++i)
    at = tex2D<float>(t, at, 0.5f);
  const long long begin = clock64();
#pragma unroll 16
  for (int i = 0; i < steps; ++i)
    at = tex2D<float>(t, at, 0.5f);
  out[0] = static_cast<float>(clock64() - begin) / steps;
  out[1] = at;
}
// Reads of 32 warps that are all there.
template <typename T, int dimensions>
__global__ void __launch_bounds__(1024) rate(cudaTextureObject_t t, float* out) {
  const float x = threadIdx.x % 8 + 0.75f, y = threadIdx.x / 8 % 4 + 0.75f;
  float sum = 0;
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 4
    for (int i = 0; i < 480; ++i) {
      const float row = y + i % 60;
      if constexpr (dimensions == 3)
        sum += tex3D<T>(t, x, row, 1.75f).x;
      else
        sum += tex2D<T>(t, x, row).x;
    }
    __syncthreads();
    if (threadIdx.x == 0)
      out[0] = static_cast<float>(clock64() - begin) / (480 * 32);
    __syncthreads();
  }
  out[1 + threadIdx.x] = sum;
}

// 64 rectangles, each `wide` texels wide and read by a warp.
template <typename T, int wide>
__global__ void rectangle(cudaTextureObject_t t, float middle, float* out) {
  float sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += tex2D<T>(t, i % 8 * 128 + threadIdx.x % wide + middle,
                    i / 8 * 128 + threadIdx.x / wide + middle)
               .x;
  out[threadIdx.x] = sum;
}
template <int wide> __global__ void fill(cudaSurfaceObject_t s) {
  for (int i = 0; i < 64; ++i)
    surf2Dwrite(1.0f, s, (i % 8 * 128 + threadIdx.x % wide) * 4, i / 8 * 128 + threadIdx.x / wide);
}

cudaTextureObject_t texture(cudaArray_t array, cudaTextureFilterMode filter) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture = {};
  texture.filterMode = filter;
  texture.readMode = cudaReadModeElementType;
  cudaTextureObject_t object = 0;
  cudaCreateTextureObject(&object, &resource, &texture, nullptr);
  return object;
}
template <typename T> cudaArray_t array(int width, int height, int depth, unsigned flags = 0) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t made = nullptr;
  cudaMalloc3DArray(&made, &format, make_cudaExtent(width, height, depth), flags);
  return made;
}

int main() {
  float *out = nullptr, taken = 0;
  cudaMalloc(&out, 8192);
  const auto tell = [&](const char* what) {
    cudaMemcpy(&taken, out, sizeof taken, cudaMemcpyDeviceToHost);
    std::printf("%s: %.2f cycles (%s)\n", what, taken, cudaGetErrorString(cudaGetLastError()));
  };
  for (const int width : {1024, 65536}) {
    const cudaArray_t row = array<float>(width, 8, 0);
    std::vector<float> next(width);
    for (int i = 0; i < width; ++i)
      next[i] = (i + 16) % width + 0.5f;
    cudaMemcpy2DToArray(row, 0, 0, next.data(), width * 4, width * 4, 1, cudaMemcpyHostToDevice);
    chase<<<1, 1>>>(texture(row, cudaFilterModePoint), width / 16, 4096, out);
    tell(width == 1024 ? "a read within L1" : "a read within L2");
  }
  const cudaArray_t one = array<float1>(64, 64, 0), two = array<float2>(64, 64, 0),
                    four = array<float4>(64, 64, 0), deep = array<float1>(64, 64, 8);
  rate<float1, 2><<<1, 1024>>>(texture(one, cudaFilterModePoint), out);
  tell("of 32 warps, a read of float, nearest");
  rate<float1, 2><<<1, 1024>>>(texture(one, cudaFilterModeLinear), out);
  tell("float, linear");
  rate<float2, 2><<<1, 1024>>>(texture(two, cudaFilterModePoint), out);
  tell("float2, nearest");
  rate<float2, 2><<<1, 1024>>>(texture(two, cudaFilterModeLinear), out);
  tell("float2, linear");
  rate<float4, 2><<<1, 1024>>>(texture(four, cudaFilterModePoint), out);
  tell("float4, nearest");
  rate<float1, 3><<<1, 1024>>>(texture(deep, cudaFilterModePoint), out);
  tell("float in 3D, nearest");
  rate<float1, 3><<<1, 1024>>>(texture(deep, cudaFilterModeLinear), out);
  tell("float in 3D, linear");
  const cudaArray_t large = array<float1>(1024, 1024, 0, cudaArraySurfaceLoadStore),
                    quads = array<float4>(1024, 1024, 0);
  const cudaTextureObject_t t = texture(large, cudaFilterModePoint),
                            l = texture(large, cudaFilterModeLinear),
                            f = texture(quads, cudaFilterModePoint);
  rectangle<float1, 32><<<1, 32>>>(t, 0.5f, out);
  rectangle<float1, 8><<<1, 32>>>(t, 0.5f, out);
  rectangle<float1, 4><<<1, 32>>>(t, 0.5f, out);
  rectangle<float1, 2><<<1, 32>>>(t, 0.5f, out);
  rectangle<float1, 1><<<1, 32>>>(t, 0.5f, out);
  rectangle<float1, 32><<<1, 32>>>(l, 1.0f, out);
  rectangle<float1, 8><<<1, 32>>>(l, 1.0f, out);
  rectangle<float4, 32><<<1, 32>>>(f, 0.5f, out);
  rectangle<float4, 8><<<1, 32>>>(f, 0.5f, out);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = large;
  cudaSurfaceObject_t s = 0;
  cudaCreateSurfaceObject(&s, &resource);
  fill<32><<<1, 32>>>(s);
  fill<8><<<1, 32>>>(s);
  fill<1><<<1, 32>>>(s);
  cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
