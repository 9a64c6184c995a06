// What half and bfloat16 have alike: saturation, unordered comparisons, conversions to integers by
// four ways of rounding, increments, raw bits; all 65,536 values, beside float and double.
#include "check.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>
#include <vector>

struct Results {
  float sum, difference, product, fma, positive, most, least, absolute, next;
  int nearest, zero, down, up;
  short small;
  unsigned no_sign;
  bool unequal, less, at_least, same, equal;
  int infinite;
  unsigned short raw;
  float between[3]; // what lies behind the number, rounded to zero, down and up
  unsigned masks[2];
  bool ordered;
  bool operators; // do what the functions do
};

__host__ __device__ inline float behind(float a) {
  return a * (1 + 1.0f / 8192);
}
#define ROUND(type, prefix, raw_type)                                                              \
  __device__ void convert(type a, Results& r) {                                                    \
    r.nearest = __##prefix##2int_rn(a), r.zero = __##prefix##2int_rz(a);                           \
    r.down = __##prefix##2int_rd(a), r.up = __##prefix##2int_ru(a);                                \
    r.small = __##prefix##2short_rn(a), r.no_sign = __##prefix##2uint_rz(a);                       \
    const raw_type raw = a;                                                                        \
    r.raw = raw.x;                                                                                 \
    r.equal = __heq(type(raw), a);                                                                 \
    const float x = behind(a);                                                                     \
    r.between[0] = __float2##prefix##_rz(x), r.between[1] = __float2##prefix##_rd(x);              \
    r.between[2] = __float2##prefix##_ru(x);                                                       \
  }                                                                                                \
  __device__ void from(long long x, unsigned long long y, type* r) {                               \
    r[0] = __ll2##prefix##_rz(x), r[1] = __ll2##prefix##_rd(x), r[2] = __ll2##prefix##_ru(x);      \
    r[3] = __ll2##prefix##_rn(x), r[4] = __ull2##prefix##_ru(y), r[5] = __ull2##prefix##_rn(y);    \
    r[6] = __int2##prefix##_rd((int)x), r[7] = __ushort2##prefix##_rz((unsigned short)y);          \
    r[8] = type((float)__##prefix##2char_rz(r[3]) + (float)__##prefix##2uchar_rz(r[3]) / 256);     \
  }
ROUND(__half, half, __half_raw)
ROUND(__nv_bfloat16, bfloat16, __nv_bfloat16_raw)

template <typename T> using Pair = std::conditional_t<std::is_same_v<T, __half>, __half2, __nv_bfloat162>;
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
  const Pair<T> both{a, b}, turned{b, a};
  r.masks[0] = __hlt2_mask(both, turned), r.masks[1] = __hgeu2_mask(both, turned);
  r.ordered = __hne(a, b) && __hbne2(both, turned);
  T changed = a;
  changed -= b;
  Pair<T> pair = both;
  pair -= turned;
  r.operators = (a != b) == __hneu(a, b) && (a == b) == __heq(a, b) && (a <= b) == __hle(a, b) &&
                (a > b) == __hgt(a, b) && __hequ(changed, a - b) && __hequ(changed, __hsub(a, b)) &&
                __hequ(pair.x, changed) && __hequ((both - turned).y, b - a);
}
template <typename T> __global__ void integers(const long long* x, const unsigned long long* y, T* results) {
  from(x[threadIdx.x], y[threadIdx.x], results + 9 * threadIdx.x);
}
template <typename T> __global__ void functions(T x, float* out) {
  const Pair<T> a{x, T(2.0f)}, b{T(3.0f), T(-1.0f)}, c = __hcmadd(a, b, Pair<T>{T(1.0f), T(1.0f)});
  out[0] = __low2float(c), out[1] = __high2float(c); // (x + 2i) (3 - i) + 1 + i
  out[2] = __low2float(h2exp2(a)), out[3] = __high2float(__lowhigh2highlow(h2rint(a)));
  volatile T kept;
  kept = x;
  const T again = kept;
  out[7] = again;
  out[4] = __low2float(__hmax2_nan(a, b)), out[5] = __hbequ2(a, a), out[6] = htanh_approx(x);
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

// All finite numbers of the type, in order.
template <typename T> const std::vector<long double>& numbers() {
  static const std::vector<long double> all = [] {
    std::vector<long double> made;
    for (unsigned i = 0; i < 65536; ++i) {
      const auto bits = static_cast<unsigned short>(i);
      T narrow;
      std::memcpy(&narrow, &bits, sizeof narrow);
      if (std::isfinite(static_cast<float>(narrow)) && i != 0x8000)
        made.push_back(static_cast<float>(narrow));
    }
    std::sort(made.begin(), made.end());
    return made;
  }();
  return all;
}
template <typename T> float rounded(long double x, int towards) { // 0: zero, -1: down, 1: up
  if (std::isinf(x))
    return static_cast<float>(x);
  const std::vector<long double>& all = numbers<T>();
  const bool down = towards < 0 || (towards == 0 && x > 0);
  if (down) {
    const auto above = std::upper_bound(all.begin(), all.end(), x);
    return above == all.begin() ? -INFINITY : static_cast<float>(*(above - 1));
  }
  const auto above = std::lower_bound(all.begin(), all.end(), x);
  return above == all.end() ? INFINITY : static_cast<float>(*above);
}
template <typename T> void check_integers() {
  const long long x[] = {(1LL << 60) + 1, -(1LL << 60) - 1, 65505, -2049, 4097, LLONG_MAX, LLONG_MIN, 257};
  const unsigned long long y[] = {(1ULL << 63) + 1, 1, 65535, 2051, 0, ULLONG_MAX, 513, (1ULL << 40) + (1ULL << 32)};
  const Device<long long> of_x(8, x);
  const Device<unsigned long long> of_y(8, y);
  const Device<T> results(72);
  integers<<<1, 8>>>(of_x.data, of_y.data, results.data);
  for (int i = 0; i < 8; ++i) {
    const auto is = [&](int which, float expected) { return alike(results[9 * i + which], expected); };
    EXPECT(is(0, rounded<T>(x[i], 0)) && is(1, rounded<T>(x[i], -1)) && is(2, rounded<T>(x[i], 1)));
    const long double low = rounded<T>(x[i], -1), high = rounded<T>(x[i], 1);
    if (std::isfinite(low) && std::isfinite(high) && low + high != 2.0L * x[i])
      EXPECT(is(3, static_cast<float>(x[i] - low < high - x[i] ? low : high)));
    EXPECT(is(4, rounded<T>(y[i], 1)) && is(6, rounded<T>(static_cast<int>(x[i]), -1)));
    EXPECT(is(7, rounded<T>(static_cast<unsigned short>(y[i]), 0)));
  }
  EXPECT(alike(results[9 * 7 + 5], static_cast<float>(T(0x1p40F)))); // a tie goes to the even one, or half has no room
  EXPECT(alike(results[9 * 3 + 8], -128)); // -2049 is neither
  const Device<float> out(8);
  functions<<<1, 1>>>(T(0.5f), out.data);
  EXPECT(out[0] == 4.5f && out[1] == 6.5f && alike(out[2], static_cast<float>(T(std::exp2(0.5f)))) && out[3] == 0);
  EXPECT(out[7] == 0.5f && static_cast<float>(CUDART_MAX_NORMAL_FP16) == 65504 && static_cast<float>(CUDART_ONE_BF16) == 1);
  EXPECT(out[4] == 3 && out[5] == 1 && alike(out[6], static_cast<float>(T(std::tanh(0.5f)))));
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
    EXPECT(r.operators);
    EXPECT(r.unequal == !(a == b) && r.less == !(a >= b) && r.at_least == !(a < b));
    EXPECT(r.same == (no_number || a == b) && r.raw == i && r.equal == !no_number);
    EXPECT((r.infinite != 0) == std::isinf(a) && (r.infinite < 0) == (std::isinf(a) && a < 0));
    EXPECT(r.nearest == integer(std::nearbyint(a), INT_MIN, INT_MAX));
    EXPECT(r.zero == integer(std::trunc(a), INT_MIN, INT_MAX));
    EXPECT(r.down == integer(std::floor(a), INT_MIN, INT_MAX));
    EXPECT(r.up == integer(std::ceil(a), INT_MIN, INT_MAX));
    EXPECT(r.small == integer(std::nearbyint(a), -32768, 32767));
    EXPECT(r.no_sign == integer(std::trunc(a), 0, UINT_MAX));
    const float x = behind(a);
    if (!no_number)
      for (int way = 0; way < 3; ++way)
        EXPECT(r.between[way] == rounded<T>(x, way == 0 ? 0 : way == 1 ? -1 : 1));
    EXPECT(r.masks[0] == ((a < b ? 0xffffU : 0) | (b < a ? 0xffff0000U : 0)));
    EXPECT(r.masks[1] == ((a < b ? 0 : 0xffffU) | (b < a ? 0 : 0xffff0000U)));
    EXPECT(r.ordered == (a < b || a > b));
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
  check_integers<__half>();
  check_integers<__nv_bfloat16>();
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
