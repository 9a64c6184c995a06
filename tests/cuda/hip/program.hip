// Programs of HIP: the API under its names, launches by macro, wavefronts, vector types, bits.
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include "check.h"

#include <cstring>
#include <vector>

#if !defined(__HIP__) || !defined(__HIPCC__) || !defined(__HIP_PLATFORM_AMD__)
#error this is HIP on AMD's platform
#endif
#if defined(__CUDACC__) || defined(__CUDA__) || defined(__NVCC__) || defined(__CUDA_ARCH__)
#error this is not CUDA
#endif

__constant__ float factor;
__device__ int counter;

template <typename T> __global__ void scale(T* data, int n) {
  const int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n)
    data[i] *= factor;
  static_assert(sizeof(pow(1.0f, n)) == 4 && sizeof(std::pow(1.0f, n)) == 4 && sizeof(pow(1.0, n)) == 8 && sizeof(pow(n, 1.0f)) == 8,
                "HIP's types, which are not CUDA's");
}

__global__ void reversed(int* data) {
  HIP_DYNAMIC_SHARED(int, tile)
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

__global__ void vectors(float4* out) {
  float4 a(1, 2, 3, 4);
  a += float4(1.0f);
  out[0] = a * 2.0f - make_float4(1, 1, 1, 1) / float4(2.0f);
  const int2 b = int2(7, 9) % 4;
  out[1] = float4(b.x, b.y, a == float4(2, 3, 4, 5), a != a);
}

__global__ void bits(unsigned* out) {
  out[0] = __bitextract_u32(0xabcd1234u, 8, 12);
  out[1] = __bitinsert_u32(0xffffffffu, 0, 4, 8);
  out[2] = __ffs(8u) + __popcll(0xff00ull) + __ffsll(1ull << 40);
  out[3] = __builtin_amdgcn_ubfe(0xabcd1234u, 4, 8);
  out[4] = (unsigned)__builtin_amdgcn_sbfe(0xf0, 4, 4);
  out[5] = __builtin_amdgcn_alignbit(1, 0, 4);
  out[6] = (unsigned)__builtin_amdgcn_fmed3f(3, 1, 2);
  out[7] = __lastbit_u32_u64(1ull << 33);
}

// The instructions of AMD's that have the same meaning in PTX.
__global__ void assembler(int* out, float* real) {
  int moved, sum, mixed;
  asm volatile("v_mov_b32_e32 %0, %1" : "=v"(moved) : "v"(out[threadIdx.x]));
  asm("v_add_u32 %0, %1, %2\n\t"
      "v_mul_lo_u32 %0, %0, 3"
      : "=&v"(sum)
      : "v"(moved), "s"(4));
  asm("v_xor_b32_e64 %0, %1, -1\n v_and_b32 %0, %0, 0xff" : "=v"(mixed) : "v"(sum));
  asm("v_mov_b32 %0, %1" : "=v"(real[0]) : "v"(real[1]));
  asm("v_mul_f32 %0, %0, %1" : "+v"(real[1]) : "v"(0.5f));
  out[0] = moved;
  out[1] = sum;
  out[2] = mixed;
}

__global__ void wavefronts(unsigned long long* out, int* sums) {
  const unsigned lane = __lane_id();
  int sum = threadIdx.x;
  for (int by = warpSize / 2; by > 0; by /= 2)
    sum += __shfl_down(sum, by);
  const unsigned long long odd = __ballot(lane & 1);
  const int first = __builtin_amdgcn_readfirstlane((int)threadIdx.x);
  const bool all = __all(sum >= 0), any = __any(lane == 5);
  int below = __builtin_amdgcn_mbcnt_hi((unsigned)(odd >> 32), __builtin_amdgcn_mbcnt_lo((unsigned)odd, 0));
  if (lane < 4) // some lanes alone
    below += 100 * __popcll(__ballot(1));
  if (lane == 0) {
    sums[threadIdx.x / warpSize] = sum;
    atomicAdd(&counter, first);
  }
  if (threadIdx.x == 0) {
    out[0] = odd;
    out[1] = all + 2 * any;
  }
  if (threadIdx.x == 3)
    out[2] = below;
}

__global__ void numbers(float* out) {
  out[0] = __half2float(__hadd(__float2half(1.5f), __float2half(2.0f)));
  out[1] = float(hip_bfloat16(1.0f) + hip_bfloat16(0.0078125f));
  out[2] = float(__float2bfloat16(3.0f));
  out[3] = hipCrealf(hipCmulf(make_hipFloatComplex(1, 2), make_hipFloatComplex(3, 4)));
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block();
  block.sync();
  out[4] = block.size();
}

__global__ void atomics(int* out) {
  __hip_atomic_fetch_add(&out[0], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  unsafeAtomicAdd((float*)&out[1], 1.0f);
}

int main() {
  int count = 0;
  EXPECT(hipGetDeviceCount(&count) == hipSuccess && count == 1);
  hipDeviceProp_t properties;
  EXPECT(hipGetDeviceProperties(&properties, 0) == hipSuccess);
  EXPECT(std::strcmp(properties.gcnArchName, "gfx90a") == 0 && properties.major == 9);
  int value = 0;
  EXPECT(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0) == hipSuccess);
  EXPECT(value == properties.warpSize);
  EXPECT(hipDeviceGetAttribute(&value, hipDeviceAttributeImageSupport, 0) == hipSuccess && value == 1);
  const int lanes = value = properties.warpSize;

  // Memory, symbols, launches, streams, events.
  const int n = 100;
  std::vector<float> host(n, 2);
  float* data = nullptr;
  hipStream_t stream;
  hipEvent_t begin, end;
  EXPECT(hipMalloc(&data, n * sizeof(float)) == hipSuccess);
  EXPECT(hipStreamCreate(&stream) == hipSuccess);
  EXPECT(hipEventCreate(&begin) == hipSuccess);
  EXPECT(hipEventCreateWithFlags(&end, hipEventDisableSystemFence) == hipSuccess);
  const float three = 3;
  EXPECT(hipMemcpyToSymbol(HIP_SYMBOL(factor), &three, sizeof three) == hipSuccess);
  EXPECT(hipMemcpyAsync(data, host.data(), n * sizeof(float), hipMemcpyHostToDevice, stream) == hipSuccess);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<float>), dim3(4), dim3(32), 0, stream, data, n);
  scale<<<4, 32, 0, stream>>>(data, n);
  hipExtLaunchKernelGGL(scale<float>, dim3(4), dim3(32), 0, stream, begin, end, 0, data, n);
  EXPECT(hipMemcpyWithStream(host.data(), data, n * sizeof(float), hipMemcpyDeviceToHost, stream) == hipSuccess);
  EXPECT(host[0] == 54 && host[n - 1] == 54);
  float time = -1;
  EXPECT(hipEventElapsedTime(&time, begin, end) == hipSuccess && time >= 0);
  EXPECT(hipGetLastError() == hipSuccess);

  int* words = nullptr;
  EXPECT(hipHostMalloc((void**)&words, 64 * sizeof(int), hipHostMallocCoherent) == hipSuccess);
  for (int i = 0; i < 64; ++i)
    words[i] = i;
  reversed<<<1, 64, 64 * sizeof(int)>>>(words);
  EXPECT(hipDeviceSynchronize() == hipSuccess);
  EXPECT(words[0] == 63 && words[63] == 0);
  hipPointerAttribute_t attributes;
  EXPECT(hipPointerGetAttributes(&attributes, words) == hipSuccess && attributes.type == hipMemoryTypeHost);

  float4* four = nullptr;
  EXPECT(hipMallocManaged(&four, 4 * sizeof(float4)) == hipSuccess);
  vectors<<<1, 1>>>(four);
  EXPECT(hipDeviceSynchronize() == hipSuccess);
  EXPECT(four[0].x == 3.5f && four[0].w == 9.5f && four[1].x == 3 && four[1].y == 1 && four[1].z == 1 && four[1].w == 0);

  unsigned* some = (unsigned*)words;
  bits<<<1, 1>>>(some);
  EXPECT(hipDeviceSynchronize() == hipSuccess);
  EXPECT(some[0] == 0xd12 && some[1] == 0xfffff00f && some[2] == 4 + 8 + 41 && some[3] == 0x23);
  EXPECT((int)some[4] == -1 && some[5] == 0x10000000 && some[6] == 2 && some[7] == 33);

  words[0] = 7;
  words[3] = 0;
  float* const reals = reinterpret_cast<float*>(words + 4);
  reals[1] = -2.5f;
  assembler<<<1, 1>>>(words, reals);
  EXPECT(hipDeviceSynchronize() == hipSuccess);
  EXPECT(words[0] == 7 && words[1] == 33 && words[2] == 0xde && reals[0] == -2.5f && reals[1] == -1.25f);

  unsigned long long* masks = nullptr;
  int* sums = nullptr;
  EXPECT(hipMallocManaged(&masks, 3 * sizeof *masks) == hipSuccess);
  EXPECT(hipMallocManaged(&sums, 4 * sizeof *sums) == hipSuccess);
  wavefronts<<<1, 2 * lanes>>>(masks, sums);
  EXPECT(hipDeviceSynchronize() == hipSuccess);
  EXPECT(sums[0] == lanes * (lanes - 1) / 2 && sums[1] == sums[0] + lanes * lanes);
  EXPECT(masks[0] == (lanes == 64 ? 0xaaaaaaaaaaaaaaaaull : 0xaaaaaaaaull));
  EXPECT(masks[1] == 3 && masks[2] == 401);
  EXPECT(hipMemcpyFromSymbol(&value, HIP_SYMBOL(counter), sizeof value) == hipSuccess && value == lanes);

  numbers<<<1, 1>>>(data);
  EXPECT(hipMemcpy(host.data(), data, 5 * sizeof(float), hipMemcpyDeviceToHost) == hipSuccess);
  EXPECT(host[0] == 3.5f && host[1] == 1.0078125f && host[2] == 3 && host[3] == -5 && host[4] == 1);

  words[0] = words[1] = 0;
  atomics<<<1, 64>>>(words);
  EXPECT(hipDeviceSynchronize() == hipSuccess);
  EXPECT(words[0] == 64 && reinterpret_cast<float&>(words[1]) == 64);

  // Names of errors.
  EXPECT(hipMalloc(&data, 1ull << 60) == hipErrorOutOfMemory);
  EXPECT(std::strcmp(hipGetErrorName(hipErrorOutOfMemory), "hipErrorOutOfMemory") == 0);
  EXPECT(std::strcmp(hipGetErrorName(hipErrorInvalidValue), "hipErrorInvalidValue") == 0);
  EXPECT(std::strcmp(hipGetErrorString(hipErrorOutOfMemory), "out of memory") == 0);
  EXPECT(hipGetLastError() == hipErrorOutOfMemory);
  EXPECT(hipHostFree(words) == hipSuccess && hipFree(four) == hipSuccess && hipStreamDestroy(stream) == hipSuccess);
  return wrong;
}
