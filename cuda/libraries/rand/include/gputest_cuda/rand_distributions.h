// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distributions of random bits: cuRAND documents that uniform numbers exclude 0 and include 1, and
// that pairs of normal ones come from the method of Box and Muller (A note on the generation of
// random normal deviates, 1958).
#ifndef GPUTEST_CUDA_RAND_DISTRIBUTIONS_H
#define GPUTEST_CUDA_RAND_DISTRIBUTIONS_H

namespace gputest_rand {

// A product and a sum are one operation, as in code for GPUs.
GPUTEST_RAND float uniform(unsigned int bits) {
  return fmaf((float)bits, 2.3283064e-10f, 2.3283064e-10f / 2.0f);
}
GPUTEST_RAND float uniform(unsigned long long bits) {
  return uniform((unsigned int)(bits >> 32));
}
GPUTEST_RAND double uniform_double(unsigned int low, unsigned int high) { // 53 bits
  const unsigned long long bits = (unsigned long long)low ^ ((unsigned long long)high << 21);
  return fma((double)bits, 0x1p-53, 0x1p-54);
}
GPUTEST_RAND double uniform_double(unsigned int bits) {
  return fma((double)bits, 0x1p-32, 0x1p-32);
}
GPUTEST_RAND double uniform_double(unsigned long long bits) {
  return fma((double)(bits >> 11), 0x1p-53, 0x1p-54);
}

// Two normal numbers of a distance and an angle.
GPUTEST_RAND float2 on_circle(float u, float angle) {
  const float size = sqrtf(-2.0f * logf(u));
  float2 result;
#ifdef __CUDA__
  __sincosf(angle, &result.x, &result.y);
#else
  result.x = sinf(angle);
  result.y = cosf(angle);
#endif
  result.x *= size;
  result.y *= size;
  return result;
}
GPUTEST_RAND double2 on_circle_double(double u, double halves) { // halves of a turn
  const double size = sqrt(-2.0 * log(u));
  double2 result;
#ifdef __CUDA__
  sincospi(halves, &result.x, &result.y);
#else
  result.x = sin(3.14159265358979323846 * halves);
  result.y = cos(3.14159265358979323846 * halves);
#endif
  result.x *= size;
  result.y *= size;
  return result;
}
GPUTEST_RAND float2 box_muller(unsigned int x, unsigned int y) {
  const float turn = 2.3283064e-10f * 6.2831855f;
  return on_circle(uniform(x), fmaf((float)y, turn, turn / 2.0f));
}
GPUTEST_RAND double2 box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0,
                                       unsigned int y1) {
  const unsigned long long angle = (unsigned long long)y0 ^ ((unsigned long long)y1 << 21);
  return on_circle_double(uniform_double(x0, x1), fma((double)angle, 0x1p-52, 0x1p-53));
}

// The inverse of the normal distribution.
#ifdef __CUDA__
GPUTEST_RAND double inverse_erfc(double x) {
  return erfcinv(x);
}
#else
// By Newton's method, from below: erfc is convex there.
GPUTEST_RAND double inverse_erfc(double x) {
  const double small = x < 1 ? x : 2 - x;
  double y = 0;
  for (int i = 0; i < 200; ++i) {
    const double step = (erfc(y) - small) / (1.1283791670955126 * exp(-y * y));
    y += step;
    if (fabs(step) <= 1e-16 * (1 + y))
      break;
  }
  return x < 1 ? y : -y;
}
#endif
GPUTEST_RAND double normal_double_of(unsigned int bits) {
  const bool above = bits > 0x80000000u;
  const double p = fma((double)(above ? 0xffffffffu - bits : bits), 0x1p-32, 0x1p-33);
  const double size = 1.4142135623730951 * inverse_erfc(2.0 * p);
  return above ? size : -size;
}
GPUTEST_RAND double normal_double_of(unsigned long long bits) {
  const bool above = bits > 0x8000000000000000ull;
  const double p =
      fma((double)((above ? 0xffffffffffffffffull - bits : bits) >> 11), 0x1p-53, 0x1p-54);
  const double size = 1.4142135623730951 * inverse_erfc(2.0 * p);
  return above ? size : -size;
}
GPUTEST_RAND float normal_of(unsigned int bits) {
  return (float)normal_double_of(bits);
}
GPUTEST_RAND float normal_of(unsigned long long bits) {
  return (float)normal_double_of(bits);
}

// Small expected values by products of uniform numbers (Knuth, The Art of Computer Programming
// 2, 3.4.1), middle ones by transformed rejection (Hoermann, The transformed rejection method for
// generating Poisson random variables, 1993), large ones by the normal distribution.
template <typename State> GPUTEST_RAND unsigned int poisson(State* state, double lambda) {
  if (lambda < 64) {
    unsigned int count = 0;
    float product = expf((float)lambda);
    do {
      ++count;
      product *= curand_uniform(state);
    } while (product > 1.0f);
    return count - 1;
  }
  if (lambda > 4000)
    return (unsigned int)(sqrt(lambda) * curand_normal_double(state) + lambda + 0.5);
  const double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b,
               v = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = curand_uniform_double(state) - 0.5, w = curand_uniform_double(state);
    const double s = 0.5 - fabs(u), k = floor((2 * a / s + b) * u + lambda + 0.43);
    if (s >= 0.07 && w <= v)
      return (unsigned int)k;
    if (k < 0 || (s < 0.013 && w > s))
      continue;
    if (log(w * (1.1239 + 1.1328 / (b - 3.4)) / (a / (s * s) + b)) <=
        -lambda + k * log(lambda) - lgamma(k + 1))
      return (unsigned int)k;
  }
}

} // namespace gputest_rand

#endif
