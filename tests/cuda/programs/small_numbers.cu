// Numbers of 8, 6 and 4 bits: all values, and conversions of all halves, beside a search for the
// nearest.
#include "check.h"

#include <cmath>
#include <cstring>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <vector>

// The value of a code, by its definition.
static double value_of(unsigned code, __nv_fp8_interpretation_t kind) {
  const int mantissa = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
  const int exponent = static_cast<int>(code >> mantissa & (0x7f >> mantissa));
  const int low = static_cast<int>(code & ((1u << mantissa) - 1));
  const double sign = code & 0x80 ? -1 : 1;
  if (kind == __NV_E5M2 && exponent == 31)
    return low == 0 ? sign * INFINITY : NAN;
  if (kind == __NV_E4M3 && exponent == 15 && low == 7)
    return NAN;
  const double fraction = std::ldexp(low, -mantissa);
  return sign * (exponent == 0 ? std::ldexp(fraction, 1 - bias)
                               : std::ldexp(1 + fraction, exponent - bias));
}

// The code of the nearest value; of two that are as near, the even one. What is larger than the
// largest by half a step and more does not fit.
static unsigned code_of(double x, bool saturates, __nv_fp8_interpretation_t kind) {
  if (std::isnan(x))
    return 0x7f;
  const unsigned largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
  const unsigned sign = std::signbit(x) ? 0x80 : 0;
  const double size = std::fabs(x), most = value_of(largest, kind);
  const double step = most - value_of(largest - 1, kind);
  const bool fits = kind == __NV_E4M3 ? size <= most + step / 2 : size < most + step / 2;
  if (!fits)
    return sign | (saturates ? largest : kind == __NV_E4M3 ? 0x7f : 0x7c);
  unsigned best = 0;
  for (unsigned code = 0; code <= largest; ++code) {
    const double now = std::fabs(size - value_of(code, kind)),
                 before = std::fabs(size - value_of(best, kind));
    if (now < before || (now == before && code % 2 == 0))
      best = code;
  }
  return sign | best;
}

struct Converted {
  unsigned char e4m3, e5m2, e4m3_open, e5m2_open;
};

__global__ void convert(Converted* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __half_raw raw;
  raw.x = static_cast<unsigned short>(i);
  results[i] = {__nv_fp8_e4m3(__half(raw)).__x, __nv_fp8_e5m2(__half(raw)).__x,
                __nv_cvt_halfraw_to_fp8(raw, __NV_NOSAT, __NV_E4M3),
                __nv_cvt_halfraw_to_fp8(raw, __NV_NOSAT, __NV_E5M2)};
}

__global__ void values(float* e4m3, float* e5m2) {
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = b.__x = static_cast<unsigned char>(threadIdx.x);
  e4m3[threadIdx.x] = static_cast<float>(a);
  e5m2[threadIdx.x] = static_cast<float>(b);
}

static bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

static bool same_code(unsigned a, unsigned b, __nv_fp8_interpretation_t kind) {
  return a == b || (std::isnan(value_of(a, kind)) && std::isnan(value_of(b, kind)));
}

static float float_of_half(unsigned short bits) {
  __half_raw raw;
  raw.x = bits;
  return __half2float(__half(raw));
}

__global__ void exponents(double x, int* out) {
  out[0] = __nv_cvt_double_to_e8m0(x, __NV_NOSAT, cudaRoundZero);
  out[1] = __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundZero);
  out[2] = __nv_cvt_double_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf);
  out[3] = __nv_cvt_float_to_e8m0(static_cast<float>(x), __NV_SATFINITE, cudaRoundPosInf);
}

// What CUDA 13's header gives on the host.
static void powers_of_two() {
  const struct {
    double x;
    int codes[4];
  } cases[] = {{0, {0, 0, 0, 0}},
               {-0.0, {0, 0, 0, 0}},
               {1, {127, 127, 127, 127}},
               {-3, {128, 128, 129, 129}},
               {1e-45, {0, 0, 0, 0}},
               {5.9e-39, {0, 0, 1, 1}},
               {1.2e-38, {1, 1, 2, 2}},
               {0x1p-127, {0, 0, 0, 0}},
               {0x1p127, {254, 254, 254, 254}},
               {1.8e38, {254, 254, 255, 254}},
               {1e300, {254, 254, 255, 254}},
               {HUGE_VAL, {255, 254, 255, 254}},
               {std::nan(""), {255, 255, 255, 255}}};
  int* out = nullptr;
  cudaMallocManaged(&out, 4 * sizeof(int));
  for (const auto& one : cases) {
    exponents<<<1, 1>>>(one.x, out);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < 4; ++i)
      EXPECT(out[i] == one.codes[i]);
  }
  const __nv_fp8_e8m0 three(3.f);
  EXPECT(three.__x == 129 && static_cast<float>(three) == 4);
  EXPECT(__nv_cvt_e8m0_to_bf16raw(0).x == 0x40 && __nv_cvt_e8m0_to_bf16raw(128).x == 0x4000 && __nv_cvt_e8m0_to_bf16raw(255).x == 0x7fff);
  EXPECT(__nv_cvt_bfloat16raw_to_e8m0(__nv_cvt_e8m0_to_bf16raw(200), __NV_NOSAT, cudaRoundZero) == 200);
  EXPECT(__nv_cvt_float2_to_e8m0x2(make_float2(1, 4), __NV_NOSAT, cudaRoundZero) == 0x817f);
}

struct Narrow {
  unsigned char e2m1, e2m3, e3m2, e2m1_cut, e3m2_cut;
};
__global__ void to_narrow(Narrow* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __half_raw raw;
  raw.x = static_cast<unsigned short>(i);
  const __half x(raw);
  results[i] = {__nv_fp4_e2m1(x).__x, __nv_fp6_e2m3(x).__x, __nv_fp6_e3m2(x).__x, __nv_cvt_halfraw_to_fp4(raw, __NV_E2M1, cudaRoundZero),
                __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundZero)};
}
__global__ void of_narrow(float* out) {
  const auto code = static_cast<unsigned char>(threadIdx.x);
  __nv_fp6_e2m3 a;
  __nv_fp6_e3m2 b;
  __nv_fp4_e2m1 c;
  a.__x = b.__x = code, c.__x = code & 15;
  out[threadIdx.x] = static_cast<float>(a), out[64 + threadIdx.x] = static_cast<float>(b), out[128 + threadIdx.x] = static_cast<float>(c);
}
// By its definition: a sign, an exponent, and a fraction.
static double narrow_value(unsigned code, int bits, int mantissa) {
  const int bias = (1 << (bits - 2 - mantissa)) - 1, exponent = static_cast<int>(code >> mantissa & ((1U << (bits - 1 - mantissa)) - 1));
  const double fraction = std::ldexp(code & ((1U << mantissa) - 1), -mantissa);
  const double size = exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  return code >> (bits - 1) & 1 ? -size : size;
}
static unsigned narrow_code(double x, int bits, int mantissa, bool cuts) {
  const unsigned largest = (1U << (bits - 1)) - 1, sign = std::signbit(x) ? largest + 1 : 0;
  if (std::isnan(x))
    return largest;
  unsigned best = 0;
  for (unsigned code = 0; code <= largest; ++code) {
    const double value = narrow_value(code, bits, mantissa), now = std::fabs(std::fabs(x) - value),
                 before = std::fabs(std::fabs(x) - narrow_value(best, bits, mantissa));
    if (cuts ? value <= std::fabs(x) : std::isinf(x) || now < before || (now == before && code % 2 == 0))
      best = code;
  }
  return sign | best;
}
static void narrow_numbers() {
  constexpr int kHalves = 65536;
  const Device<Narrow> results(kHalves);
  to_narrow<<<kHalves / 256, 256>>>(results.data);
  std::vector<Narrow> all(kHalves);
  cudaMemcpy(all.data(), results.data, kHalves * sizeof(Narrow), cudaMemcpyDeviceToHost);
  int different = 0;
  for (int i = 0; i < kHalves; ++i) {
    const double x = float_of_half(static_cast<unsigned short>(i));
    const Narrow& one = all[i];
    different += one.e2m1 != narrow_code(x, 4, 1, false) || one.e2m3 != narrow_code(x, 6, 3, false) || one.e3m2 != narrow_code(x, 6, 2, false) ||
                 one.e2m1_cut != narrow_code(x, 4, 1, true) || one.e3m2_cut != narrow_code(x, 6, 2, true);
  }
  EXPECT(different == 0);
  const Device<float> values(192);
  of_narrow<<<1, 64>>>(values.data);
  for (unsigned i = 0; i < 64; ++i)
    EXPECT(same(values[i], narrow_value(i, 6, 3)) && same(values[64 + i], narrow_value(i, 6, 2)) && same(values[128 + i], narrow_value(i & 15, 4, 1)));
  const __nv_fp4x4_e2m1 four(make_float4(1, 2, -3, 100));
  const float4 back = static_cast<float4>(four);
  EXPECT(four.__x == 0x7d42 && back.x == 1 && back.y == 2 && back.z == -3 && back.w == 6);
  EXPECT(__nv_cvt_float2_to_fp6x2(make_float2(1, -3), __NV_E3M2, cudaRoundNearest) == 0x320c && __nv_fp4x2_e2m1(make_float2(1, -3)).__x == 0xd2);
  const __nv_fp6_e3m2 negative(-5);
  EXPECT(static_cast<int>(negative) == -5 && static_cast<unsigned>(negative) == 0 && !static_cast<bool>(__nv_fp6_e2m3(0.01f)));
  const __nv_fp8x4_e8m0 powers(make_float4(1, 3, 0.25f, 16));
  const float4 of_powers = static_cast<float4>(powers);
  EXPECT(of_powers.x == 1 && of_powers.y == 4 && of_powers.z == 0.25f && of_powers.w == 16);
  const __nv_bfloat162 pair(__nv_fp8x2_e8m0(make_float2(2, 5)));
  EXPECT(__low2float(pair) == 2 && __high2float(pair) == 8);
}

int main() {
  powers_of_two();
  narrow_numbers();
  constexpr int kHalves = 65536;
  Device<Converted> converted(kHalves);
  convert<<<kHalves / 256, 256>>>(converted.data);
  std::vector<Converted> all(kHalves);
  cudaMemcpy(all.data(), converted.data, kHalves * sizeof(Converted), cudaMemcpyDeviceToHost);
  int different = 0;
  for (int i = 0; i < kHalves; ++i) {
    const double x = float_of_half(static_cast<unsigned short>(i));
    const Converted& one = all[i];
    different += !same_code(one.e4m3, code_of(x, true, __NV_E4M3), __NV_E4M3) ||
                 !same_code(one.e5m2, code_of(x, true, __NV_E5M2), __NV_E5M2) ||
                 !same_code(one.e4m3_open, code_of(x, false, __NV_E4M3), __NV_E4M3) ||
                 !same_code(one.e5m2_open, code_of(x, false, __NV_E5M2), __NV_E5M2);
    // The host's are the same.
    different +=
        __nv_cvt_float_to_fp8(static_cast<float>(x), __NV_SATFINITE, __NV_E4M3) != one.e4m3;
    different += __nv_cvt_double_to_fp8(x, __NV_NOSAT, __NV_E5M2) != one.e5m2_open;
  }
  EXPECT(different == 0);

  Device<float> e4m3(256), e5m2(256);
  values<<<1, 256>>>(e4m3.data, e5m2.data);
  for (int i = 0; i < 256; ++i) {
    const auto code = static_cast<unsigned char>(i);
    EXPECT(same(e4m3[i], value_of(code, __NV_E4M3)) && same(e5m2[i], value_of(code, __NV_E5M2)));
    const __half_raw raw = __nv_cvt_fp8_to_halfraw(code, __NV_E4M3);
    EXPECT(same(float_of_half(raw.x), value_of(code, __NV_E4M3)));
    const __half2_raw pair =
        __nv_cvt_fp8x2_to_halfraw2(static_cast<unsigned short>(code | 0x3800), __NV_E5M2);
    EXPECT(same(float_of_half(pair.x), value_of(code, __NV_E5M2)) &&
           float_of_half(pair.y) == value_of(0x38, __NV_E5M2));
  }

  const __nv_fp8x2_e4m3 two(make_float2(1.5f, -3.f));
  const float2 back = static_cast<float2>(two);
  EXPECT(back.x == 1.5f && back.y == -3.f && (two.__x & 0xff) == 0x3c);
  const __nv_fp8x4_e5m2 four(make_float4(1.f, 2.f, 1e6f, -0.5f));
  const float4 all_four = static_cast<float4>(four);
  EXPECT(all_four.x == 1 && all_four.y == 2 && all_four.z == 57344 && all_four.w == -0.5f);
  const __nv_fp8_e5m2 large(57344.f), negative(-3.5f);
  EXPECT(static_cast<int>(large) == 57344 && static_cast<signed char>(large) == 127 &&
         static_cast<unsigned>(negative) == 0 && static_cast<int>(negative) == -3 &&
         static_cast<bool>(negative) && !static_cast<bool>(__nv_fp8_e4m3(0.f)));
  EXPECT(static_cast<double>(__nv_fp8_e4m3(7)) == 7 && __half2float(__half(negative)) == -3.5f);
  return wrong;
}
