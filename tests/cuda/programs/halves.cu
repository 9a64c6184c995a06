// What half and bfloat16 have alike: saturation, unordered comparisons, conversions to integers by
// four ways of rounding, increments, raw bits; all 65,536 values, beside float and double.
#include "check.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <vector>

struct Results {
  float sum, difference, product, fma, positive, most, least, absolute, next;
  int nearest, zero, down, up;
  short small;
  unsigned no_sign;
  bool unequal, less, at_least, same, equal;
  int infinite;
  unsigned short raw;
};

#define ROUND(type, prefix, raw_type)                                                              \
  __device__ void convert(type a, Results& r) {                                                    \
    r.nearest = __##prefix##2int_rn(a), r.zero = __##prefix##2int_rz(a);                           \
    r.down = __##prefix##2int_rd(a), r.up = __##prefix##2int_ru(a);                                \
    r.small = __##prefix##2short_rn(a), r.no_sign = __##prefix##2uint_rz(a);                       \
    const raw_type raw = a;                                                                        \
    r.raw = raw.x;                                                                                 \
    r.equal = __heq(type(raw), a);                                                                 \
  }
ROUND(__half, half, __half_raw)
ROUND(__nv_bfloat16, bfloat16, __nv_bfloat16_raw)

template <typename T> __global__ void all(T b, T c, Results* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto bits = static_cast<unsigned short>(i);
  T a;
  memcpy(&a, &bits, sizeof a);
  Results& r = results[i];
  r.sum = __hadd_sat(a, b), r.difference = __hsub_sat(a, b), r.product = __hmul_sat(a, b);
  r.fma = __hfma_sat(a, b, c), r.positive = __hfma_relu(a, b, c);
  r.most = __hmax_nan(a, b), r.least = __hmin_nan(a, b), r.absolute = __habs(a);
  r.unequal = __hneu(a, b), r.less = __hltu(a, b), r.at_least = __hgeu(a, b);
  r.same = __hequ(a, b), r.infinite = __hisinf(a);
  T next = a;
  next++;
  r.next = next;
  convert(a, r);
}

static float clamped(float x) {
  return x > 0 ? std::min(x, 1.0f) : 0;
}
static long long integer(double x, long long least, long long most) {
  if (std::isnan(x))
    return 0;
  return x <= static_cast<double>(least)  ? least
         : x >= static_cast<double>(most) ? most
                                          : static_cast<long long>(x);
}
static bool alike(float a, float b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

template <typename T> void check(float b, float c) {
  Device<Results> results(65536);
  all<<<256, 256>>>(T(b), T(c), results.data);
  std::vector<Results> host(65536);
  EXPECT(cudaMemcpy(host.data(), results.data, 65536 * sizeof(Results), cudaMemcpyDeviceToHost) ==
         cudaSuccess);
  for (unsigned i = 0; i < 65536; ++i) {
    const auto bits = static_cast<unsigned short>(i);
    T narrow;
    std::memcpy(&narrow, &bits, sizeof narrow);
    const float a = narrow;
    const Results& r = host[i];
    const bool no_number = std::isnan(a);
    EXPECT(alike(r.sum, clamped(T(a + b))) && alike(r.difference, clamped(T(a - b))));
    EXPECT(alike(r.product, clamped(T(a * b))));
    const float sum = T(static_cast<double>(a) * b + c);
    if (std::fabs(a) < 0x1p30F) { // beyond, a double does not hold the sum
      EXPECT(alike(r.fma, clamped(sum)));
      EXPECT(alike(r.positive, std::isnan(sum) || sum > 0 ? sum : 0));
    }
    EXPECT(alike(r.most, no_number ? a : std::max(a, b)) &&
           alike(r.least, no_number ? a : std::min(a, b)));
    EXPECT(alike(r.absolute, std::fabs(a)) && alike(r.next, T(a + 1)));
    EXPECT(r.unequal == !(a == b) && r.less == !(a >= b) && r.at_least == !(a < b));
    EXPECT(r.same == (no_number || a == b) && r.raw == i && r.equal == !no_number);
    EXPECT((r.infinite != 0) == std::isinf(a) && (r.infinite < 0) == (std::isinf(a) && a < 0));
    EXPECT(r.nearest == integer(std::nearbyint(a), INT_MIN, INT_MAX));
    EXPECT(r.zero == integer(std::trunc(a), INT_MIN, INT_MAX));
    EXPECT(r.down == integer(std::floor(a), INT_MIN, INT_MAX));
    EXPECT(r.up == integer(std::ceil(a), INT_MIN, INT_MAX));
    EXPECT(r.small == integer(std::nearbyint(a), -32768, 32767));
    EXPECT(r.no_sign == integer(std::trunc(a), 0, UINT_MAX));
    if (wrong > 10)
      return;
  }
}

__global__ void bits(unsigned mask, unsigned* out) {
  out[0] = __fns(mask, 0, 1), out[1] = __fns(mask, 0, 3), out[2] = __fns(mask, 31, -1);
  out[3] = __fns(mask, 4, 0), out[4] = __fns(mask, 5, 0), out[5] = __fns(mask, 0, 9);
}

int main() {
  for (const float b : {0.25f, -1.5f, 3.0f, 0.0f})
    for (const float c : {0.5f, -2.0f}) {
      check<__half>(b, c);
      check<__nv_bfloat16>(b, c);
    }
  // 1 + 2^-8 + 2^-40 is nearer to what follows 1; as a float it would be a tie, which goes to 1.
  EXPECT(static_cast<float>(__double2bfloat16(1 + 0x1p-8 + 0x1p-40)) == 1 + 0x1p-7f);
  EXPECT(static_cast<float>(__double2bfloat16(1 + 0x1p-8)) == 1);
  EXPECT(static_cast<float>(__double2bfloat16(-1 - 0x3p-8 + 0x1p-40)) == -1 - 0x1p-7f);
  // The product is a tie, but for what is too small for a double.
  const __nv_bfloat16 x(1.015625f), y(1.25f);
  EXPECT(static_cast<float>(__hfma(x, y, __nv_bfloat16(0.0f))) == 1.265625f);
  EXPECT(static_cast<float>(__hfma(x, y, __nv_bfloat16(0x1p-100f))) == 1.2734375f);
  EXPECT(static_cast<float>(__hfma(x, y, __nv_bfloat16(-0x1p-100f))) == 1.265625f);
  Device<unsigned> out(6);
  bits<<<1, 1>>>(0x80000350u, out.data); // 4, 6, 8, 9 and 31
  EXPECT(out[0] == 4 && out[1] == 8 && out[2] == 31);
  EXPECT(out[3] == 4 && out[4] == 0xffffffffu && out[5] == 0xffffffffu);
  return wrong;
}
