// CUDA's functions of mathematics, called by C's name, with the suffix f and in std, with floats, doubles, integers:
// values and types of results are those of the host, in device code and in code for both sides.
#include "check.h"

#include <cmath>
#include <cstdlib>
#include <cuda_fp16.h>

struct Result {
  double value;
  int type; // one for each type of a result
};
__host__ __device__ int number(float) {
  return 1;
}
__host__ __device__ int number(double) {
  return 2;
}
__host__ __device__ int number(int) {
  return 3;
}
__host__ __device__ int number(bool) {
  return 3; // C's functions say int
}
__host__ __device__ int number(long) {
  return 4;
}
__host__ __device__ int number(long long) {
  return 5;
}

struct Arguments {
  float x, y, z; // x is less than 1
  double a, b, c;
  int i;
  long n;
};

// All ways to call a function of one and of two arguments.
#define ONE(F) \
  R(F(x)) R(F##f(x)) R(std::F(x)) R(F(a)) R(std::F(a)) R(F(i)) R(std::F(i)) R(F(x - 2)) R(std::F(a + 2)) BUILTIN(F)
#define BUILTIN(F) R(__builtin_##F(a)) R(__builtin_##F##f(x)) // as libraries call them
#define IN_ONE(F) R(F(x)) R(F##f(x)) R(std::F(x)) R(F(a)) R(std::F(a)) R(F(0)) R(std::F(0)) BUILTIN(F)
#define TWO(F) \
  R(F(x, y)) R(F##f(x, y)) R(std::F(x, y)) R(F(a, b)) R(std::F(a, b)) R(F(x, b)) R(std::F(a, y)) R(F(i, y)) R(std::F(x, i)) R(F(i, i + 1)) \
  R(__builtin_##F(a, b)) R(__builtin_##F##f(x, y))
#define IS(F) R(F(x)) R(std::F(x)) R(F(a)) R(std::F(a)) R(F(i)) R(std::F(i)) R(F(x / 0)) R(F(-a / 0)) R(F(x / 0 - x / 0)) R(std::F(a / 0 - a / 0))
#define COMPARED(F) R(std::F(x, y)) R(std::F(a, b)) R(F(y, x)) R(F(b, a)) R(std::F(i, y)) R(F(a, a - a / 0 + a / 0))
#define ALL_FUNCTIONS                                                                                                      \
  IN_ONE(acos) IN_ONE(asin) IN_ONE(atanh) ONE(asinh) ONE(atan) ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh) ONE(erf) ONE(erfc)   \
  ONE(exp) ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor) ONE(ilogb) ONE(lgamma) ONE(llrint) ONE(llround) ONE(logb) ONE(lrint)  \
  ONE(lround) ONE(nearbyint) ONE(rint) ONE(round) ONE(sin) ONE(sinh) ONE(tan) ONE(tanh) ONE(tgamma) ONE(trunc)             \
  IN_ONE(sqrt) IN_ONE(log1p) R(log(x)) R(logf(x)) R(std::log(x)) R(log(a)) R(log(i)) R(log2(x)) R(log2f(x))                \
  R(std::log2(x)) R(log2(a)) R(std::log2(i)) R(log10(x)) R(log10f(x)) R(std::log10(x)) R(log10(a)) R(std::log10(i))        \
  R(acosh(y)) R(acoshf(y)) R(std::acosh(y)) R(acosh(b)) R(std::acosh(i))                                                   \
  TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(remainder)                \
  R(pow(x, y)) R(powf(x, y)) R(std::pow(x, y)) R(pow(a, b)) R(pow(x, b)) R(std::pow(i, y)) R(pow(i, 2)) R(pow(a, 2))       \
  R(pow(x, 2)) R(pow(x, i)) R(std::pow(x, i)) R(std::pow(y, 3u)) R(pow(x, n))                                               \
  IS(isfinite) IS(isinf) IS(isnan) IS(isnormal) IS(signbit)                                                                \
  COMPARED(isgreater) COMPARED(isgreaterequal) COMPARED(isless) COMPARED(islessequal) COMPARED(islessgreater)              \
  COMPARED(isunordered) R(fpclassify(x)) R(std::fpclassify(a)) R(fpclassify(x / 0)) R(fpclassify(i))                       \
  R(fma(x, y, z)) R(fmaf(x, y, z)) R(std::fma(x, y, z)) R(fma(a, b, c)) R(std::fma(a, b, c)) R(fma(x, b, z))               \
  R(std::fma(i, y, z)) R(ldexp(x, i)) R(ldexpf(x, i)) R(std::ldexp(x, i)) R(ldexp(a, i)) R(std::ldexp(i, i))               \
  R(scalbn(x, i)) R(scalbnf(x, i)) R(std::scalbn(x, i)) R(scalbn(a, i)) R(std::scalbn(i, i))                               \
  R(scalbln(x, n)) R(scalblnf(x, n)) R(std::scalbln(x, n)) R(scalbln(a, n)) R(std::scalbln(i, n))                          \
  R(remquo(y, x, &q)) R(q & 7) R(remquof(y, x, &q)) R(std::remquo(y, x, &q)) R(remquo(b, a, &q)) R(q & 7) R(std::remquo(i, a, &q)) \
  R(frexp(y, &q)) R(q) R(frexpf(y, &q)) R(std::frexp(y, &q)) R(frexp(b, &q)) R(std::frexp(i, &q)) R(q)                     \
  R(modf(y, &whole)) R(whole) R(modff(y, &whole)) R(std::modf(y, &whole)) R(modf(b, &wide)) R(wide) R(std::modf(b, &wide)) \
  R(abs(-i)) R(std::abs(-i)) R(std::abs(-x)) R(std::abs(-a)) R(abs(-n)) R(std::abs(-n)) R(nan("") != 0) R(nanf("") != 0)   \
  R(isnan(nan(""))) R(isnan(nanf(""))) R(max(i, 2)) R(min(x, y)) R(max(a, b)) R(max(x, b)) R(min(n, 2L))

#define R(...) results[count++] = {static_cast<double>(__VA_ARGS__), number(__VA_ARGS__)};
#define BODY                                                                                       \
  const float x = of.x, y = of.y, z = of.z;                                                        \
  const double a = of.a, b = of.b, c = of.c;                                                       \
  const int i = of.i;                                                                              \
  const long n = of.n;                                                                             \
  int q = 0, count = 0;                                                                            \
  float whole = 0;                                                                                 \
  double wide = 0;                                                                                 \
  ALL_FUNCTIONS

__host__ __device__ int on_both(Arguments of, Result* results) {
  BODY
  return count;
}
__global__ void on_device(Arguments of, Result* results) {
  BODY
}
__global__ void on_device_of_both(Arguments of, Result* results) {
  on_both(of, results);
}
static int on_host(Arguments of, Result* results) {
  BODY
  return count;
}
#undef R
#define R(...) #__VA_ARGS__,
static const char* const texts[] = {ALL_FUNCTIONS};
#undef R

static bool are_equal(Result result, Result wanted) {
  if (std::isnan(wanted.value) || std::isinf(wanted.value))
    return std::isnan(wanted.value) ? std::isnan(result.value) : result.value == wanted.value;
  return std::fabs(result.value - wanted.value) <=
         (wanted.type == 1 ? 4e-6 : 1e-13) * std::fmax(std::fabs(wanted.value), 0.01);
}

// Functions that only CUDA has: their names, an argument, and what C's functions make of it.
#define OWN_FUNCTIONS                                                                              \
  R(rsqrt, 1 / std::sqrt(v))                                                                       \
  R(rcbrt, 1 / std::cbrt(v))                                                                       \
  R(sinpi, std::sin(M_PI * v))                                                                     \
  R(cospi, std::cos(M_PI * v))                                                                     \
  R(exp10, std::pow(10.0, v))                                                                      \
  R(erfcx, std::exp(v * v) * std::erfc(v))                                                         \
  R(normcdf, std::erfc(-v / std::sqrt(2.0)) / 2)                                                   \
  R(j0, ::j0(v))                                                                                   \
  R(j1, ::j1(v))                                                                                   \
  R(y0, ::y0(v))                                                                                   \
  R(y1, ::y1(v))                                                                                   \
  R(cyl_bessel_i0, std::cyl_bessel_i(0.0, v))                                                      \
  R(cyl_bessel_i1, std::cyl_bessel_i(1.0, v))
__global__ void own(float x, double a, Result* results) {
  int count = 0;
#define R(F, wanted)                                                                               \
  results[count++] = {F(x), number(F(x))}, results[count++] = {F##f(x), number(F##f(x))},          \
  results[count++] = {F(a), number(F(a))};
  OWN_FUNCTIONS
#undef R
  // Inverses of each other; functions of more arguments.
  results[count++] = {erfinv(erf(x)) - x, number(erfinv(x))}, results[count++] = {erfinvf(erff(x)) - x, 1};
  results[count++] = {erfcinv(erfc(a)) - a, number(erfcinv(a))}, results[count++] = {erfcinv(erfc(x)) - x, number(erfcinv(x))};
  results[count++] = {normcdfinv(normcdf(x)) - x, number(normcdfinv(x))};
  results[count++] = {jn(2, x) - jnf(2, x), number(jn(2, x))}, results[count++] = {yn(2, x) - ynf(2, x), number(yn(2, x))};
  results[count++] = {rhypot(a, a) * hypot(a, a) - 1, 2}, results[count++] = {rhypotf(x, x) * hypot(x, x) - 1, 1};
  results[count++] = {norm3d(a, a, a) / a - sqrt(3.0), 2}, results[count++] = {norm3df(x, x, x) / x - sqrtf(3.0f), 1};
  results[count++] = {norm4d(a, a, a, a) / a - 2, 2}, results[count++] = {norm4df(x, x, x, x) / x - 2, 1};
  results[count++] = {rnorm3d(a, a, a) * norm3d(a, a, a) - 1, 2}, results[count++] = {rnorm3df(x, x, x) * norm3df(x, x, x) - 1, 1};
  results[count++] = {rnorm4d(a, a, a, a) * norm4d(a, a, a, a) - 1, 2}, results[count++] = {rnorm4df(x, x, x, x) * x - 0.5f, 1};
  const double doubles[2] = {3, 4};
  const float floats[2] = {3, 4};
  results[count++] = {norm(2, doubles) - 5, 2}, results[count++] = {normf(2, floats) - 5, 1};
  results[count++] = {rnorm(2, doubles) - 0.2, 2}, results[count++] = {rnormf(2, floats) - 0.2f, 1};
  float s, t;
  double u, v;
  sincos(x, &s, &t), sincos(a, &u, &v);
  results[count++] = {s - sin(x), number(s)}, results[count++] = {v - cos(a), number(v)};
  sincosf(x, &s, &t), sincospif(x, &s, &t), sincospi(a, &u, &v);
  results[count++] = {t - cospi(x), number(t)}, results[count++] = {u - sinpi(a), number(u)};
  sincospi(x, &s, &t);
  results[count++] = {s - sinpif(x), 1}, results[count++] = {fdividef(x, 2.0f) - x / 2, 1};
}

// Functions of half: what those of float make of the same argument.
#define OF_HALF                                                                                    \
  R(hsin, sinf) R(hcos, cosf) R(hexp, expf) R(hexp2, exp2f) R(hexp10, exp10f) R(hlog, logf)        \
  R(hlog2, log2f) R(hlog10, log10f) R(hsqrt, sqrtf) R(hrsqrt, rsqrtf) R(hfloor, floorf)            \
  R(hceil, ceilf) R(htrunc, truncf) R(hrint, rintf)
__global__ void of_half(__half x, float* wrong) {
  const float v = __half2float(x);
#define R(h, f) *wrong = fmaxf(*wrong, fabsf(__half2float(h(x)) - f(v)) / fmaxf(fabsf(f(v)), 0.01f));
  OF_HALF
#undef R
  *wrong = fmaxf(*wrong, fabsf(__half2float(hrcp(x)) * v - 1));
  *wrong = fmaxf(*wrong, fabsf(__half2float(__hmax(x, __hneg(x))) - __half2float(__habs(x))));
  *wrong = fmaxf(*wrong, fabsf(__half2float(__hfma(x, x, x)) - (v * v + v)));
  if (__hisnan(x) || __hisinf(x) != 0)
    *wrong = 1;
}

int main() {
  constexpr int kCount = sizeof texts / sizeof *texts;
  static Result wanted[kCount], both[kCount];
  Device<Result> results(kCount), results_of_both(kCount);
  srand(1);
  for (int round = 0; round < 12; ++round) {
    const auto any = [](double least, double most) { return static_cast<float>(least + (most - least) * rand() / RAND_MAX); };
    Arguments of{any(0.05, 0.95), any(1.1, 6), any(-3, 3), any(0.05, 0.95), any(1.1, 6), any(-3, 3), rand() % 5 + 1, rand() % 5};
    if (round == 0)
      of.x = 0.5f, of.a = 0.5, of.y = 3.5f, of.b = 2.5; // ties
    EXPECT(on_host(of, wanted) == kCount && on_both(of, both) == kCount);
    on_device<<<1, 1>>>(of, results.data);
    on_device_of_both<<<1, 1>>>(of, results_of_both.data);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    for (int i = 0; i < kCount; ++i)
      for (const Result& result : {both[i], results[i], results_of_both[i]})
        if (!are_equal(result, wanted[i]) || result.type != wanted[i].type) {
          std::printf("%s: %.9g of type %d, not %.9g of type %d\n", texts[i], result.value, result.type, wanted[i].value,
                      wanted[i].type);
          ++::wrong;
        }
    Device<Result> own_results(80);
    own<<<1, 1>>>(of.x, of.a, own_results.data);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    int at = 0;
#define R(f, result)                                                                               \
  for (const int type : {1, 1, 2}) {                                                               \
    const double v = type == 1 ? of.x : of.a;                                                      \
    const Result is = own_results[at++];                                                           \
    if (!are_equal(is, {result, type}) || is.type != type)                                         \
      std::printf("%s(%g): %.9g of type %d\n", #f, v, is.value, is.type), ++::wrong;               \
  }
    OWN_FUNCTIONS
#undef R
    for (; own_results[at].type != 0; ++at)
      if (std::fabs(own_results[at].value) > (own_results[at].type == 1 ? 1e-5 : 1e-12))
        std::printf("%d: %g\n", at, own_results[at].value), ++::wrong;
    Device<float> error(1);
    of_half<<<1, 1>>>(__float2half(of.x), error.data);
    EXPECT(error[0] < 2e-3f);
  }
  return wrong;
}
