// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers in device code (cuRAND, "Device API"), by the published generators: Marsaglia's
// xorwow (Xorshift RNGs, 2003), L'Ecuyer's MRG32k3a (Good parameters and implementations for
// combined multiple recursive random number generators, 1999), Philox4x32-10 (Salmon et al.,
// Parallel random numbers: as easy as 1, 2, 3, 2011) and Sobol's sequences.
// docs/reference/cuda-libraries.md says which numbers are those of a GPU.
#ifndef GPUTEST_CUDA_CURAND_KERNEL_H
#define GPUTEST_CUDA_CURAND_KERNEL_H
#define CURAND_KERNEL_H_ // programs ask whether it was included

#include "cuda_runtime.h"
#include "curand.h"

#include <math.h>

#ifdef __cplusplus

#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif
#define GPUTEST_RAND static __inline__ __device__

#include "gputest_cuda/rand_distributions.h"
#include "gputest_cuda/rand_generators.h"

// What a state of any generator gives. BITS: curand() returns 32 random bits.
#define GPUTEST_DISTRIBUTIONS(State)                                                               \
  GPUTEST_RAND float curand_normal(State* state) {                                                 \
    if (state->boxmuller_flag == 1) {                                                              \
      state->boxmuller_flag = 0;                                                                   \
      return state->boxmuller_extra;                                                               \
    }                                                                                              \
    const float2 pair = curand_normal2(state);                                                     \
    state->boxmuller_flag = 1;                                                                     \
    state->boxmuller_extra = pair.y;                                                               \
    return pair.x;                                                                                 \
  }                                                                                                \
  GPUTEST_RAND double curand_normal_double(State* state) {                                         \
    if (state->boxmuller_flag_double == 1) {                                                       \
      state->boxmuller_flag_double = 0;                                                            \
      return state->boxmuller_extra_double;                                                        \
    }                                                                                              \
    const double2 pair = curand_normal2_double(state);                                             \
    state->boxmuller_flag_double = 1;                                                              \
    state->boxmuller_extra_double = pair.y;                                                        \
    return pair.x;                                                                                 \
  }                                                                                                \
  GPUTEST_RAND float2 curand_log_normal2(State* state, float mean, float stddev) {                 \
    const float2 pair = curand_normal2(state);                                                     \
    return make_float2(expf(mean + stddev * pair.x), expf(mean + stddev * pair.y));                \
  }                                                                                                \
  GPUTEST_RAND double2 curand_log_normal2_double(State* state, double mean, double stddev) {       \
    const double2 pair = curand_normal2_double(state);                                             \
    return make_double2(exp(mean + stddev * pair.x), exp(mean + stddev * pair.y));                 \
  }                                                                                                \
  GPUTEST_RAND float curand_log_normal(State* state, float mean, float stddev) {                   \
    if (state->boxmuller_flag == 2) {                                                              \
      state->boxmuller_flag = 0;                                                                   \
      return state->boxmuller_extra;                                                               \
    }                                                                                              \
    const float2 pair = curand_log_normal2(state, mean, stddev);                                   \
    state->boxmuller_flag = 2;                                                                     \
    state->boxmuller_extra = pair.y;                                                               \
    return pair.x;                                                                                 \
  }                                                                                                \
  GPUTEST_RAND double curand_log_normal_double(State* state, double mean, double stddev) {         \
    if (state->boxmuller_flag_double == 2) {                                                       \
      state->boxmuller_flag_double = 0;                                                            \
      return state->boxmuller_extra_double;                                                        \
    }                                                                                              \
    const double2 pair = curand_log_normal2_double(state, mean, stddev);                           \
    state->boxmuller_flag_double = 2;                                                              \
    state->boxmuller_extra_double = pair.y;                                                        \
    return pair.x;                                                                                 \
  }                                                                                                \
  GPUTEST_RAND unsigned int curand_poisson(State* state, double lambda) {                          \
    return gputest_rand::poisson(state, lambda);                                                   \
  }

GPUTEST_RAND double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned int low = curand(state), high = curand(state);
  return gputest_rand::uniform_double(low, high);
}
GPUTEST_RAND double curand_uniform_double(curandStatePhilox4_32_10_t* state) { // 32 bits alone
  return gputest_rand::uniform_double(curand(state));
}

// Generators whose curand() returns 32 bits.
#define GPUTEST_OF_BITS(State)                                                                     \
  GPUTEST_RAND float curand_uniform(State* state) {                                                \
    return gputest_rand::uniform(curand(state));                                                   \
  }                                                                                                \
  GPUTEST_RAND float2 curand_normal2(State* state) {                                               \
    const unsigned int x = curand(state), y = curand(state);                                       \
    return gputest_rand::box_muller(x, y);                                                         \
  }                                                                                                \
  GPUTEST_RAND double2 curand_normal2_double(State* state) {                                       \
    const unsigned int a = curand(state), b = curand(state), c = curand(state), d = curand(state); \
    return gputest_rand::box_muller_double(a, b, c, d);                                            \
  }                                                                                                \
  GPUTEST_DISTRIBUTIONS(State)
GPUTEST_OF_BITS(curandStateXORWOW_t)
GPUTEST_OF_BITS(curandStatePhilox4_32_10_t)
#undef GPUTEST_OF_BITS

GPUTEST_RAND float curand_uniform(curandStateMRG32k3a_t* state) {
  return (float)(gputest_rand::next_mrg(state) * gputest_rand::kMrgNorm);
}
GPUTEST_RAND double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return gputest_rand::next_mrg(state) * gputest_rand::kMrgNorm;
}
GPUTEST_RAND float2 curand_normal2(curandStateMRG32k3a_t* state) {
  const float x = curand_uniform(state), y = curand_uniform(state);
  return gputest_rand::on_circle(x, y * 6.2831855f);
}
GPUTEST_RAND double2 curand_normal2_double(curandStateMRG32k3a_t* state) {
  const double x = curand_uniform_double(state), y = curand_uniform_double(state);
  return gputest_rand::on_circle_double(x, y * 2.0);
}
GPUTEST_DISTRIBUTIONS(curandStateMRG32k3a_t)
#undef GPUTEST_DISTRIBUTIONS

// Four at once, of Philox.
GPUTEST_RAND float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  return make_float4(gputest_rand::uniform(bits.x), gputest_rand::uniform(bits.y),
                     gputest_rand::uniform(bits.z), gputest_rand::uniform(bits.w));
}
GPUTEST_RAND float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  const float2 first = gputest_rand::box_muller(bits.x, bits.y),
               second = gputest_rand::box_muller(bits.z, bits.w);
  return make_float4(first.x, first.y, second.x, second.y);
}
GPUTEST_RAND float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean,
                                       float stddev) {
  const float4 normal = curand_normal4(state);
  return make_float4(expf(mean + stddev * normal.x), expf(mean + stddev * normal.y),
                     expf(mean + stddev * normal.z), expf(mean + stddev * normal.w));
}
GPUTEST_RAND double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 bits = curand4(state);
  return make_double2(gputest_rand::uniform_double(bits.x, bits.y),
                      gputest_rand::uniform_double(bits.z, bits.w));
}
GPUTEST_RAND uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  uint4 result;
  result.x = curand_poisson(state, lambda);
  result.y = curand_poisson(state, lambda);
  result.z = curand_poisson(state, lambda);
  result.w = curand_poisson(state, lambda);
  return result;
}

// Sobol's sequences: one number for each, by the inverse of the distribution.
#define GPUTEST_OF_SOBOL(State)                                                                    \
  GPUTEST_RAND float curand_uniform(State* state) {                                                \
    return gputest_rand::uniform(curand(state));                                                   \
  }                                                                                                \
  GPUTEST_RAND double curand_uniform_double(State* state) {                                        \
    return gputest_rand::uniform_double(curand(state));                                            \
  }                                                                                                \
  GPUTEST_RAND float curand_normal(State* state) {                                                 \
    return gputest_rand::normal_of(curand(state));                                                 \
  }                                                                                                \
  GPUTEST_RAND double curand_normal_double(State* state) {                                         \
    return gputest_rand::normal_double_of(curand(state));                                          \
  }                                                                                                \
  GPUTEST_RAND float curand_log_normal(State* state, float mean, float stddev) {                   \
    return expf(mean + stddev * curand_normal(state));                                             \
  }                                                                                                \
  GPUTEST_RAND double curand_log_normal_double(State* state, double mean, double stddev) {         \
    return exp(mean + stddev * curand_normal_double(state));                                       \
  }
GPUTEST_OF_SOBOL(curandStateSobol32_t)
GPUTEST_OF_SOBOL(curandStateScrambledSobol32_t)
GPUTEST_OF_SOBOL(curandStateSobol64_t)
GPUTEST_OF_SOBOL(curandStateScrambledSobol64_t)
#undef GPUTEST_OF_SOBOL

#endif // C++

#endif
