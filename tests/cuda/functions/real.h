// Functions that C++'s library does not have, in long double.
#pragma once

#include <cmath>

constexpr long double kPi = 3.14159265358979323846264338327950288L;

inline long double sin_pi(long double x) {
  const long double part = std::fmod(x, 2.0L); // exact
  return part == std::trunc(part) ? std::copysign(0.0L, x) : std::sin(kPi * part);
}
inline long double cos_pi(long double x) {
  const long double part = std::fabs(std::fmod(x, 2.0L));
  return part == 0.5L || part == 1.5L ? 0 : std::cos(kPi * part);
}

// Returns where a monotonous function has a value, between two numbers.
template <typename F>
long double where(F function, long double value, long double low, long double high) {
  const bool grows = function(high) > function(low);
  for (int i = 0; i < 200 && low < high; ++i) {
    const long double middle = low + (high - low) / 2;
    if (middle == low || middle == high)
      break;
    ((function(middle) < value) == grows ? low : high) = middle;
  }
  return low;
}
inline long double erf_inverse(long double x) {
  if (std::fabs(x) > 1 || std::isnan(x))
    return NAN;
  if (std::fabs(x) == 1)
    return std::copysign(INFINITY, x);
  if (std::fabs(x) < 1e-9L)
    return x * std::sqrt(kPi) / 2;
  // Near 1, erfc tells numbers apart.
  const long double rest = 1 - std::fabs(x);
  const long double at = std::fabs(x) < 0.5L
                             ? where([](long double y) { return std::erf(y); }, std::fabs(x), 0, 1)
                             : where([](long double y) { return std::erfc(y); }, rest, 0, 100);
  return std::copysign(at, x);
}
inline long double erfc_inverse(long double x) {
  if (!(x >= 0 && x <= 2))
    return NAN;
  if (x == 0 || x == 2)
    return x == 0 ? INFINITY : -INFINITY;
  if (x > 0.5L && x < 1.5L)
    return erf_inverse(1 - x);
  return x < 1 ? where([](long double y) { return std::erfc(y); }, x, 0, 120)
               : -where([](long double y) { return std::erfc(y); }, 2 - x, 0, 120);
}
inline long double normal_cdf(long double x) {
  return std::erfc(-x / std::sqrt(2.0L)) / 2;
}
inline long double normal_cdf_inverse(long double x) {
  return -std::sqrt(2.0L) * erfc_inverse(2 * x);
}
// exp(x * x) * erfc(x)
inline long double erfc_scaled(long double x) {
  if (x < 50)
    return std::exp(x * x) * std::erfc(x);
  const long double y = 1 / (2 * x * x); // the asymptotic series
  return (1 - y * (1 - 3 * y * (1 - 5 * y * (1 - 7 * y)))) / (x * std::sqrt(kPi));
}
inline long double bessel_i(int order, long double x) {
  long double term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 2000; ++k) {
    term *= (x / 2) / k * (x / 2) / (k + order);
    sum += term;
    if (std::fabs(term) < std::fabs(sum) * 1e-22L)
      break;
  }
  return sum;
}
inline long double norm(long double a, long double b, long double c = 0, long double d = 0) {
  for (const long double x : {a, b, c, d})
    if (std::isinf(x))
      return INFINITY;
  return std::sqrt(a * a + b * b + c * c +
                   d * d); // exponents of long double have room for double's squares
}
