// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of CUDA's math library (libdevice), by OpenCL's functions in libclc. Linked with kernels of
// CUDA programs that call them. Names and parameters are those of Clang's __clang_cuda_libdevice_declares.h.
// Directed rounding of a double moves the nearest result by one step if the exact one is beyond it (error-free
// sums and products by Dekker and Knuth). A float's result is rounded from a double, itself rounded the same way unless
// it is exact. Inexact quotients and roots of floats are too far from a float for this to matter.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// exp(x * x) * erfc(x)
static double gputest_erfcx(double x) {
  if (!(x >= 10)) { // the square is too long for a double, and its rest matters to exp
    const double square = x * x, rest = fma(x, x, -square), power = exp(square) * erfc(x);
    return isinf(square) ? square : power + power * rest;
  }
  const double y = 1 / (2 * x * x);
  double series = 1;
  for (int k = 12; k > 0; --k)
    series = 1 - (2 * k - 1) * y * series;
  return series * 0.56418958354775629 / x;
}
// Returns the x > 0 with erf(x) == a and erfc(x) == rest, of which the smaller one counts. Acklam's rational
// approximation of the normal distribution's quantile, and one step of Halley's method, which leaves a relative error
// of about 1e-15.
static double gputest_erf_inverse(double a, double rest) {
  const double a0 = -3.969683028665376e+01, a1 = 2.209460984245205e+02, a2 = -2.759285104469687e+02,
               a3 = 1.383577518672690e+02, a4 = -3.066479806614716e+01, a5 = 2.506628277459239e+00;
  const double b0 = -5.447609879822406e+01, b1 = 1.615858368580409e+02, b2 = -1.556989798598866e+02,
               b3 = 6.680131188771972e+01, b4 = -1.328068155288572e+01;
  const double c0 = -7.784894002430293e-03, c1 = -3.223964580411365e-01, c2 = -2.400758277161838e+00,
               c3 = -2.549732539343734e+00, c4 = 4.374664141464968e+00, c5 = 2.938163982698783e+00;
  const double d0 = 7.784695709041462e-03, d1 = 3.224671290700398e-01, d2 = 2.445134137142996e+00,
               d3 = 3.754408661907416e+00;
  if (rest > 0.0485) {
    const double q = 0.5 * a, r = q * q;
    const double x = (((((a0 * r + a1) * r + a2) * r + a3) * r + a4) * r + a5) * q /
                     (((((b0 * r + b1) * r + b2) * r + b3) * r + b4) * r + 1) * 0.70710678118654752;
    if (x < 1e-150) // the step would lose bits
      return a * 0.88622692545275801;
    const double u = (erf(x) - a) * 0.88622692545275801 * exp(x * x);
    return x - u / (1 + x * u);
  }
  const double q = sqrt(-2 * (log(rest) - 0.69314718055994531));
  double x = -(((((c0 * q + c1) * q + c2) * q + c3) * q + c4) * q + c5) / ((((d0 * q + d1) * q + d2) * q + d3) * q + 1) *
             0.70710678118654752;
  if (rest < 1e-290) { // by logarithms where erfc has few bits
    const double scaled = gputest_erfcx(x);
    return x + (log(scaled) - fma(x, x, log(rest))) * 0.88622692545275801 * scaled;
  }
  const double u = (rest - erfc(x)) * 0.88622692545275801 * exp(x * x);
  return x - u / (1 + x * u);
}
static double gputest_erfinv(double a) {
  const double size = fabs(a);
  return size < 1 ? copysign(a == 0 ? 0 : gputest_erf_inverse(size, 1 - size), a) : size == 1 ? a * INFINITY : NAN;
}
static double gputest_erfcinv(double a) {
  if (!(a > 0 && a < 2))
    return a == 0 ? INFINITY : a == 2 ? -INFINITY : NAN;
  return a < 1 ? gputest_erf_inverse(1 - a, a) : a == 1 ? 0 : -gputest_erf_inverse(a - 1, 2 - a);
}
static double gputest_normcdfinv(double a) { return -1.4142135623730951 * gputest_erfcinv(2 * a); }
static double gputest_normcdf(double x) {
  const double high = -x * 0.70710678118654752, low = fma(-x, 0.70710678118654752, -high) + x * 4.8336466567264567e-17;
  const double at_high = 0.5 * erfc(high);
  return isfinite(x) ? at_high - low * 0.56418958354775629 * exp(-high * high) : at_high;
}

// Adds a square to a sum of two doubles.
static void gputest_add_square(double *high, double *low, double x) {
  const double square = x * x, sum = *high + square, part = sum - *high;
  *low += (*high - (sum - part)) + (square - part) + fma(x, x, -square);
  *high = sum;
}
// One step of Newton's method, whose error is less than a unit in the last place.
static double gputest_root_of_sum(double high, double low, bool reciprocal) {
  const double root = sqrt(high), y = 1 / root, square = y * y;
  if (high == 0 || isinf(high) || isnan(high))
    return reciprocal ? y : root;
  if (!reciprocal)
    return root + (fma(-root, root, high) + low) * 0.5 * y;
  return y + 0.5 * y * (fma(-high, square, 1.0) - high * fma(y, y, -square) - low * square);
}
// Square roots of sums of squares, and their reciprocals, whose squares may be too large or too small for a double.
static double gputest_root(double a, double b, double c, double d, bool reciprocal) {
  if (isinf(a) || isinf(b) || isinf(c) || isinf(d))
    return reciprocal ? 0 : INFINITY;
  const double most = fmax(fmax(fabs(a), fabs(b)), fmax(fabs(c), fabs(d)));
  if (isnan(a + b + c + d) || most == 0)
    return isnan(a + b + c + d) ? NAN : reciprocal ? INFINITY : 0;
  const double scale = most > 0x1p500 ? 0x1p-600 : most < 0x1p-500 ? 0x1p600 : 1;
  double high = 0, low = 0;
  gputest_add_square(&high, &low, a * scale);
  gputest_add_square(&high, &low, b * scale);
  gputest_add_square(&high, &low, c * scale);
  gputest_add_square(&high, &low, d * scale);
  const double root = gputest_root_of_sum(high, low, reciprocal);
  return reciprocal ? root * scale : root / scale;
}
static double gputest_norm(int n, const double *a, bool reciprocal) {
  double most = 0, sum = 0;
  bool has_nan = false;
  for (int i = 0; i < n; ++i) {
    if (isinf(a[i]))
      return reciprocal ? 0 : INFINITY;
    has_nan = has_nan || isnan(a[i]);
    most = fmax(most, fabs(a[i]));
  }
  const double scale = most > 0x1p490 ? 0x1p-600 : most < 0x1p-490 ? 0x1p600 : 1;
  for (int i = 0; i < n; ++i)
    sum = fma(a[i] * scale, a[i] * scale, sum);
  return has_nan ? NAN : reciprocal ? scale / sqrt(sum) : sqrt(sum) / scale;
}
static double gputest_rsqrt(double a) {
  const double scale = a < 0x1p-900 ? 0x1p200 : a > 0x1p900 ? 0x1p-200 : 1;
  return gputest_root_of_sum(a * scale, 0, true) * (scale == 1 ? 1 : scale > 1 ? 0x1p100 : 0x1p-100);
}
static double gputest_rcbrt(double a) {
  const double size = fabs(a), scale = size < 0x1p-900 ? 0x1p300 : size > 0x1p900 ? 0x1p-300 : 1;
  const double x = a * scale, y = 1 / cbrt(x), square = y * y, cube = square * y;
  if (!isfinite(y) || y == 0)
    return y;
  const double rest = fma(square, y, -cube) + fma(y, y, -square) * y;
  return (y + y * (fma(-x, cube, 1.0) - x * rest) / 3) * (scale == 1 ? 1 : scale > 1 ? 0x1p100 : 0x1p-100);
}

// `r`: the number nearest to the exact result. `left` has the sign of the exact result minus `r`.
enum { TO_ZERO, DOWN, UP };
static double gputest_directed(double r, double left, int way) {
  if (way == TO_ZERO && r == 0) // nothing is nearer
    return r;
  if (way == TO_ZERO)
    way = r > 0 ? DOWN : UP;
  if (left == 0 || isnan(left) || (way == DOWN) != (left < 0))
    return r;
  const double next = nextafter(r, left < 0 ? -(double)INFINITY : (double)INFINITY);
  return next == 0 ? copysign(next, r) : next;
}
static float gputest_single(double x, int way) {
  float r = (float)x;
  if (way == TO_ZERO)
    way = x > 0 ? DOWN : UP;
  if (way == DOWN && r > x)
    r = nextafter(r, -INFINITY);
  else if (way == UP && r < x)
    r = nextafter(r, INFINITY);
  return r == 0 && x != 0 ? copysign(r, x < 0 ? -1.0f : 1.0f) : r;
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
  if (r == 0 && way == DOWN && (signbit(a) || signbit(b)))
    return -0.0;
  return gputest_directed(r, gputest_left(r, left, isfinite(a) && isfinite(b)), way);
}
static double gputest_mul(double a, double b, int way) {
  const double r = a * b;
  double left = fma(a, b, -r);
  if (fabs(r) < 0x1p-900) { // the rest may be too small for a double
    const double of_a = fabs(a) < 1 ? 0x1p900 : 1, of_b = fabs(b) < 1 ? 0x1p900 : 1;
    left = fma(a * of_a, b * of_b, -(r * of_a * of_b));
  }
  return gputest_directed(r, gputest_left(r, left, isfinite(a) && isfinite(b)), way);
}
static double gputest_div(double a, double b, int way) {
  const double r = a / b, scale = fabs(a) < 0x1p-800 ? 0x1p200 : 1.0;
  const double rest = fma(-(r * scale), b, a * scale), left = signbit(b) ? -rest : rest;
  return gputest_directed(r, gputest_left(r, left, isfinite(a) && b != 0), way);
}
static double gputest_sqrt(double a, int way) {
  const double r = sqrt(a), scale = a < 0x1p-900 ? 0x1p100 : 1;
  return gputest_directed(r, fma(-(r * scale), r * scale, a * scale * scale), way);
}
static double gputest_fma(double a, double b, double c, int way) {
  const double r = fma(a, b, c), product = a * b;
  const bool minus = signbit(a) != signbit(b), finite = isfinite(a) && isfinite(b) && isfinite(c);
  double of_a = 1, of_b = 1, addend = c;
  if (finite && a != 0 && b != 0 && fabs(product) < 0x1p-900) {
    if (fabs(c) >= 0x1p-400) // the product decides only on which side of c the sum is
      return gputest_directed(c, minus ? -1 : 1, way);
    of_a = fabs(a) < 1 ? 0x1p600 : 1;
    of_b = fabs(b) < 1 ? 0x1p600 : 1;
  } else if (fabs(product) > 0x1p1000) {
    of_a = fabs(a) > fabs(b) ? 0x1p-100 : 1;
    of_b = fabs(a) > fabs(b) ? 1 : 0x1p-100;
    if (c != 0 && fabs(c) < 1) // it decides only on which side of the product the sum is
      addend = copysign(1.0, c);
  }
  const double x = a * of_a, y = b * of_b, z = addend * of_a * of_b, p = x * y, low = fma(x, y, -p);
  const double s = p + z, d = s - p, rest = (p - (s - d)) + (z - d);
  const double sum = rest + low, e = sum - rest, tail = (rest - (sum - e)) + (low - e);
  const double left = ((s - r * of_a * of_b) + sum) + tail;
  if (r == 0 && left == 0 && way == DOWN && (minus || signbit(c)))
    return -0.0;
  return gputest_directed(r, gputest_left(r, left, finite), way);
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
ONE(cosh) ONE(erf) ONE(erfc) ONE(exp) ONE(exp10) ONE(exp2) ONE(expm1) ONE(fabs)
ONE(floor) ONE(lgamma) ONE(log) ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(rint) ONE(round)
ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan) ONE(tanh) ONE(tgamma) ONE(trunc)
TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(pow)
// A remainder that is zero has the sign of the number that is divided (IEEE 754, 5.3.1).
__attribute__((overloadable)) static double rest(double r, double a) { return r == 0 ? copysign(r, a) : r; }
__attribute__((overloadable)) static float rest(float r, float a) { return r == 0 ? copysign(r, a) : r; }
OF_TWO(remainder, rest(remainder(a, b), a))
OF_ONE(nearbyint, rint(a))
// Floats by way of double.
#define OF_DOUBLE(name, function) \
  double __nv_##name(double a) { return function(a); } \
  float __nv_##name##f(float a) { return (float)function((double)a); }
OF_DOUBLE(cospi, cospi) OF_DOUBLE(sinpi, sinpi) OF_DOUBLE(erfcinv, gputest_erfcinv) OF_DOUBLE(erfcx, gputest_erfcx)
OF_DOUBLE(erfinv, gputest_erfinv) OF_DOUBLE(normcdf, gputest_normcdf) OF_DOUBLE(rcbrt, gputest_rcbrt)
OF_DOUBLE(normcdfinv, gputest_normcdfinv)
double __nv_rsqrt(double a) { return gputest_rsqrt(a); }
float __nv_rsqrtf(float a) { return rsqrt(a); }
double __nv_rhypot(double a, double b) { return gputest_root(a, b, 0, 0, true); }
float __nv_rhypotf(float a, float b) { return (float)gputest_root(a, b, 0, 0, true); }

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
int __nv_double2int_rn(double a) { return isnan(a) ? (int)0x80000000 : convert_int_sat_rte(a); }
long __nv_double2ll_rn(double a) { return isnan(a) ? (long)0x8000000000000000 : convert_long_sat_rte(a); }
int __nv_double2loint(double a) { return (int)as_ulong(a); }
uint __nv_double2uint_rn(double a) { return isnan(a) ? 0x80000000u : convert_uint_sat_rte(a); }
ulong __nv_double2ull_rn(double a) { return isnan(a) ? 0x8000000000000000ul : convert_ulong_sat_rte(a); }
ulong __nv_double_as_longlong(double a) { return as_ulong(a); }
double __nv_drcp_rn(double a) { return 1 / a; }
double __nv_dsqrt_rn(double a) { return sqrt(a); }
double __nv_dsub_rn(double a, double b) { return a - b; }
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
long __nv_float2ll_rn(float a) { return isnan(a) ? (long)0x8000000000000000 : convert_long_sat_rte(a); }
uint __nv_float2uint_rn(float a) { return convert_uint_sat_rte(a); }
ulong __nv_float2ull_rn(float a) { return isnan(a) ? 0x8000000000000000ul : convert_ulong_sat_rte(a); }
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
float __nv_frsqrt_rn(float a) { return (float)(1 / sqrt((double)a)); }
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
long __nv_llrint(double a) { return isnan(a) ? (long)0x8000000000000000 : convert_long_sat_rte(a); }
long __nv_llrintf(float a) { return isnan(a) ? (long)0x8000000000000000 : convert_long_sat_rte(a); }
long __nv_llround(double a) { return isnan(a) ? (long)0x8000000000000000 : convert_long_sat_rtz(round(a)); }
long __nv_llroundf(float a) { return isnan(a) ? (long)0x8000000000000000 : convert_long_sat_rtz(round(a)); }
double __nv_longlong_as_double(long a) { return as_double(a); }
int __nv_max(int a, int b) { return a > b ? a : b; }
int __nv_min(int a, int b) { return a < b ? a : b; }
double __nv_modf(double a, double* b) { return modf(a, b); }
float __nv_modff(float a, float* b) { return modf(a, b); }
int __nv_mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
long __nv_mul64hi(long a, long b) { return mul_hi(a, b); }
int __nv_mulhi(int a, int b) { return mul_hi(a, b); }
int __nv_popc(uint a) { return (int)popcount(a); }
int __nv_popcll(ulong a) { return (int)popcount(a); }
double __nv_powi(double a, int b) { return pown(a, b); }
float __nv_powif(float a, int b) { return pown(a, b); }
double __nv_remquo(double a, double b, int* c) { return rest(remquo(a, b, c), a); }
float __nv_remquof(float a, float b, int* c) { return rest(remquo(a, b, c), a); }
int __nv_rhadd(int a, int b) { return rhadd(a, b); }
int __nv_sad(int a, int b, int c) { return (uint)(a > b ? (uint)a - (uint)b : (uint)b - (uint)a) + (uint)c; }
float __nv_saturatef(float a) { return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f; }
double __nv_scalbn(double a, int b) { return ldexp(a, b); }
float __nv_scalbnf(float a, int b) { return ldexp(a, b); }
int __nv_signbitd(double a) { return signbit(a) != 0; }
int __nv_signbitf(float a) { return signbit(a) != 0; }
void __nv_sincos(double a, double* b, double* c) { *b = sin(a); *c = cos(a); }
void __nv_sincosf(float a, float* b, float* c) { *b = sin(a); *c = cos(a); }
void __nv_sincospi(double a, double* b, double* c) { *b = sinpi(a); *c = cospi(a); }
void __nv_sincospif(float a, float* b, float* c) { *b = (float)sinpi((double)a); *c = (float)cospi((double)a); }
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
#define BESSEL(name, function, order) \
  double __nv_##name(double a) { return function(order, a); } \
  float __nv_##name##f(float a) { return (float)function(order, a); }
#define BESSEL_OF_ANY(name, function) \
  double __nv_##name(int n, double a) { return function(n, a); } \
  float __nv_##name##f(int n, float a) { return (float)function(n, a); }
BESSEL(j0, gputest_j, 0) BESSEL(j1, gputest_j, 1) BESSEL_OF_ANY(jn, gputest_j)
BESSEL(y0, gputest_y, 0) BESSEL(y1, gputest_y, 1) BESSEL_OF_ANY(yn, gputest_y)
BESSEL(cyl_bessel_i0, gputest_i, 0) BESSEL(cyl_bessel_i1, gputest_i, 1)
double __nv_nan(const char *text) { return NAN; }
float __nv_nanf(const char *text) { return NAN; }
#define ROOTS(norm, reciprocal) \
  double __nv_##norm##3d(double a, double b, double c) { return gputest_root(a, b, c, 0, reciprocal); } \
  float __nv_##norm##3df(float a, float b, float c) { return (float)gputest_root(a, b, c, 0, reciprocal); } \
  double __nv_##norm##4d(double a, double b, double c, double d) { return gputest_root(a, b, c, d, reciprocal); } \
  float __nv_##norm##4df(float a, float b, float c, float d) { return (float)gputest_root(a, b, c, d, reciprocal); }
ROOTS(norm, false) ROOTS(rnorm, true)
double __nv_norm(int n, const double *a) { return gputest_norm(n, a, false); }
double __nv_rnorm(int n, const double *a) { return gputest_norm(n, a, true); }
static double gputest_norm_of_floats(int n, const float *a) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    if (isinf(a[i]))
      return INFINITY;
    sum += (double)a[i] * a[i];
  }
  return sqrt(sum);
}
float __nv_normf(int n, const float *a) { return (float)gputest_norm_of_floats(n, a); }
float __nv_rnormf(int n, const float *a) { return (float)(1 / gputest_norm_of_floats(n, a)); }

// Rounded down, up and to zero; `rounded`: the suffix of OpenCL C's conversions. What is no number becomes the integer
// that PTX's cvt makes of it: 0, but the highest bit alone from double and to 64 bits.
#define DIRECTED(suffix, rounded, way) \
  float __nv_double2float_##suffix(double a) { return gputest_single(a, way); } \
  int __nv_double2int_##suffix(double a) { return isnan(a) ? (int)0x80000000 : convert_int_sat_##rounded(a); } \
  long __nv_double2ll_##suffix(double a) { return isnan(a) ? (long)0x8000000000000000 : convert_long_sat_##rounded(a); } \
  uint __nv_double2uint_##suffix(double a) { return isnan(a) ? 0x80000000u : convert_uint_sat_##rounded(a); } \
  ulong __nv_double2ull_##suffix(double a) { return isnan(a) ? 0x8000000000000000ul : convert_ulong_sat_##rounded(a); } \
  float __nv_fadd_##suffix(float a, float b) { return gputest_single(gputest_add(a, b, way), way); } \
  float __nv_fdiv_##suffix(float a, float b) { return gputest_single((double)a / (double)b, way); } \
  int __nv_float2int_##suffix(float a) { return convert_int_sat_##rounded(a); } \
  long __nv_float2ll_##suffix(float a) { return isnan(a) ? (long)0x8000000000000000 : convert_long_sat_##rounded(a); } \
  uint __nv_float2uint_##suffix(float a) { return convert_uint_sat_##rounded(a); } \
  ulong __nv_float2ull_##suffix(float a) { return isnan(a) ? 0x8000000000000000ul : convert_ulong_sat_##rounded(a); } \
  float __nv_fmaf_ieee_##suffix(float a, float b, float c) { return gputest_single(gputest_fma(a, b, c, way), way); } \
  float __nv_fmaf_##suffix(float a, float b, float c) { return gputest_single(gputest_fma(a, b, c, way), way); } \
  float __nv_fmul_##suffix(float a, float b) { return gputest_single((double)a * (double)b, way); } \
  float __nv_frcp_##suffix(float a) { return gputest_single(1 / (double)a, way); } \
  float __nv_fsqrt_##suffix(float a) { return gputest_single(sqrt((double)a), way); } \
  float __nv_fsub_##suffix(float a, float b) { return gputest_single(gputest_add(a, -b, way), way); } \
  float __nv_int2float_##suffix(int a) { return gputest_signed(a, 24, way); } \
  double __nv_ll2double_##suffix(long a) { return gputest_signed(a, 53, way); } \
  float __nv_ll2float_##suffix(long a) { return gputest_signed(a, 24, way); } \
  float __nv_uint2float_##suffix(uint a) { return gputest_whole(a, 24, way == UP); } \
  double __nv_ull2double_##suffix(ulong a) { return gputest_whole(a, 53, way == UP); } \
  float __nv_ull2float_##suffix(ulong a) { return gputest_whole(a, 24, way == UP); } \
  double __nv_dadd_##suffix(double a, double b) { return gputest_add(a, b, way); } \
  double __nv_dsub_##suffix(double a, double b) { return gputest_add(a, -b, way); } \
  double __nv_dmul_##suffix(double a, double b) { return gputest_mul(a, b, way); } \
  double __nv_ddiv_##suffix(double a, double b) { return gputest_div(a, b, way); } \
  double __nv_drcp_##suffix(double a) { return gputest_div(1, a, way); } \
  double __nv_dsqrt_##suffix(double a) { return gputest_sqrt(a, way); } \
  double __nv_fma_##suffix(double a, double b, double c) { return gputest_fma(a, b, c, way); }
DIRECTED(rd, rtn, DOWN)
DIRECTED(ru, rtp, UP)
DIRECTED(rz, rtz, TO_ZERO)
#undef DIRECTED
