// With these macros, programs have operators and conversions of their own for half and bfloat16.
#define __CUDA_NO_HALF_OPERATORS__
#define __CUDA_NO_HALF2_OPERATORS__
#define __CUDA_NO_HALF_CONVERSIONS__
#define __CUDA_NO_BFLOAT16_OPERATORS__
#define __CUDA_NO_BFLOAT162_OPERATORS__
#define __CUDA_NO_BFLOAT16_CONVERSIONS__
#define CUDA_NO_HALF
#define CUDA_NO_BFLOAT16
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

struct half {}; // the program's
struct nv_bfloat16 {};

template <typename T>
constexpr bool is_apart = !std::is_convertible_v<float, T> && !std::is_convertible_v<T, float> &&
                          !std::is_convertible_v<T, bool> && !std::is_convertible_v<int, T>;
static_assert(is_apart<__half> && is_apart<__nv_bfloat16>);

__host__ __device__ __half operator+(const __half& a, const __half& b) {
  return __float2half(__half2float(a) + 2 * __half2float(b));
}
__host__ __device__ bool operator<(const __half2& a, const __half2&) {
  return __half2float(a.x) < 5;
}
__host__ __device__ __nv_bfloat16 operator+(const __nv_bfloat16& a, const __nv_bfloat16& b) {
  return __float2bfloat16(__bfloat162float(a) + 3 * __bfloat162float(b));
}
__host__ __device__ __nv_bfloat162& operator++(__nv_bfloat162& a) {
  a.y = __float2bfloat16(9);
  return a;
}

__global__ void add(float* out) {
  const __half one = __float2half(1), two = __int2half_rn(2);
  const __nv_bfloat16 b = __float2bfloat16(1);
  __nv_bfloat162 pair = __halves2bfloat162(b, b);
  out[0] = __half2float(one + two);
  out[1] = __bfloat162float(b + b);
  out[2] = __halves2half2(two, two) < __halves2half2(one, one);
  out[3] = __high2float(++pair);
  out[4] = __half2float(__hadd(one, two));
  out[5] = __low2float(__hfma2(pair, pair, pair));
  out[6] = (float)__half2int_rz(hsqrt(__hmul(two, two)));
}

int main() {
  const Device<float> out(7);
  add<<<1, 1>>>(out.data);
  const float wanted[] = {5, 4, 1, 9, 3, 2, 2};
  for (int i = 0; i < 7; ++i)
    EXPECT(out[i] == wanted[i]);
  return wrong;
}
