// Inline PTX: products of matrices (mma), whose fragments lie as the PTX ISA says, and ldmatrix; barriers in memory
// (mbarrier); labels. Matrices hold small whole numbers, so that every sum is exact.
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

// Elements of A by row and k, of B by k and column, of C by row and column.
__host__ __device__ inline int a_of(int row, int k) {
  return (row * 3 + k * 5) % 7 - 3;
}
__host__ __device__ inline int b_of(int k, int column) {
  return (k * 2 + column * 3) % 5 - 2;
}
__host__ __device__ inline int c_of(int row, int column) {
  return row - 2 * column;
}

__device__ inline unsigned bits_of(__half x) {
  return __half_as_ushort(x);
}
__device__ inline unsigned bits_of(__nv_bfloat16 x) {
  return __bfloat16_as_ushort(x);
}
__device__ inline unsigned bits_of(signed char x) {
  return (unsigned char)x;
}

struct Int4 {
  int value;
  __device__ explicit Int4(float x) : value((int)x) {}
};
__device__ inline unsigned bits_of(Int4 x) {
  return x.value & 15;
}
__device__ inline unsigned bits_of(__nv_fp8_e4m3 x) {
  return x.__x;
}
__device__ inline unsigned bits_of(__nv_fp8_e5m2 x) {
  return x.__x;
}

// A register of A or B: N elements from k on.
template <typename T, int N> __device__ unsigned of_a(int row, int k) {
  unsigned word = 0;
  for (int i = 0; i < N; ++i)
    word |= bits_of(T((float)a_of(row, k + i))) << (32 / N * i);
  return word;
}
template <typename T, int N> __device__ unsigned of_b(int k, int column) {
  unsigned word = 0;
  for (int i = 0; i < N; ++i)
    word |= bits_of(T((float)b_of(k + i, column))) << (32 / N * i);
  return word;
}

template <typename T> __device__ void give(T* out, const T* d) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  for (int i = 0; i < 4; ++i)
    out[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = d[i];
}

__global__ void products(float* sums, int* whole, double* precise) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  float d[4], c[4];
  for (int i = 0; i < 4; ++i)
    c[i] = (float)c_of(g + i / 2 * 8, 2 * t + i % 2);
  { // f16, k 16
    unsigned a[4], b[2];
    for (int i = 0; i < 4; ++i)
      a[i] = of_a<__half, 2>(g + i % 2 * 8, 2 * t + i / 2 * 8);
    for (int i = 0; i < 2; ++i)
      b[i] = of_b<__half, 2>(2 * t + 8 * i, g);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    give(sums, d);
    // The sums are halves, too.
    unsigned h[2], r[2];
    for (int i = 0; i < 2; ++i)
      h[i] = bits_of(__float2half(c[2 * i])) | bits_of(__float2half(c[2 * i + 1])) << 16;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(h[0]), "r"(h[1]));
    for (int i = 0; i < 4; ++i)
      d[i] = __half2float(__ushort_as_half((unsigned short)(r[i / 2] >> i % 2 * 16)));
    give(sums + 128, d);
  }
  { // bf16, k 8
    const unsigned a[2] = {of_a<__nv_bfloat16, 2>(g, 2 * t), of_a<__nv_bfloat16, 2>(g + 8, 2 * t)}, b = of_b<__nv_bfloat16, 2>(2 * t, g);
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    give(sums + 256, d);
  }
  { // tf32, k 8: what a float has more does not count
    unsigned a[4], b[2];
    for (int i = 0; i < 4; ++i)
      a[i] = __float_as_uint((float)a_of(g + i % 2 * 8, t + i / 2 * 4)) | 0x3ff;
    for (int i = 0; i < 2; ++i)
      b[i] = __float_as_uint((float)b_of(t + 4 * i, g));
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
    give(sums + 384, d);
  }
  { // s8, k 32
    unsigned a[4], b[2];
    int n[4];
    for (int i = 0; i < 4; ++i)
      a[i] = of_a<signed char, 4>(g + i % 2 * 8, 4 * t + i / 2 * 16);
    for (int i = 0; i < 2; ++i)
      b[i] = of_b<signed char, 4>(4 * t + 16 * i, g);
    asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                 : "=r"(n[0]), "=r"(n[1]), "=r"(n[2]), "=r"(n[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"((int)c[0]), "r"((int)c[1]), "r"((int)c[2]), "r"((int)c[3]));
    give(whole, n);
  }
#define PRODUCT(shape, types, sum, N, T, U, out)                                                                                  \
  {                                                                                                                               \
    sum r[4] = {(sum)c[0], (sum)c[1], (sum)c[2], (sum)c[3]};                                                                      \
    unsigned a[4], b[2];                                                                                                          \
    for (int i = 0; i < 4; ++i)                                                                                                   \
      a[i] = of_a<T, N>(g + i % 2 * 8, N * t + i / 2 * 4 * N);                                                                    \
    for (int i = 0; i < 2; ++i)                                                                                                   \
      b[i] = of_b<U, N>(N * t + 4 * N * i, g);                                                                                    \
    asm volatile("mma.sync.aligned." shape ".row.col." types " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"   \
                 : IN(sum)(r[0]), IN(sum)(r[1]), IN(sum)(r[2]), IN(sum)(r[3])                                                     \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                                             \
    give(out, r);                                                                                                                 \
  }
#define IN(sum) IN_##sum
#define IN_int "+r"
#define IN_float "+f"
  PRODUCT("m16n8k32", "f32.e4m3.e4m3.f32", float, 4, __nv_fp8_e4m3, __nv_fp8_e4m3, sums + 640)
  PRODUCT("m16n8k32", "f32.e5m2.e4m3.f32", float, 4, __nv_fp8_e5m2, __nv_fp8_e4m3, sums + 768)
  PRODUCT("m16n8k64", "s32.s4.s4.s32", int, 8, Int4, Int4, whole + 128)
  { // f64, k 4
    double e[2];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(e[0]), "=d"(e[1]) : "d"((double)a_of(g, t)), "d"((double)b_of(t, g)), "d"((double)c[0]), "d"((double)c[1]));
    for (int i = 0; i < 2; ++i)
      precise[g * 8 + 2 * t + i] = e[i];
  }
}

// A and B lie in shared memory row by row, and are loaded as fragments.
__global__ void loaded(float* sums) {
  __shared__ alignas(16) __half a[16][16], b[16][8];
  const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  for (int i = lane; i < 256; i += 32)
    a[i / 16][i % 16] = __float2half((float)a_of(i / 16, i % 16));
  for (int i = lane; i < 128; i += 32)
    b[i / 8][i % 8] = __float2half((float)b_of(i / 8, i % 8));
  __syncwarp();
  unsigned ra[4], rb[2];
  float d[4], c[4];
  for (int i = 0; i < 4; ++i)
    c[i] = (float)c_of(g + i / 2 * 8, 2 * t + i % 2);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"((unsigned)__cvta_generic_to_shared(&a[lane % 16][lane / 16 * 8])));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(rb[0]), "=r"(rb[1]) : "r"((unsigned)__cvta_generic_to_shared(&b[lane % 16][0])));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  give(sums, d);
}

__global__ void transposed(unsigned* out) {
  const unsigned lane = threadIdx.x % 32, row = lane / 4, column = lane % 4 * 2; // elements are 16 row + column
  unsigned own = (16 * row + column + 1) << 16 | (16 * row + column), turned;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(own));
  out[threadIdx.x] = turned;
}

// Arrives twice more in the half of the threads; the phase does not end with it.
__device__ void arrive_twice(unsigned at) {
  if (threadIdx.x < 32)
    asm volatile("{ .reg .b64 s; mbarrier.arrive.noComplete.shared.b64 s, [%0], %1; }" ::"r"(at), "r"(2) : "memory");
}

// Two phases of a barrier in memory. Whoever asks by the state or by the parity goes on when all have come.
__global__ void phases(int* out) {
  __shared__ unsigned long long barrier;
  __shared__ int words[64];
  const int i = threadIdx.x;
  const unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
  if (i == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(128) : "memory");
  __syncthreads();
  words[i] = i;
  arrive_twice(at);
  asm volatile("{ .reg .b64 s; .reg .pred p; mbarrier.arrive.shared.b64 s, [%0];\n"
               "AGAIN: mbarrier.test_wait.shared.b64 p, [%0], s; @!p bra AGAIN; }" ::"r"(at) : "memory");
  out[i] = words[63 - i];
  arrive_twice(at);
  asm volatile("{ .reg .b64 s; .reg .pred p; mbarrier.arrive.shared.b64 s, [%0];\n"
               "AGAIN: mbarrier.test_wait.parity.shared.b64 p, [%0], 1; @!p bra AGAIN; }" ::"r"(at) : "memory");
  words[i] = 100 + i;
  __syncthreads();
  out[i] += words[i / 2];
}

static int wanted(int row, int column, int size) {
  int sum = c_of(row, column);
  for (int k = 0; k < size; ++k)
    sum += a_of(row, k) * b_of(k, column);
  return sum;
}

int main() {
  float* sums = nullptr;
  int* whole = nullptr;
  double* precise = nullptr;
  EXPECT(cudaMallocManaged(&sums, 7 * 128 * sizeof *sums) == cudaSuccess);
  EXPECT(cudaMallocManaged(&whole, 256 * sizeof *whole) == cudaSuccess);
  EXPECT(cudaMallocManaged(&precise, 64 * sizeof *precise) == cudaSuccess);
  products<<<1, 32>>>(sums, whole, precise);
  loaded<<<1, 32>>>(sums + 512);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      const int at = row * 8 + column;
      EXPECT(sums[at] == wanted(row, column, 16) && sums[128 + at] == wanted(row, column, 16));
      EXPECT(sums[256 + at] == wanted(row, column, 8) && sums[384 + at] == wanted(row, column, 8));
      EXPECT(sums[512 + at] == wanted(row, column, 16) && whole[at] == wanted(row, column, 32));
      EXPECT(sums[640 + at] == wanted(row, column, 32) && sums[768 + at] == wanted(row, column, 32));
      EXPECT(whole[128 + at] == wanted(row, column, 64));
      EXPECT(row >= 8 || precise[at] == wanted(row, column, 4));
    }
  transposed<<<1, 64>>>(reinterpret_cast<unsigned*>(whole));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 64; ++i)
    EXPECT(whole[i] == ((16 * (i % 4 * 2 + 1) + i % 32 / 4) << 16 | (16 * (i % 4 * 2) + i % 32 / 4)));
  phases<<<1, 64>>>(whole);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 64; ++i)
    EXPECT(whole[i] == 63 - i + 100 + i / 2);
  return wrong;
}
