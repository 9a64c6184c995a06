// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures and surfaces on a GPU: which texels are in one sector, how many requests an instruction
// is, and which sectors these touch.
//
//     nvcc -O2 -arch=native texture_requests.cu -o texture_requests
//     metrics=l1tex__t_requests_pipe_tex_mem_texture.sum,l1tex__t_sectors_pipe_tex_mem_texture.sum
//     metrics=$metrics,l1tex__t_sectors_pipe_tex_mem_texture_lookup_miss.sum
//     metrics=$metrics,lts__t_sectors_srcunit_tex_op_read.sum
//     metrics=$metrics,l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum
//     metrics=$metrics,l1tex__t_sectors_pipe_tex_mem_surface_op_ld.sum
//     metrics=$metrics,l1tex__t_sectors_pipe_tex_mem_surface_op_st.sum,sm__cycles_elapsed.max
//     ncu --csv --page raw --metrics $metrics ./texture_requests
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int kSize = 1024; // texels of a row, and rows

#define CHECK(call)                                                                                \
  do {                                                                                             \
    if (const cudaError_t error = (call); error != cudaSuccess) {                                  \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error));                                   \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

// One warp, whose work-items read `width` neighbours of each row, from (left, top) on.
template <typename T, int width, int left, int top>
__global__ void one(cudaTextureObject_t texture, float* out) {
  const int x = left + threadIdx.x % width, y = top + threadIdx.x / width;
  out[threadIdx.x] = static_cast<float>(tex2D<T>(texture, x + 0.5F, y + 0.5F).x);
}

// The same between texels, so that a linear filter reads four.
template <int width> __global__ void filtered(cudaTextureObject_t texture, float* out) {
  const int x = threadIdx.x % width, y = threadIdx.x / width;
  out[threadIdx.x] = tex2D<float>(texture, x + 1.0F, y + 1.0F);
}

template <int width> __global__ void surface_read(cudaSurfaceObject_t surface, float* out) {
  out[threadIdx.x] = surf2Dread<float>(surface, 4 * (threadIdx.x % width), threadIdx.x / width);
}

template <int width> __global__ void surface_write(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0F, surface, 4 * (threadIdx.x % width), threadIdx.x / width);
}

enum class Way { Rows, Columns, Filtered };

// Each texel once.
template <Way way> __global__ void all(cudaTextureObject_t texture, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float by = way == Way::Filtered ? 1.0F : 0.5F;
  out[y * kSize + x] = way == Way::Columns ? tex2D<float>(texture, y + by, x + by)
                                           : tex2D<float>(texture, x + by, y + by);
}

template <Way way> __global__ void line(cudaTextureObject_t texture, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex1Dfetch<float>(texture, way == Way::Columns ? i % kSize * kSize + i / kSize : i);
}

template <typename T> cudaArray_t new_array() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, kSize, kSize, cudaArraySurfaceLoadStore));
  return array;
}

cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, cudaTextureFilterMode filter) {
  cudaTextureDesc description{};
  description.filterMode = filter;
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

template <typename T> void shapes(float* out) {
  const cudaTextureObject_t texture =
      texture_of(resource_of(new_array<T>()), cudaFilterModePoint);
  one<T, 32, 0, 0><<<1, 32>>>(texture, out);
  one<T, 16, 0, 0><<<1, 32>>>(texture, out);
  one<T, 8, 0, 0><<<1, 32>>>(texture, out);
  one<T, 4, 0, 0><<<1, 32>>>(texture, out);
  one<T, 2, 0, 0><<<1, 32>>>(texture, out);
  one<T, 1, 0, 0><<<1, 32>>>(texture, out);
  one<T, 8, 1, 1><<<1, 32>>>(texture, out);
  one<T, 8, 4, 2><<<1, 32>>>(texture, out);
  one<T, 8, 2, 0><<<1, 32>>>(texture, out);
  one<T, 8, 0, 1><<<1, 32>>>(texture, out);
}

int main() {
  float *out, *data;
  CHECK(cudaMalloc(&out, sizeof(float) * kSize * kSize));
  CHECK(cudaMalloc(&data, sizeof(float) * kSize * kSize));
  shapes<uchar1>(out);
  shapes<ushort1>(out);
  shapes<float1>(out);
  shapes<float2>(out);
  shapes<float4>(out);
  const cudaResourceDesc resource = resource_of(new_array<float>());
  const cudaTextureObject_t nearest = texture_of(resource, cudaFilterModePoint),
                            linear = texture_of(resource, cudaFilterModeLinear);
  filtered<32><<<1, 32>>>(linear, out);
  filtered<8><<<1, 32>>>(linear, out);
  filtered<1><<<1, 32>>>(linear, out);
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  surface_read<32><<<1, 32>>>(surface, out);
  surface_read<8><<<1, 32>>>(surface, out);
  surface_read<1><<<1, 32>>>(surface, out);
  surface_write<32><<<1, 32>>>(surface);
  surface_write<8><<<1, 32>>>(surface);
  surface_write<1><<<1, 32>>>(surface);
  for (const unsigned side : {32U, 16U, 8U}) {
    const dim3 blocks(kSize / side, kSize / side), block(side, side);
    all<Way::Rows><<<blocks, block>>>(nearest, out);
    all<Way::Columns><<<blocks, block>>>(nearest, out);
    all<Way::Filtered><<<blocks, block>>>(linear, out);
  }
  // Memory that is no array: by one index, and as rows.
  cudaResourceDesc linear_memory{};
  linear_memory.resType = cudaResourceTypeLinear;
  linear_memory.res.linear.devPtr = data;
  linear_memory.res.linear.desc = cudaCreateChannelDesc<float>();
  linear_memory.res.linear.sizeInBytes = sizeof(float) * kSize * kSize;
  const cudaTextureObject_t of_memory = texture_of(linear_memory, cudaFilterModePoint);
  line<Way::Rows><<<kSize, kSize>>>(of_memory, out);
  line<Way::Columns><<<kSize, kSize>>>(of_memory, out);
  cudaResourceDesc rows{};
  rows.resType = cudaResourceTypePitch2D;
  rows.res.pitch2D.devPtr = data;
  rows.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  rows.res.pitch2D.width = rows.res.pitch2D.height = kSize;
  rows.res.pitch2D.pitchInBytes = sizeof(float) * kSize;
  const cudaTextureObject_t of_rows = texture_of(rows, cudaFilterModePoint);
  all<Way::Rows><<<dim3(32, 32), dim3(32, 32)>>>(of_rows, out);
  all<Way::Columns><<<dim3(32, 32), dim3(32, 32)>>>(of_rows, out);
  CHECK(cudaDeviceSynchronize());
  std::puts("done");
}
