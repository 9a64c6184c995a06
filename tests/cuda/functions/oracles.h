// What functions of device code must return, in plain C++ of the host: values to try, expected
// results, and how near results must be. Nothing here uses CUDA's functions, so that a compiler of
// CUDA can be compared with it.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cfenv>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

constexpr int kValues = 61; // of each type; a prime, so that all pairs are made

struct Inputs {
  int i[kValues];
  unsigned u[kValues];
  short s[kValues];
  unsigned short t[kValues];
  long long l[kValues];
  unsigned long long m[kValues];
  float f[kValues];
  double d[kValues];
  __half h[kValues];
  __nv_bfloat16 b[kValues];
};

// The positions of the first three arguments of a call.
struct Picked {
  int a, b, c;
};
inline __host__ __device__ Picked pick(int call) {
  return {call % kValues, (call / kValues + call) % kValues,
          (call * 31 + call / kValues * 17) % kValues};
}

template <typename T>
__device__ void put(unsigned long long* out, int row, int call, int calls, T value) {
  unsigned long long bits = 0;
  memcpy(&bits, &value, sizeof value);
  out[row * calls + call] = bits;
}

enum class Type { Bits, Float, Double, Half, Bfloat16, Halves, Bfloats };

// An exact result, or one that may be off by units in the last place and by an absolute error.
struct Expected {
  Type type;
  unsigned long long bits;
  long double value;
  double units, absolute;
  bool skipped;
};
inline Expected skipped() {
  return {Type::Bits, 0, 0, 0, 0, true};
}
// remainder() with the sign of IEEE 754 for zero, which glibc 2.36 does not give for tiny numbers.
template <typename T> T rest(T a, T b) {
  const T r = std::remainder(a, b);
  return r == 0 ? std::copysign(r, a) : r;
}

template <typename T> Expected exact(T value) {
  unsigned long long bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return {Type::Bits, bits, 0, -1, 0, false};
}
template <> inline Expected exact(float value) {
  return {Type::Float, 0, value, 0, 0, false};
}
template <> inline Expected exact(double value) {
  return {Type::Double, 0, value, 0, 0, false};
}
// Documented units count from the result that is rounded to nearest, which is up to half a unit
// from the exact one: log2() of 1 unit is 1.04 units from that on an H200.
inline double units_of(double documented) {
  return documented < 1 ? documented : documented + 0.5;
}
inline Expected near_float(double value, double units, double absolute = 0) {
  return {Type::Float, 0, value, units_of(units), absolute, false};
}
inline Expected near_double(long double value, double units, double absolute = 0) {
  return {Type::Double, 0, value, units_of(units), absolute, false};
}

// Numbers with few bits: `digits` of the mantissa, of which the first is not stored, and an
// exponent of `width` bits.
struct Format {
  int digits, width;
};
constexpr Format kHalf{11, 5}, kBfloat16{8, 8};

// Returns the bits of the number that `x` is rounded to. `mode`: as of <cfenv>.
inline unsigned narrowed(long double x, Format format, int mode = FE_TONEAREST) {
  const int bias = (1 << (format.width - 1)) - 1, stored = format.digits - 1;
  const unsigned sign = std::signbit(x) ? 1u << (format.width + stored) : 0;
  const unsigned infinity = ((1u << format.width) - 1) << stored;
  if (std::isnan(x))
    return infinity | (1u << stored) - 1;
  if (std::isinf(x))
    return sign | infinity;
  if (x == 0)
    return sign;
  int exponent = std::ilogb(x);
  if (exponent < 1 - bias)
    exponent = 1 - bias;
  const long double quantum = std::ldexp(1.0L, exponent - stored), scaled = std::fabs(x) / quantum;
  long double whole = std::floor(scaled);
  const long double rest = scaled - whole;
  const bool up = mode == FE_UPWARD ? !sign : mode == FE_DOWNWARD ? sign != 0 : false;
  if (mode == FE_TONEAREST ? rest > 0.5L || (rest == 0.5L && std::fmod(whole, 2.0L) == 1)
                           : up && rest > 0)
    whole += 1;
  const long double result = whole * quantum;
  const long double most = std::ldexp(2.0L - std::ldexp(1.0L, -stored), bias);
  if (result > most)
    return sign | (mode == FE_TONEAREST || up ? infinity : infinity - 1);
  if (result < std::ldexp(1.0L, 1 - bias))
    return sign | static_cast<unsigned>(whole);
  const int at = std::ilogb(result);
  const auto mantissa = static_cast<unsigned>(std::ldexp(result, stored - at)) - (1u << stored);
  return sign | static_cast<unsigned>(at + bias) << stored | mantissa;
}
inline double widened(unsigned bits, Format format) {
  const int bias = (1 << (format.width - 1)) - 1, stored = format.digits - 1;
  const unsigned exponent = bits >> stored & ((1u << format.width) - 1),
                 mantissa = bits & ((1u << stored) - 1);
  const double sign = bits >> (format.width + stored) & 1 ? -1 : 1;
  if (exponent == (1u << format.width) - 1)
    return mantissa ? NAN : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - bias - stored);
  return sign * std::ldexp(mantissa + (1u << stored), static_cast<int>(exponent) - bias - stored);
}
inline double number(__half x) {
  unsigned short bits;
  std::memcpy(&bits, &x, 2);
  return widened(bits, kHalf);
}
inline double number(__nv_bfloat16 x) {
  unsigned short bits;
  std::memcpy(&bits, &x, 2);
  return widened(bits, kBfloat16);
}
inline Expected as_half(long double x, int mode = FE_TONEAREST) {
  return {Type::Half, narrowed(x, kHalf, mode), 0, 0, 0, false};
}
inline Expected as_bfloat16(long double x, int mode = FE_TONEAREST) {
  return {Type::Bfloat16, narrowed(x, kBfloat16, mode), 0, 0, 0, false};
}
inline Expected near_half(long double x, double units) {
  return {Type::Half, narrowed(x, kHalf), x, units, 0, false};
}
inline Expected near_bfloat16(long double x, double units) {
  return {Type::Bfloat16, narrowed(x, kBfloat16), x, units, 0, false};
}
inline Expected as_halves(long double x, long double y) {
  return {Type::Halves, narrowed(x, kHalf) | narrowed(y, kHalf) << 16, 0, 0, 0, false};
}
inline Expected as_bfloats(long double x, long double y) {
  return {Type::Bfloats, narrowed(x, kBfloat16) | narrowed(y, kBfloat16) << 16, 0, 0, 0, false};
}
// a * b + c, where the last bit says whether something was lost: rounding it again is rounding
// once.
inline long double fused(long double a, long double b, long double c) {
  const long double product = a * b, sum = product + c; // products of narrow numbers are exact
  if (!std::isfinite(sum))
    return sum;
  const long double other = sum - product, lost = (product - (sum - other)) + (c - other);
  if (lost == 0 || sum == 0)
    return sum;
  std::uint64_t mantissa = 0;
  std::memcpy(&mantissa, &sum, sizeof mantissa);
  return mantissa & 1 ? sum : std::nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
}

// Sets the way of rounding of the host while it lives.
class Rounding {
public:
  explicit Rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(before_); }

private:
  int before_;
};
// Evaluates an operation of T in one of the ways of rounding. Volatile: no compiler folds it.
template <typename T, typename F> T rounded(int mode, F operation, T a, T b = 0, T c = 0) {
  volatile T x = a, y = b, z = c;
  const Rounding rounding(mode);
  volatile T result = operation(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));
  return result;
}
template <typename To, typename From> To converted(int mode, From from) {
  volatile long double wide = from; // exact for all types of arguments
  const Rounding rounding(mode);
  volatile To result = static_cast<To>(wide);
  return result;
}
// A conversion to an integer: results saturate. `of_nan`: the result for what is no number.
template <typename To> To to_integer(int mode, long double from, To of_nan) {
  if (std::isnan(from))
    return of_nan;
  long double whole = 0;
  {
    volatile long double wide = from;
    const Rounding rounding(mode);
    whole = std::rint(wide);
  }
  if (whole <= static_cast<long double>(std::numeric_limits<To>::min()))
    return std::numeric_limits<To>::min();
  if (whole >= static_cast<long double>(std::numeric_limits<To>::max()))
    return std::numeric_limits<To>::max();
  return static_cast<To>(whole);
}

template <typename To, typename From> To bits_of(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
template <typename T> T clamped(long long x) {
  return x < std::numeric_limits<T>::min()   ? std::numeric_limits<T>::min()
         : x > std::numeric_limits<T>::max() ? std::numeric_limits<T>::max()
                                             : static_cast<T>(x);
}
// A function for each part of words, parts being of type T.
template <typename T, typename F>
unsigned by_part(F function, unsigned a, unsigned b = 0, unsigned c = 0) {
  constexpr int kBits = 8 * sizeof(T);
  unsigned result = 0;
  for (int at = 0; at < 32; at += kBits) {
    const auto part = static_cast<unsigned long long>(
        function(static_cast<T>(a >> at), static_cast<T>(b >> at), static_cast<T>(c >> at)));
    result |= static_cast<unsigned>(part & ((1ull << kBits) - 1)) << at;
  }
  return result;
}
template <typename T, typename F> unsigned sum_of_parts(F function, unsigned a, unsigned b) {
  unsigned sum = 0;
  for (unsigned at = 0; at < 32; at += 8 * sizeof(T))
    sum += static_cast<unsigned>(function(static_cast<T>(a >> at), static_cast<T>(b >> at)));
  return sum;
}
