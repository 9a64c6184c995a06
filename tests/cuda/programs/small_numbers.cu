// Numbers of 8 bits: all values, and conversions of all halves, beside a search for the nearest.
#include "check.h"

#include <cmath>
#include <cstring>
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

int main() {
  powers_of_two();
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
