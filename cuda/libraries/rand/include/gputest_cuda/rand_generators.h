// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generators of curand_kernel.h: states, seeds, bits, and skipping ahead.
#ifndef GPUTEST_CUDA_RAND_GENERATORS_H
#define GPUTEST_CUDA_RAND_GENERATORS_H

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE; // the next of `output`
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
struct curandStateSobol32 {
  unsigned int i, x, c, direction_vectors[32];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
struct curandStateScrambledSobol32 {
  unsigned int i, x, c, direction_vectors[32];
};
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
struct curandStateSobol64 {
  unsigned long long i, x, c, direction_vectors[64];
};
typedef struct curandStateSobol64 curandStateSobol64_t;
struct curandStateScrambledSobol64 {
  unsigned long long i, x, c, direction_vectors[64];
};
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

// XORWOW
GPUTEST_RAND unsigned int curand(curandStateXORWOW_t* state) {
  const unsigned int t = state->v[0] ^ (state->v[0] >> 2), last = state->v[4];
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = last;
  state->v[4] = last ^ (last << 4) ^ t ^ (t << 1);
  state->d += 362437u;
  return state->v[4] + state->d;
}

namespace gputest_rand {

// Moves the linear part of the state by n * 2^first numbers: the sum of those states that the
// coefficients of a polynomial choose.
GPUTEST_RAND void jump(curandStateXORWOW_t* state, unsigned long long n, unsigned int first) {
  static const unsigned int kJumps[][5] = {
#include "gputest_cuda/xorwow_jumps.def"
  };
  const unsigned int counter = state->d;
  for (unsigned int bit = first; n != 0; n >>= 1, ++bit) {
    if ((n & 1) == 0)
      continue;
    unsigned int sum[5] = {0, 0, 0, 0, 0};
    for (int i = 0; i < 160; ++i) {
      if (kJumps[bit][i / 32] >> (i % 32) & 1)
        for (int j = 0; j < 5; ++j)
          sum[j] ^= state->v[j];
      curand(state);
    }
    for (int j = 0; j < 5; ++j)
      state->v[j] = sum[j];
  }
  state->d = counter;
}

} // namespace gputest_rand

GPUTEST_RAND void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  gputest_rand::jump(state, n, 0);
  state->d += 362437u * (unsigned int)n;
}
GPUTEST_RAND void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  gputest_rand::jump(state, n, 67); // the counter is again where it was
}
GPUTEST_RAND void curand_init(unsigned long long seed, unsigned long long sequence,
                              unsigned long long offset, curandStateXORWOW_t* state) {
  const unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u),
                     high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + low + high;
  state->v[0] = 123456789u + low; // Marsaglia's first state, and the seed
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead_sequence(sequence, state);
  skipahead(offset, state);
}

// MRG32k3a
namespace gputest_rand {

constexpr unsigned long long kMrg1 = 4294967087ull, kMrg2 = 4294944443ull; // moduli
constexpr double kMrgNorm = 2.3283065498378288e-10;                        // 1 / kMrg1

GPUTEST_RAND double next_mrg(curandStateMRG32k3a_t* state) { // 1 to kMrg1
  const unsigned long long first =
      (1403580ull * state->s1[1] + 810728ull * (kMrg1 - state->s1[0])) % kMrg1;
  const unsigned long long second =
      (527612ull * state->s2[2] + 1370589ull * (kMrg2 - state->s2[0])) % kMrg2;
  state->s1[0] = state->s1[1];
  state->s1[1] = state->s1[2];
  state->s1[2] = (unsigned int)first;
  state->s2[0] = state->s2[1];
  state->s2[1] = state->s2[2];
  state->s2[2] = (unsigned int)second;
  return (double)(first > second ? first - second : first + kMrg1 - second);
}

// Multiplies a vector by the n-th power of a matrix.
GPUTEST_RAND void jump(unsigned int* vector, const unsigned int (&step)[9],
                       unsigned long long modulus, unsigned long long n) {
  unsigned long long power[9], next[9];
  for (int i = 0; i < 9; ++i)
    power[i] = step[i];
  for (; n != 0; n >>= 1) {
    if (n & 1) {
      unsigned long long moved[3];
      for (int i = 0; i < 3; ++i) {
        moved[i] = 0;
        for (int k = 0; k < 3; ++k)
          moved[i] = (moved[i] + power[3 * i + k] * vector[k] % modulus) % modulus;
      }
      for (int i = 0; i < 3; ++i)
        vector[i] = (unsigned int)moved[i];
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        next[3 * i + j] = 0;
        for (int k = 0; k < 3; ++k)
          next[3 * i + j] =
              (next[3 * i + j] + power[3 * i + k] * power[3 * k + j] % modulus) % modulus;
      }
    for (int i = 0; i < 9; ++i)
      power[i] = next[i];
  }
}

} // namespace gputest_rand

GPUTEST_RAND unsigned int curand(curandStateMRG32k3a_t* state) {
  return (unsigned int)(gputest_rand::next_mrg(state) * 1.000000048662); // to all of 32 bits
}
GPUTEST_RAND void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  const unsigned int first[9] = {0, 1, 0, 0, 0, 1, 4294156359u, 1403580u, 0},
                     second[9] = {0, 1, 0, 0, 0, 1, 4293573854u, 0, 527612u};
  gputest_rand::jump(state->s1, first, gputest_rand::kMrg1, n);
  gputest_rand::jump(state->s2, second, gputest_rand::kMrg2, n);
}
// Powers 2^76 and 2^127 of these matrices.
GPUTEST_RAND void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  const unsigned int first[9] = {82758667u,   1871391091u, 4127413238u, 3672831523u, 69195019u,
                                 1871391091u, 3672091415u, 3528743235u, 69195019u},
                     second[9] = {1511326704u, 3759209742u, 1610795712u, 4292754251u, 1511326704u,
                                  3889917532u, 3859662829u, 4292754251u, 3708466080u};
  gputest_rand::jump(state->s1, first, gputest_rand::kMrg1, n);
  gputest_rand::jump(state->s2, second, gputest_rand::kMrg2, n);
}
GPUTEST_RAND void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  const unsigned int first[9] = {2427906178u, 3580155704u, 949770784u, 226153695u, 1230515664u,
                                 3580155704u, 1988835001u, 986791581u, 1230515664u},
                     second[9] = {1464411153u, 277697599u,  1610723613u, 32183930u,  1464411153u,
                                  1022607788u, 2824425944u, 32183930u,   2093834863u};
  gputest_rand::jump(state->s1, first, gputest_rand::kMrg1, n);
  gputest_rand::jump(state->s2, second, gputest_rand::kMrg2, n);
}
GPUTEST_RAND void curand_init(unsigned long long seed, unsigned long long subsequence,
                              unsigned long long offset, curandStateMRG32k3a_t* state) {
  const unsigned long long low = seed ? (unsigned int)seed ^ 0x55555555u : 1,
                           high = seed ? (unsigned int)(seed >> 32) ^ 0xaaaaaaaau : 1;
  state->s1[0] = state->s1[2] = (unsigned int)(low * 12345u % gputest_rand::kMrg1);
  state->s1[1] = (unsigned int)(high * 12345u % gputest_rand::kMrg1);
  state->s2[0] = state->s2[2] = (unsigned int)(high * 12345u % gputest_rand::kMrg2);
  state->s2[1] = (unsigned int)(low * 12345u % gputest_rand::kMrg2);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}

// Philox
namespace gputest_rand {

GPUTEST_RAND uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long first = 0xD2511F53ull * counter.x, second = 0xCD9E8D57ull * counter.z;
    uint4 next;
    next.x = (unsigned int)(second >> 32) ^ counter.y ^ key.x;
    next.y = (unsigned int)second;
    next.z = (unsigned int)(first >> 32) ^ counter.w ^ key.y;
    next.w = (unsigned int)first;
    counter = next;
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}
GPUTEST_RAND void add_high(curandStatePhilox4_32_10_t* state, unsigned long long n) {
  const unsigned long long sum = (((unsigned long long)state->ctr.w << 32) | state->ctr.z) + n;
  state->ctr.z = (unsigned int)sum;
  state->ctr.w = (unsigned int)(sum >> 32);
}
GPUTEST_RAND void add(curandStatePhilox4_32_10_t* state, unsigned long long n) {
  const unsigned long long sum = (((unsigned long long)state->ctr.y << 32) | state->ctr.x) + n;
  state->ctr.x = (unsigned int)sum;
  state->ctr.y = (unsigned int)(sum >> 32);
  if (sum < n)
    add_high(state, 1);
}
GPUTEST_RAND unsigned int part(const uint4& four, unsigned int i) {
  return i == 0 ? four.x : i == 1 ? four.y : i == 2 ? four.z : four.w;
}

} // namespace gputest_rand

GPUTEST_RAND unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned int result = gputest_rand::part(state->output, state->STATE++);
  if (state->STATE == 4) {
    state->STATE = 0;
    gputest_rand::add(state, 1);
    state->output = gputest_rand::philox(state->ctr, state->key);
  }
  return result;
}
GPUTEST_RAND uint4 curand4(curandStatePhilox4_32_10_t* state) {
  uint4 result;
  result.x = curand(state);
  result.y = curand(state);
  result.z = curand(state);
  result.w = curand(state);
  return result;
}
GPUTEST_RAND void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned int place = state->STATE + (unsigned int)(n & 3);
  gputest_rand::add(state, n / 4 + place / 4);
  state->STATE = place % 4;
  state->output = gputest_rand::philox(state->ctr, state->key);
}
GPUTEST_RAND void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  gputest_rand::add_high(state, n);
  state->output = gputest_rand::philox(state->ctr, state->key);
}
GPUTEST_RAND void curand_init(unsigned long long seed, unsigned long long subsequence,
                              unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  state->ctr = make_uint4(0, 0, 0, 0);
  state->key.x = (unsigned int)seed;
  state->key.y = (unsigned int)(seed >> 32);
  state->STATE = 0;
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

// Sobol's sequences in Gray code (Antonov, Saleev, 1979): each number differs from the one before
// by the direction of the lowest zero bit of its index.
#define GPUTEST_SOBOL(Word, State, bits)                                                           \
  GPUTEST_RAND Word curand(State* state) {                                                         \
    const Word result = state->x;                                                                  \
    int zero = 0;                                                                                  \
    while (zero < bits - 1 && (state->i >> zero & 1))                                              \
      ++zero;                                                                                      \
    state->x ^= state->direction_vectors[zero];                                                    \
    ++state->i;                                                                                    \
    return result;                                                                                 \
  }                                                                                                \
  GPUTEST_RAND void skipahead(Word n, State* state) {                                              \
    state->i += n;                                                                                 \
    state->x = state->c;                                                                           \
    const Word gray = state->i ^ (state->i >> 1);                                                  \
    for (int bit = 0; bit < bits; ++bit)                                                           \
      if (gray >> bit & 1)                                                                         \
        state->x ^= state->direction_vectors[bit];                                                 \
  }
GPUTEST_SOBOL(unsigned int, curandStateSobol32_t, 32)
GPUTEST_SOBOL(unsigned int, curandStateScrambledSobol32_t, 32)
GPUTEST_SOBOL(unsigned long long, curandStateSobol64_t, 64)
GPUTEST_SOBOL(unsigned long long, curandStateScrambledSobol64_t, 64)
#undef GPUTEST_SOBOL
#define GPUTEST_SOBOL_INIT(Word, State, bits, scramble_parameter, scramble)                        \
  GPUTEST_RAND void curand_init(const Word* directions, scramble_parameter Word offset,            \
                                State* state) {                                                    \
    for (int bit = 0; bit < bits; ++bit)                                                           \
      state->direction_vectors[bit] = directions[bit];                                             \
    state->i = 0;                                                                                  \
    state->c = scramble;                                                                           \
    skipahead(offset, state);                                                                      \
  }
#define GPUTEST_COMMA_SCRAMBLE(Word) Word scrambleConstant,
GPUTEST_SOBOL_INIT(unsigned int, curandStateSobol32_t, 32, , 0)
GPUTEST_SOBOL_INIT(unsigned int, curandStateScrambledSobol32_t, 32,
                   GPUTEST_COMMA_SCRAMBLE(unsigned int), scrambleConstant)
GPUTEST_SOBOL_INIT(unsigned long long, curandStateSobol64_t, 64, , 0)
GPUTEST_SOBOL_INIT(unsigned long long, curandStateScrambledSobol64_t, 64,
                   GPUTEST_COMMA_SCRAMBLE(unsigned long long), scrambleConstant)
#undef GPUTEST_COMMA_SCRAMBLE
#undef GPUTEST_SOBOL_INIT

#endif
