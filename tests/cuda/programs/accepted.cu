// What nvcc accepts, and stricter headers would not.
#if !defined(__HOST_DEFINES_H__) // as libraries do that are also compiled without CUDA
#undef __host__
#undef __device__
#undef __global__
#endif
#include "check.h"

#include <utility>

__host__ __device__ int kinds(float x, double y) { // without <math.h>, and without std
  return isfinite(x) + 2 * isnan(y) + 4 * isinf(x) + 8 * signbit(y) + 16 * isfinite(y) + 32 * (int)fmin(fmax(x, 0.5f), 3.0f);
}
__global__ void kinds_on_device(float x, double y, int* out) {
  *out = kinds(x, y);
}
template <typename T> static bool all_finite(const T* values, int n) {
  for (int i = 0; i < n; ++i)
    if (!isfinite(values[i]))
      return false;
  return true;
}

static void pointers() {
  const float* constant = nullptr;
  volatile int* changing = nullptr;
  const volatile double* both = nullptr;
  const char* host = nullptr;
  const int* managed = nullptr;
  const short* rows = nullptr;
  const void* any = nullptr;
  size_t pitch = 0;
  EXPECT(cudaMalloc(&constant, 64) == cudaSuccess && cudaMalloc(&changing, 64) == cudaSuccess);
  EXPECT(cudaMalloc(&both, 64) == cudaSuccess && cudaMallocHost(&host, 64) == cudaSuccess);
  EXPECT(cudaMallocManaged(&managed, 64) == cudaSuccess && cudaMallocPitch(&rows, &pitch, 64, 2) == cudaSuccess);
  EXPECT(cudaMalloc(&any, 64) == cudaSuccess && cudaMallocAsync(&constant, 64, nullptr) == cudaSuccess);
}

// Special registers with one '%', and operands with a modifier.
#define CLOCK(t) asm volatile("mov.u64 %0, %clock64;" : "=l"(t))
__global__ void registers(unsigned long long* out, unsigned seven) {
  unsigned long long t, later;
  unsigned lane = seven, sum;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); // asm("mov.u32 %0, %laneid;" : "=r"(lane)) in a comment
  CLOCK(later);
  asm("{ .reg .u32 r;\n\t"
      "mov.u32 r, %laneid; add.u32 %0, r, %1;\n\t"
      "mov.u32 %1, %%laneid; }"
      : "=r"(sum), "+r"(lane));
  out[threadIdx.x] = t > 0 && later > 0 ? 100 * lane + sum : 0;
  asm("mov.u32 %0, %tid.x;" : "=r"(lane));
  asm(R"({ .reg .u32 r; mov.u32 r, %ntid.x; add.u32 %0, %0, r; })" : "+r"(lane));
  out[threadIdx.x] += 10000 * lane;
}

// A type that std::declval() gives, in device code.
template <typename Of> __device__ auto doubled(Of of, int x) -> decltype(std::declval<Of>()(std::declval<int>())) {
  return 2 * of(x);
}
struct AddHalf {
  __device__ double operator()(int x) const { return x + 0.5; }
};
__global__ void types(int* out) {
  *out = static_cast<int>(doubled(AddHalf{}, 3));
}

// Functions that C has not, which CUDA has for the host, too.
template <typename T> __host__ __device__ void no_c(T x, T* to) {
  T* const at = to + 2;
  at[0] = sinpi(x), at[1] = cospi(x), at[2] = rcbrt(x), at[3] = rsqrt(x), at[4] = normcdf(-x);
  at[5] = erfinv(x / 40), at[6] = erfcinv(x / 20), at[7] = normcdfinv(x / 40);
  sincospi(x, at + 8, at + 9);
}
template <typename T> __global__ void no_c_on_device(T x, T* to) {
  no_c(x, to);
  to[0] = 2, to[1] = 1;
}
template <typename T> void no_c_alike(double most) {
  Device<T> is(12);
  for (const double x : {1e-9, 0.25, 0.5, 1.0, 1.3, 2.75, 7.5, 19.99}) {
    T wanted[12] = {2, 1};
    no_c(static_cast<T>(x), wanted);
    no_c_on_device<<<1, 1>>>(static_cast<T>(x), is.data);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 12; ++i)
      EXPECT(fabs(is[i] - wanted[i]) <= most * (1 + fabs(wanted[i])));
  }
  EXPECT(erfcinv(T(0)) > 1e30 && erfinv(T(-1)) < -1e30 && isnan(erfcinv(T(3))) && sinpi(T(-3)) == 0);
}

// Arrays of the host whose size is no constant, with values.
#define TWICE (2 * n)
struct Pair {
  float x;
  int y;
};
template <typename T> static T sum_of_sized(int n) {
  T zeros[n] = {}, *pointers[n] = {}, some[n]{1, 2}, rows[n][3] = {4};
  const char* names[TWICE] = {
      "a", // the first
      "b"};
  char word[n] = "ab";
  Pair pairs[n] = {{1, 2}, {3, 4}};
  std::pair<int, T> of_class[n] = {};
  T columns[2][n] = {};
  int lines[n][3] = {{1}, {2, 3}}, cubes[n][2][2] = {{{1}, {2}}, // one by one
                                                     {{3, 4}}};
  std::pair<int, int> scoped[n] = {}, last(1, 2);
  unsigned char bytes[n] = "ab";
  EXPECT(lines[0][0] == 1 && lines[0][1] == 0 && lines[1][0] == 2 && lines[1][1] == 3 && lines[2][0] == 0);
  EXPECT(cubes[0][0][0] == 1 && cubes[0][0][1] == 0 && cubes[0][1][0] == 2 && cubes[1][0][1] == 4 && cubes[1][1][0] == 0);
  EXPECT(scoped[n - 1].first == 0 && last.second == 2 && bytes[1] == 'b' && bytes[2] == 0);
  T sum = 0;
  for (int i = 0; i < n; ++i)
    sum += zeros[i] + some[i] + rows[i][0] + (pointers[i] != nullptr) + (names[n + i] != nullptr) + word[i] + columns[1][i] +
           pairs[i].y + of_class[i].second;
  return sum;
}

// Launches as editors write them, pragmas that no loop follows, and arguments in braces.
template <int More, typename T> __global__ void add(T* to) {
#pragma unroll
  {
    const auto threads = blockDim;
    const auto thread = threadIdx;
#pragma unroll 4
#pragma unroll 2
    for (unsigned i = 0; i <= thread.x && threads.y == 1; ++i)
      to[blockIdx.x] += i == thread.x ? More : 0;
# pragma nounroll
  }
#  pragma unroll
}
// Texts that only look like these.
const char kPragma[] = "#pragma unroll 4";
const char kLines[] = R"(
#pragma unroll
{ })";
template <typename T> struct In {};
struct Out {
  int calls = 0;
};
template <typename T> Out& operator<<(Out& out, const T&) {
  ++out.calls;
  return out;
}
template <> Out& operator<< <In<In<int>>>(Out& out, const In<In<int>>&) {
  out.calls += 10;
  return out;
}
#define CONTINUED(g, x) add<4> << <g, 1 >> > \
  (x)
static void launches() {
  Out calls;
  operator<< <In<In<char>> >(calls << In<In<int>>(), In<In<char>>());
  EXPECT(calls.calls == 11 && kPragma[0] == '#' && kLines[1] == '#');
  Device<int> out(2);
  // clang-format off
  add<1> << <1, 1 >> > (out.data); // << <1, 1>> >(x)
  add<2> <<<(4 >> 2) >> 0, 1 >>	>(out.data);
  add<static_cast<int>(sizeof(std::pair<std::pair<int, int>, int>)), int> <<  <dim3(1), 1, 0, 0>>>(out.data);
  add<3><<<{2, 1}, {1}, 0, {}>>>(out.data);
  CONTINUED(1, out.data);
  add<5> << <{2, 1}, 1 >> >(out.data);
  // clang-format on
  EXPECT(out[0] == 1 + 2 + 12 + 3 + 4 + 5 && out[1] == 3 + 5);
}

// What CUDA does not have, programs may define.
__device__ long long atomicAdd(long long* to, long long value) {
  return static_cast<long long>(atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value)));
}
__device__ long long atomicExch(long long* to, long long value) {
  return *to = value;
}
__global__ void own_atomics(long long* to) {
  atomicAdd(to, -5LL);
  atomicMin(to, -7LL);
  atomicExch(to + 1, 3LL);
}

#ifndef __CUDA_ARCH_LIST__
#error "nvcc says for which GPUs it compiles"
#endif

int main() {
  EXPECT(sum_of_sized<int>(3) == 3 + 4 + 'a' + 'b' + 6 && sum_of_sized<double>(5) == 3 + 4 + 'a' + 'b' + 6);
  launches();
  Device<long long> wide(2);
  own_atomics<<<1, 1>>>(wide.data);
  EXPECT(wide[0] == -7 && wide[1] == 3);
  no_c_alike<float>(1e-6);
  no_c_alike<double>(1e-14);
  Device<int> out(1);
  types<<<1, 1>>>(out.data);
  EXPECT(out[0] == 7);
  for (const float x : {1.0f, -0.0f, 1.0f / 0.0f, 0.0f / 0.0f, -7.0f}) {
    kinds_on_device<<<1, 1>>>(x, x, out.data);
    EXPECT(out[0] == kinds(x, x));
  }
  const float numbers[] = {1, 2, 1e30f * 1e30f};
  EXPECT(all_finite(numbers, 2) && !all_finite(numbers, 3));
  EXPECT(kinds(1, 0.0 / 0.0) % 16 % 8 == 3 && kinds(-1.0f / 0.0f, -1.0) % 32 == 28 && kinds(3, 1) == 113);
  pointers();
  Device<unsigned long long> words(2);
  registers<<<1, 2>>>(words.data, 7);
  EXPECT(words[0] == 20007 && words[1] == 30108);
  return wrong;
}
