// Products and sums that nvcc contracts to one operation, and those that it leaves: read off from its machine code
// (13.0, sm_90). Built with -fmad=false, nothing is contracted.
#include "check.h"

#include <cmath>
#include <cstring>

#ifdef APART
template <typename T> static T one(T x, T y, T z) {
  volatile T product = x * y;
  return product + z;
}
#else
template <typename T> static T one(T x, T y, T z) {
  return std::fma(x, y, z);
}
#endif
template <typename T> static T two(T x, T y) {
  volatile T product = x * y;
  return product;
}

// CASE(what the device computes, what the host does). Each case has its own numbers a to f, and results r and s.
#define CASES                                                                                                                              \
  CASE(r = a * b + c, r = one(a, b, c))                                                                                                    \
  CASE(r = c + a * b, r = one(a, b, c))                                                                                                    \
  CASE(r = a * b - c, r = one(a, b, -c))                                                                                                   \
  CASE(r = c - a * b, r = one(-a, b, c))                                                                                                   \
  CASE(r = -(a * b) - c, r = one(-a, b, -c))                                                                                               \
  CASE(r = a * b + c * d, r = one(a, b, two(c, d)))                                                                                        \
  CASE(r = c * d + a * b, r = one(a, b, two(c, d)))                                                                                        \
  CASE(r = a * b - c * d, r = one(a, b, -two(c, d)))                                                                                       \
  CASE(r = c * d - a * b, r = one(c, d, -two(a, b)))                                                                                       \
  CASE(r = a * b + c * d + e * f, r = one(e, f, one(a, b, two(c, d))))                                                                     \
  CASE(r = a * b - (c - d * e), r = one(a, b, -one(-d, e, c)))                                                                             \
  CASE(r = c - (a * b + d * e), r = c - one(a, b, two(d, e)))                                                                              \
  CASE(T t = a * b; r = c - (-t), r = one(a, b, c))                                                                                        \
  CASE(T t = -c; r = a * t + c * d; s = (-t) * b - e, r = one(c, d, -two(a, c)); s = one(c, b, -e))                                        \
  CASE(r = a * a - a * a, r = 0)                                                                                                           \
  CASE(r = a / 4 + b, r = one(a, T(0.25), b))                                                                                              \
  CASE(r = (1 - a) * b + a * c, r = one(T(1 - a), b, two(a, c)))                                                                           \
  CASE(T t = a * b; r = t + c; s = t + d, r = one(a, b, c); s = one(a, b, d))                                                              \
  CASE(T t = a * b; r = t + c; s = d - t, r = one(a, b, c); s = one(-a, b, d))                                                             \
  CASE(T t = a * b; r = t + c; s = t, s = two(a, b); r = s + c)                                                                            \
  CASE(T t = a * b; r = t - c; s = t * d, r = two(a, b) - c; s = two(two(a, b), d))                                                        \
  CASE(T t = a * b; T u = c * d; r = t + u; s = t - u, r = one(a, b, two(c, d)); s = one(a, b, -two(c, d)))                                \
  CASE(T t = a * b; T u = c * d; r = t + u; s = u + e, r = one(a, b, two(c, d)); s = one(c, d, e))                                         \
  CASE(T t = a * b; T u = c * d; r = t - u; s = u + e, r = one(a, b, -two(c, d)); s = two(c, d) + e)                                       \
  CASE(T t = a * b; T u = c * d; r = t - u; s = t + e, r = one(-c, d, two(a, b)); s = two(a, b) + e)                                       \
  CASE(T t = a * b; T u = c * d; r = t - u; s = t, s = two(a, b); r = one(-c, d, s))                                                       \
  CASE(T t = a * b; r = t + t, r = one(a, b, two(a, b)))                                                                                   \
  CASE(T t = a * b; if (n < 3) { atomicAdd(&left, 1); r = t + c; } s = t + d, s = two(a, b) + d)                                           \
  CASE(T t = a * b; if (n < 3) atomicAdd(&left, 1); r = t + c, r = two(a, b) + c)                                                          \
  CASE(T t = c; for (int i = 0; i < n; ++i) t += a * b; r = t, r = c; for (int i = 0; i < n; ++i) r += two(a, b))                          \
  CASE(T t = c; for (int i = 0; i < n; ++i) { t = t * a + b; } r = t, r = c; for (int i = 0; i < n; ++i) r = one(r, a, b))

constexpr int kNumbers = 6, kResults = 2;
__device__ int left;

template <typename T> __global__ void compute(const T* numbers, T* results, int n) {
#define CASE(device, host)                                                                                                                 \
  {                                                                                                                                        \
    const T a = numbers[0], b = numbers[1], c = numbers[2], d = numbers[3], e = numbers[4], f = numbers[5];                                \
    T r = 0, s = 0;                                                                                                                        \
    (void)d, (void)e, (void)f;                                                                                                             \
    device;                                                                                                                                \
    results[0] = r, results[1] = s;                                                                                                        \
    numbers += kNumbers, results += kResults;                                                                                              \
  }                                                                                                                                        \
  __syncthreads();
  CASES
#undef CASE
}

template <typename T> static int expected(const T* numbers, T* results, int n, const char** texts) {
  int count = 0;
#define CASE(device, host)                                                                                                                 \
  {                                                                                                                                        \
    const T a = numbers[0], b = numbers[1], c = numbers[2], d = numbers[3], e = numbers[4], f = numbers[5];                                \
    T r = 0, s = 0;                                                                                                                        \
    (void)d, (void)e, (void)f, (void)n;                                                                                                    \
    host;                                                                                                                                  \
    results[0] = r, results[1] = s, texts[count++] = #device;                                                                              \
    numbers += kNumbers, results += kResults;                                                                                              \
  }
  CASES
#undef CASE
  return count;
}

template <typename T> static void compare(const char* type) {
  constexpr int kMost = 64;
  T numbers[kMost * kNumbers], wanted[kMost * kResults] = {};
  const char* texts[kMost];
  unsigned random = 17;
  for (int round = 0; round < 4; ++round) {
    for (T& number : numbers) {
      random = random * 1664525 + 1013904223;
      number = T(random >> 8) / T(1 << 22) - T(1.7);
    }
    const int count = expected(numbers, wanted, 5, texts);
    Device<T> in(kMost * kNumbers, numbers), out(kMost * kResults);
    compute<<<1, 1>>>(in.data, out.data, 5);
    T got[kMost * kResults];
    cudaMemcpy(got, out.data, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; ++i)
      if (std::memcmp(got + i * kResults, wanted + i * kResults, sizeof(T) * kResults) != 0) {
        std::printf("%s: %s: %.17g and %.17g, not %.17g and %.17g\n", type, texts[i], double(got[i * kResults]), double(got[i * kResults + 1]),
                    double(wanted[i * kResults]), double(wanted[i * kResults + 1]));
        ++wrong;
      }
  }
}

__global__ void apart(float* x) {
  x[3] = __fadd_rn(__fmul_rn(x[0], x[1]), x[2]);
  x[4] = __fmul_rn(x[0], x[1]) + x[2];
  x[5] = __fsub_rn(x[0] * x[1], x[2]);
  x[6] = __fmaf_rn(x[0], x[1], x[2]);
}

int main() {
  compare<float>("float");
  compare<double>("double");
  const float numbers[]{1.2345678F, 3.1415927F, -3.8784967F, 0, 0, 0, 0};
  Device<float> x(7, numbers);
  apart<<<1, 1>>>(x.data);
  const float product = two(numbers[0], numbers[1]);
  EXPECT(x[3] == product + numbers[2]);
  EXPECT(x[4] == product + numbers[2]);
  EXPECT(x[5] == product - numbers[2]);
  EXPECT(x[6] == std::fma(numbers[0], numbers[1], numbers[2]));
  return wrong;
}
