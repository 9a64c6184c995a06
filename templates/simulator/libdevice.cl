// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of CUDA's math library (libdevice), by OpenCL's functions in libclc. Linked with kernels of
// CUDA programs that call them. Names and parameters are those of Clang's __clang_cuda_libdevice_declares.h.
// Directed rounding of a double moves the nearest result by one step if the exact one is beyond it (error-free
// sums and products by Dekker and Knuth). A float's result is rounded from a double, itself rounded the same way unless
// it is exact. Inexact quotients and roots of floats are too far from a float for this to matter.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// The quantile of the normal distribution: Acklam's rational approximation and one step of Halley's
// method, which leaves a relative error of about 1e-15.
static double gputest_quantile(double p) {
  if (!(p > 0 && p < 1))
    return p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
  const double a0 = -3.969683028665376e+01, a1 = 2.209460984245205e+02, a2 = -2.759285104469687e+02,
               a3 = 1.383577518672690e+02, a4 = -3.066479806614716e+01, a5 = 2.506628277459239e+00;
  const double b0 = -5.447609879822406e+01, b1 = 1.615858368580409e+02, b2 = -1.556989798598866e+02,
               b3 = 6.680131188771972e+01, b4 = -1.328068155288572e+01;
  const double c0 = -7.784894002430293e-03, c1 = -3.223964580411365e-01, c2 = -2.400758277161838e+00,
               c3 = -2.549732539343734e+00, c4 = 4.374664141464968e+00, c5 = 2.938163982698783e+00;
  const double d0 = 7.784695709041462e-03, d1 = 3.224671290700398e-01, d2 = 2.445134137142996e+00,
               d3 = 3.754408661907416e+00;
  double x;
  if (p < 0.02425 || p > 1 - 0.02425) {
    const double q = sqrt(-2 * log(p < 0.5 ? p : 1 - p));
    x = (((((c0 * q + c1) * q + c2) * q + c3) * q + c4) * q + c5) / ((((d0 * q + d1) * q + d2) * q + d3) * q + 1);
    x = p < 0.5 ? x : -x;
  } else {
    const double q = p - 0.5, r = q * q;
    x = (((((a0 * r + a1) * r + a2) * r + a3) * r + a4) * r + a5) * q /
        (((((b0 * r + b1) * r + b2) * r + b3) * r + b4) * r + 1);
  }
  const double e = 0.5 * erfc(-x * 0.70710678118654752) - p, u = e * 2.5066282746310002 * exp(x * x / 2);
  return x - u / (1 + x * u / 2);
}

// `r`: the number nearest to the exact result. `left` has the sign of the exact result minus `r`.
enum { TO_ZERO, DOWN, UP };
static double gputest_directed(double r, double left, int way) {
  if (way == TO_ZERO)
    way = r > 0 ? DOWN : UP;
  if (left == 0 || isnan(left) || (way == DOWN) != (left < 0))
    return r;
  return nextafter(r, left < 0 ? -(double)INFINITY : (double)INFINITY);
}
// Rounds an integer down or up to the `bits` bits of a floating-point number.
static double gputest_whole(ulong a, int bits, bool up) {
  const int more = 64 - (int)clz(a) - bits;
  if (more <= 0)
    return (double)a;
  return ldexp((double)((a >> more) + (ulong)(up && (a & ((1UL << more) - 1)))), more);
}
static double gputest_signed(long a, int bits, int way) {
  return a < 0 ? -gputest_whole(-(ulong)a, bits, way == DOWN) : gputest_whole((ulong)a, bits, way == UP);
}
// If finite operands overflow, the exact result is on the side of zero.
static double gputest_left(double r, double left, bool finite) { return isinf(r) && finite ? -r : left; }
static double gputest_add(double a, double b, int way) {
  const double r = a + b, c = r - a, left = (a - (r - c)) + (b - c);
  if (r == 0 && a != 0 && way == DOWN)
    return -0.0;
  return gputest_directed(r, gputest_left(r, left, isfinite(a) && isfinite(b)), way);
}
static double gputest_mul(double a, double b, int way) {
  const double r = a * b;
  double left = fma(a, b, -r);
  if (fabs(r) < 0x1p-900) // the rest may be too small for a double
    left = fabs(a) < fabs(b) ? fma(a * 0x1p600, b, -(r * 0x1p600)) : fma(a, b * 0x1p600, -(r * 0x1p600));
  return gputest_directed(r, gputest_left(r, left, isfinite(a) && isfinite(b)), way);
}
static double gputest_div(double a, double b, int way) {
  const double r = a / b, scale = fabs(a) < 0x1p-800 ? 0x1p200 : 1.0;
  const double rest = fma(-(r * scale), b, a * scale), left = signbit(b) ? -rest : rest;
  return gputest_directed(r, gputest_left(r, left, isfinite(a) && b != 0), way);
}
static double gputest_sqrt(double a, int way) {
  const double r = sqrt(a);
  return gputest_directed(r, fma(-r, r, a), way);
}
static double gputest_fma(double a, double b, double c, int way) {
  const double r = fma(a, b, c), p = a * b, low = fma(a, b, -p);
  const double s = p + c, d = s - p, rest = (p - (s - d)) + (c - d);
  const double sum = rest + low, e = sum - rest, tail = (rest - (sum - e)) + (low - e);
  const double left = ((s - r) + sum) + tail;
  return gputest_directed(r, gputest_left(r, left, isfinite(a) && isfinite(b) && isfinite(c)), way);
}

// Native functions of the simulator (simulator/natives/cuda.cpp).
double gputest_j(int order, double x);
double gputest_y(int order, double x);
double gputest_i(int order, double x);

// Functions of double, and of float with an f behind the name.
#define OF_ONE(name, value) \
  double __nv_##name(double a) { return value; } \
  float __nv_##name##f(float a) { return value; }
#define OF_TWO(name, value) \
  double __nv_##name(double a, double b) { return value; } \
  float __nv_##name##f(float a, float b) { return value; }
#define ONE(name) OF_ONE(name, name(a))
#define TWO(name) OF_TWO(name, name(a, b))
ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos)
ONE(cosh) ONE(cospi) ONE(erf) ONE(erfc) ONE(exp) ONE(exp10) ONE(exp2) ONE(expm1) ONE(fabs)
ONE(floor) ONE(lgamma) ONE(log) ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(rint) ONE(round)
ONE(rsqrt) ONE(sin) ONE(sinh) ONE(sinpi) ONE(sqrt) ONE(tan) ONE(tanh) ONE(tgamma) ONE(trunc)
TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(pow)
TWO(remainder)
OF_ONE(erfcx, exp(a * a) * erfc(a))
OF_ONE(nearbyint, rint(a))
OF_ONE(rcbrt, 1 / cbrt(a))
OF_TWO(rhypot, 1 / hypot(a, b))

int __nv_abs(int a) { return a < 0 ? -a : a; }
int __nv_brev(int a) { uint v = a, r = 0; for (int i = 0; i < 32; ++i) r |= (v >> i & 1) << (31 - i); return (int)r; }
long __nv_brevll(long a) { ulong v = a, r = 0; for (int i = 0; i < 64; ++i) r |= (v >> i & 1) << (63 - i); return (long)r; }
int __nv_byte_perm(int a, int b, int c) { ulong v = (ulong)(uint)b << 32 | (uint)a; uint r = 0; for (int i = 0; i < 4; ++i) { uint s = (uint)c >> 4 * i; uint y = (uint)(v >> 8 * (s & 7)) & 255; r |= (s & 8 ? (y & 128 ? 255u : 0u) : y) << 8 * i; } return (int)r; }
int __nv_clz(int a) { return (int)clz(a); }
int __nv_clzll(long a) { return (int)clz(a); }
double __nv_dadd_rn(double a, double b) { return a + b; }
double __nv_ddiv_rn(double a, double b) { return a / b; }
double __nv_dmul_rn(double a, double b) { return a * b; }
float __nv_double2float_rn(double a) { return convert_float_rte(a); }
int __nv_double2hiint(double a) { return (int)(as_ulong(a) >> 32); }
int __nv_double2int_rn(double a) { return convert_int_sat_rte(a); }
long __nv_double2ll_rn(double a) { return convert_long_sat_rte(a); }
int __nv_double2loint(double a) { return (int)as_ulong(a); }
uint __nv_double2uint_rn(double a) { return convert_uint_sat_rte(a); }
ulong __nv_double2ull_rn(double a) { return convert_ulong_sat_rte(a); }
ulong __nv_double_as_longlong(double a) { return as_ulong(a); }
double __nv_drcp_rn(double a) { return 1 / a; }
double __nv_dsqrt_rn(double a) { return sqrt(a); }
double __nv_dsub_rn(double a, double b) { return a - b; }
double __nv_erfcinv(double a) { return -(double)gputest_quantile(0.5 * (double)a) * 0.70710678118654752; }
float __nv_erfcinvf(float a) { return -(float)gputest_quantile(0.5 * (double)a) * 0.70710678118654752f; }
double __nv_erfinv(double a) { return (double)gputest_quantile(0.5 + 0.5 * (double)a) * 0.70710678118654752; }
float __nv_erfinvf(float a) { return (float)gputest_quantile(0.5 + 0.5 * (double)a) * 0.70710678118654752f; }
float __nv_fadd_rn(float a, float b) { return a + b; }
float __nv_fast_cosf(float a) { return cos(a); }
float __nv_fast_exp10f(float a) { return exp10(a); }
float __nv_fast_expf(float a) { return exp(a); }
float __nv_fast_fdividef(float a, float b) { return a / b; }
float __nv_fast_log10f(float a) { return log10(a); }
float __nv_fast_log2f(float a) { return log2(a); }
float __nv_fast_logf(float a) { return log(a); }
float __nv_fast_powf(float a, float b) { return pow(a, b); }
void __nv_fast_sincosf(float a, float* b, float* c) { *b = sin(a); *c = cos(a); }
float __nv_fast_sinf(float a) { return sin(a); }
float __nv_fast_tanf(float a) { return tan(a); }
float __nv_fdiv_rn(float a, float b) { return a / b; }
int __nv_ffs(int a) { return a == 0 ? 0 : 32 - (int)clz((uint)a & -(uint)a); }
int __nv_ffsll(long a) { return a == 0 ? 0 : 64 - (int)clz((ulong)a & -(ulong)a); }
int __nv_finitef(float a) { return isfinite(a); }
int __nv_float2int_rn(float a) { return convert_int_sat_rte(a); }
long __nv_float2ll_rn(float a) { return convert_long_sat_rte(a); }
uint __nv_float2uint_rn(float a) { return convert_uint_sat_rte(a); }
ulong __nv_float2ull_rn(float a) { return convert_ulong_sat_rte(a); }
int __nv_float_as_int(float a) { return as_int(a); }
uint __nv_float_as_uint(float a) { return as_uint(a); }
double __nv_fma(double a, double b, double c) { return fma(a, b, c); }
float __nv_fmaf(float a, float b, float c) { return fma(a, b, c); }
float __nv_fmaf_ieee_rn(float a, float b, float c) { return fma(a, b, c); }
float __nv_fmaf_rn(float a, float b, float c) { return fma(a, b, c); }
double __nv_fma_rn(double a, double b, double c) { return fma(a, b, c); }
float __nv_fmul_rn(float a, float b) { return a * b; }
uint __nv_fns(uint mask, uint base, int offset) { if (offset == 0) return base < 32 && mask >> base & 1 ? base : 0xffffffffu; int step = offset > 0 ? 1 : -1; for (int at = (int)base; at >= 0 && at < 32; at += step) if (mask >> at & 1 && (offset -= step) == 0) return (uint)at; return 0xffffffffu; }
float __nv_frcp_rn(float a) { return 1 / a; }
double __nv_frexp(double a, int* b) { return frexp(a, b); }
float __nv_frexpf(float a, int* b) { return frexp(a, b); }
float __nv_frsqrt_rn(float a) { return 1 / sqrt(a); }
float __nv_fsqrt_rn(float a) { return sqrt(a); }
float __nv_fsub_rn(float a, float b) { return a - b; }
int __nv_hadd(int a, int b) { return hadd(a, b); }
double __nv_hiloint2double(int a, int b) { return as_double((ulong)(uint)a << 32 | (uint)b); }
int __nv_ilogb(double a) { return ilogb(a); }
int __nv_ilogbf(float a) { return ilogb(a); }
double __nv_int2double_rn(int a) { return convert_double_rte(a); }
float __nv_int2float_rn(int a) { return convert_float_rte(a); }
float __nv_int_as_float(int a) { return as_float(a); }
int __nv_isfinited(double a) { return isfinite(a); }
int __nv_isinfd(double a) { return isinf(a); }
int __nv_isinff(float a) { return isinf(a); }
int __nv_isnand(double a) { return isnan(a); }
int __nv_isnanf(float a) { return isnan(a); }
double __nv_ldexp(double a, int b) { return ldexp(a, b); }
float __nv_ldexpf(float a, int b) { return ldexp(a, b); }
double __nv_ll2double_rn(long a) { return convert_double_rte(a); }
float __nv_ll2float_rn(long a) { return convert_float_rte(a); }
long __nv_llabs(long a) { return a < 0 ? -a : a; }
long __nv_llmax(long a, long b) { return a > b ? a : b; }
long __nv_llmin(long a, long b) { return a < b ? a : b; }
long __nv_llrint(double a) { return convert_long_sat_rte(a); }
long __nv_llrintf(float a) { return convert_long_sat_rte(a); }
long __nv_llround(double a) { return convert_long_sat_rtz(round(a)); }
long __nv_llroundf(float a) { return convert_long_sat_rtz(round(a)); }
double __nv_longlong_as_double(long a) { return as_double(a); }
int __nv_max(int a, int b) { return a > b ? a : b; }
int __nv_min(int a, int b) { return a < b ? a : b; }
double __nv_modf(double a, double* b) { return modf(a, b); }
float __nv_modff(float a, float* b) { return modf(a, b); }
int __nv_mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
long __nv_mul64hi(long a, long b) { return mul_hi(a, b); }
int __nv_mulhi(int a, int b) { return mul_hi(a, b); }
double __nv_norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
float __nv_norm3df(float a, float b, float c) { return sqrt(a * a + b * b + c * c); }
double __nv_norm4d(double a, double b, double c, double d) { return sqrt(a * a + b * b + c * c + d * d); }
float __nv_norm4df(float a, float b, float c, float d) { return sqrt(a * a + b * b + c * c + d * d); }
double __nv_normcdf(double a) { return 0.5 * erfc(-a * 0.70710678118654752); }
float __nv_normcdff(float a) { return 0.5f * erfc(-a * 0.70710678118654752f); }
double __nv_normcdfinv(double a) { return (double)gputest_quantile((double)a); }
float __nv_normcdfinvf(float a) { return (float)gputest_quantile((double)a); }
int __nv_popc(uint a) { return (int)popcount(a); }
int __nv_popcll(ulong a) { return (int)popcount(a); }
double __nv_powi(double a, int b) { return pown(a, b); }
float __nv_powif(float a, int b) { return pown(a, b); }
double __nv_remquo(double a, double b, int* c) { return remquo(a, b, c); }
float __nv_remquof(float a, float b, int* c) { return remquo(a, b, c); }
int __nv_rhadd(int a, int b) { return rhadd(a, b); }
double __nv_rnorm3d(double a, double b, double c) { return 1 / sqrt(a * a + b * b + c * c); }
float __nv_rnorm3df(float a, float b, float c) { return 1 / sqrt(a * a + b * b + c * c); }
double __nv_rnorm4d(double a, double b, double c, double d) { return 1 / sqrt(a * a + b * b + c * c + d * d); }
float __nv_rnorm4df(float a, float b, float c, float d) { return 1 / sqrt(a * a + b * b + c * c + d * d); }
int __nv_sad(int a, int b, int c) { return (uint)(a > b ? (uint)a - (uint)b : (uint)b - (uint)a) + (uint)c; }
float __nv_saturatef(float a) { return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f; }
double __nv_scalbn(double a, int b) { return ldexp(a, b); }
float __nv_scalbnf(float a, int b) { return ldexp(a, b); }
int __nv_signbitd(double a) { return signbit(a) != 0; }
int __nv_signbitf(float a) { return signbit(a) != 0; }
void __nv_sincos(double a, double* b, double* c) { *b = sin(a); *c = cos(a); }
void __nv_sincosf(float a, float* b, float* c) { *b = sin(a); *c = cos(a); }
void __nv_sincospi(double a, double* b, double* c) { *b = sinpi(a); *c = cospi(a); }
void __nv_sincospif(float a, float* b, float* c) { *b = sinpi(a); *c = cospi(a); }
int __nv_uhadd(uint a, uint b) { return hadd(a, b); }
double __nv_uint2double_rn(uint a) { return convert_double_rte(a); }
float __nv_uint2float_rn(uint a) { return convert_float_rte(a); }
float __nv_uint_as_float(uint a) { return as_float(a); }
double __nv_ull2double_rn(ulong a) { return convert_double_rte(a); }
float __nv_ull2float_rn(ulong a) { return convert_float_rte(a); }
ulong __nv_ullmax(ulong a, ulong b) { return a > b ? a : b; }
ulong __nv_ullmin(ulong a, ulong b) { return a < b ? a : b; }
uint __nv_umax(uint a, uint b) { return a > b ? a : b; }
uint __nv_umin(uint a, uint b) { return a < b ? a : b; }
uint __nv_umul24(uint a, uint b) { return (a & 0xffffff) * (b & 0xffffff); }
ulong __nv_umul64hi(ulong a, ulong b) { return mul_hi(a, b); }
uint __nv_umulhi(uint a, uint b) { return mul_hi(a, b); }
uint __nv_urhadd(uint a, uint b) { return rhadd(a, b); }
uint __nv_usad(uint a, uint b, uint c) { return (a > b ? a - b : b - a) + c; }
double __nv_j0(double a) { return gputest_j(0, a); }
float __nv_j0f(float a) { return (float)gputest_j(0, a); }
double __nv_j1(double a) { return gputest_j(1, a); }
float __nv_j1f(float a) { return (float)gputest_j(1, a); }
double __nv_jn(int n, double a) { return gputest_j(n, a); }
float __nv_jnf(int n, float a) { return (float)gputest_j(n, a); }
double __nv_y0(double a) { return gputest_y(0, a); }
float __nv_y0f(float a) { return (float)gputest_y(0, a); }
double __nv_y1(double a) { return gputest_y(1, a); }
float __nv_y1f(float a) { return (float)gputest_y(1, a); }
double __nv_yn(int n, double a) { return gputest_y(n, a); }
float __nv_ynf(int n, float a) { return (float)gputest_y(n, a); }
double __nv_cyl_bessel_i0(double a) { return gputest_i(0, a); }
float __nv_cyl_bessel_i0f(float a) { return (float)gputest_i(0, a); }
double __nv_cyl_bessel_i1(double a) { return gputest_i(1, a); }
float __nv_cyl_bessel_i1f(float a) { return (float)gputest_i(1, a); }
double __nv_nan(const char *text) { return NAN; }
float __nv_nanf(const char *text) { return NAN; }
double __nv_norm(int n, const double *a) { double sum = 0; for (int i = 0; i < n; ++i) sum = hypot(sum, a[i]); return sum; }
float __nv_normf(int n, const float *a) { double sum = 0; for (int i = 0; i < n; ++i) sum += (double)a[i] * a[i]; return (float)sqrt(sum); }
double __nv_rnorm(int n, const double *a) { return 1 / __nv_norm(n, a); }
float __nv_rnormf(int n, const float *a) { return 1 / __nv_normf(n, a); }

// Rounded down, up and to zero; `rounded`: the suffix of OpenCL C's conversions.
#define DIRECTED(suffix, rounded, way)                                                                                    \
  float __nv_double2float_##suffix(double a) { return convert_float_##rounded(a); }                                       \
  int __nv_double2int_##suffix(double a) { return convert_int_sat_##rounded(a); }                                         \
  long __nv_double2ll_##suffix(double a) { return convert_long_sat_##rounded(a); }                                        \
  uint __nv_double2uint_##suffix(double a) { return convert_uint_sat_##rounded(a); }                                      \
  ulong __nv_double2ull_##suffix(double a) { return convert_ulong_sat_##rounded(a); }                                     \
  float __nv_fadd_##suffix(float a, float b) { return convert_float_##rounded(gputest_add(a, b, way)); }                  \
  float __nv_fdiv_##suffix(float a, float b) { return convert_float_##rounded((double)a / (double)b); }                   \
  int __nv_float2int_##suffix(float a) { return convert_int_sat_##rounded(a); }                                           \
  long __nv_float2ll_##suffix(float a) { return convert_long_sat_##rounded(a); }                                          \
  uint __nv_float2uint_##suffix(float a) { return convert_uint_sat_##rounded(a); }                                        \
  ulong __nv_float2ull_##suffix(float a) { return convert_ulong_sat_##rounded(a); }                                       \
  float __nv_fmaf_ieee_##suffix(float a, float b, float c) { return convert_float_##rounded(gputest_fma(a, b, c, way)); } \
  float __nv_fmaf_##suffix(float a, float b, float c) { return convert_float_##rounded(gputest_fma(a, b, c, way)); }      \
  float __nv_fmul_##suffix(float a, float b) { return convert_float_##rounded((double)a * (double)b); }                   \
  float __nv_frcp_##suffix(float a) { return convert_float_##rounded(1 / (double)a); }                                    \
  float __nv_fsqrt_##suffix(float a) { return convert_float_##rounded(sqrt((double)a)); }                                 \
  float __nv_fsub_##suffix(float a, float b) { return convert_float_##rounded(gputest_add(a, -b, way)); }                 \
  float __nv_int2float_##suffix(int a) { return gputest_signed(a, 24, way); }                                             \
  double __nv_ll2double_##suffix(long a) { return gputest_signed(a, 53, way); }                                           \
  float __nv_ll2float_##suffix(long a) { return gputest_signed(a, 24, way); }                                             \
  float __nv_uint2float_##suffix(uint a) { return gputest_whole(a, 24, way == UP); }                                      \
  double __nv_ull2double_##suffix(ulong a) { return gputest_whole(a, 53, way == UP); }                                    \
  float __nv_ull2float_##suffix(ulong a) { return gputest_whole(a, 24, way == UP); }                                      \
  double __nv_dadd_##suffix(double a, double b) { return gputest_add(a, b, way); }                                        \
  double __nv_dsub_##suffix(double a, double b) { return gputest_add(a, -b, way); }                                       \
  double __nv_dmul_##suffix(double a, double b) { return gputest_mul(a, b, way); }                                        \
  double __nv_ddiv_##suffix(double a, double b) { return gputest_div(a, b, way); }                                        \
  double __nv_drcp_##suffix(double a) { return gputest_div(1, a, way); }                                                  \
  double __nv_dsqrt_##suffix(double a) { return gputest_sqrt(a, way); }                                                   \
  double __nv_fma_##suffix(double a, double b, double c) { return gputest_fma(a, b, c, way); }
DIRECTED(rd, rtn, DOWN)
DIRECTED(ru, rtp, UP)
DIRECTED(rz, rtz, TO_ZERO)
#undef DIRECTED
