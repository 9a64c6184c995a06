// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of mathematics that CUDA has for the host, too, and C has not.
#ifndef GPUTEST_CUDA_HOST_MATH_H
#define GPUTEST_CUDA_HOST_MATH_H

static inline __host__ double rsqrt(double x) {
  return 1.0 / sqrt(x);
}
static inline __host__ double rcbrt(double x) {
  return 1.0 / cbrt(x);
}
static inline __host__ double rhypot(double x, double y) {
  return 1.0 / hypot(x, y);
}
static inline __host__ double sinpi(double x) {
  const double rest = remainder(x, 2.0); // -1 to 1, exact
  return sin(M_PI * (fabs(rest) > 0.5 ? copysign(1.0, rest) - rest : rest));
}
static inline __host__ double cospi(double x) {
  const double rest = fabs(remainder(x, 2.0));
  return rest <= 0.25 ? cos(M_PI * rest) : sin(M_PI * (0.5 - rest));
}
static inline __host__ void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
static inline __host__ double normcdf(double x) {
  return 0.5 * erfc(-x * M_SQRT1_2);
}
// By Newton's method for the logarithm of erfc(), which is concave.
static inline __host__ double erfcinv(double x) {
  if (!(x > 0 && x < 2))
    return x == 0 ? HUGE_VAL : x == 2 ? -HUGE_VAL : NAN;
  if (x > 1)
    return -erfcinv(2 - x);
  double at = x < 0.5 ? sqrt(-log(x)) : 0;
  for (int i = 0; i < 60; ++i) {
    const double of = erfc(at), step = of * log(of / x) / (M_2_SQRTPI * exp(-at * at));
    at += step;
    if (fabs(step) <= 1e-17 * fabs(at))
      break;
  }
  return at;
}
static inline __host__ double erfinv(double x) {
  double at = fabs(x) < 0.5 ? x : copysign(erfcinv(1 - fabs(x)), x);
  if (fabs(x) < 0.5)
    for (int i = 0; i < 6; ++i)
      at -= (erf(at) - x) / (M_2_SQRTPI * exp(-at * at));
  return at;
}
static inline __host__ double normcdfinv(double x) {
  return -M_SQRT2 * erfcinv(2 * x);
}
#define GPUTEST_HOST_FLOAT(function)                                                               \
  static inline __host__ float function##f(float x) {                                              \
    return (float)function((double)x);                                                             \
  }                                                                                                \
  static inline __host__ float function(float x) {                                                 \
    return function##f(x);                                                                         \
  }
GPUTEST_HOST_FLOAT(rsqrt)
GPUTEST_HOST_FLOAT(rcbrt)
GPUTEST_HOST_FLOAT(sinpi)
GPUTEST_HOST_FLOAT(cospi)
GPUTEST_HOST_FLOAT(normcdf)
GPUTEST_HOST_FLOAT(erfcinv)
GPUTEST_HOST_FLOAT(erfinv)
GPUTEST_HOST_FLOAT(normcdfinv)
#undef GPUTEST_HOST_FLOAT
static inline __host__ float rhypotf(float x, float y) {
  return (float)rhypot((double)x, (double)y);
}
static inline __host__ void sincospi(float x, float* s, float* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
static inline __host__ void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}

#endif
