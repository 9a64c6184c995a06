// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DPX: sums, minima and maxima for dynamic programming in one call (CUDA Math API, "SIMD
// Intrinsics" and "DPX"). 16-bit functions work on both halves of a word.
#ifndef GPUTEST_CUDA_DPX_H
#define GPUTEST_CUDA_DPX_H

#define GPUTEST_DPX static inline __host__ __device__

template <typename T> GPUTEST_DPX T __gputest_least(T a, T b) {
  return b < a ? b : a;
}
template <typename T> GPUTEST_DPX T __gputest_most(T a, T b) {
  return a < b ? b : a;
}

// `kind`: s32 or u32. T: its type. U: the unsigned type, whose sums wrap.
#define GPUTEST_DPX_WORDS(kind, T, U)                                                              \
  GPUTEST_DPX T __viaddmax_##kind(T a, T b, T c) { return __gputest_most((T)((U)a + (U)b), c); }   \
  GPUTEST_DPX T __viaddmin_##kind(T a, T b, T c) { return __gputest_least((T)((U)a + (U)b), c); }  \
  GPUTEST_DPX T __vimax3_##kind(T a, T b, T c) {                                                   \
    return __gputest_most(__gputest_most(a, b), c);                                                \
  }                                                                                                \
  GPUTEST_DPX T __vimin3_##kind(T a, T b, T c) {                                                   \
    return __gputest_least(__gputest_least(a, b), c);                                              \
  }                                                                                                \
  GPUTEST_DPX T __vibmax_##kind(T a, T b, bool* first) {                                           \
    *first = a >= b;                                                                               \
    return __gputest_most(a, b);                                                                   \
  }                                                                                                \
  GPUTEST_DPX T __vibmin_##kind(T a, T b, bool* first) {                                           \
    *first = a <= b;                                                                               \
    return __gputest_least(a, b);                                                                  \
  }
GPUTEST_DPX_WORDS(s32, int, unsigned)
GPUTEST_DPX_WORDS(u32, unsigned, unsigned)
#undef GPUTEST_DPX_WORDS

// Functions whose results are at least 0.
GPUTEST_DPX int __viaddmax_s32_relu(int a, int b, int c) {
  return __gputest_most(__viaddmax_s32(a, b, c), 0);
}
GPUTEST_DPX int __viaddmin_s32_relu(int a, int b, int c) {
  return __gputest_most(__viaddmin_s32(a, b, c), 0);
}
GPUTEST_DPX int __vimax3_s32_relu(int a, int b, int c) {
  return __gputest_most(__vimax3_s32(a, b, c), 0);
}
GPUTEST_DPX int __vimin3_s32_relu(int a, int b, int c) {
  return __gputest_most(__vimin3_s32(a, b, c), 0);
}
GPUTEST_DPX int __vimax_s32_relu(int a, int b) {
  return __gputest_most(__gputest_most(a, b), 0);
}
GPUTEST_DPX int __vimin_s32_relu(int a, int b) {
  return __gputest_most(__gputest_least(a, b), 0);
}

// Evaluates the expression for both halves. In it, a, b and c are halves of the words, of type T.
#define GPUTEST_DPX_BOTH(name, T, expression)                                                      \
  GPUTEST_DPX unsigned name(unsigned first, unsigned second, unsigned third) {                     \
    unsigned result = 0;                                                                           \
    for (int shift = 0; shift < 32; shift += 16) {                                                 \
      const T a = (T)(first >> shift), b = (T)(second >> shift), c = (T)(third >> shift);          \
      result |= (unsigned)(unsigned short)(expression) << shift;                                   \
    }                                                                                              \
    return result;                                                                                 \
  }
#define GPUTEST_DPX_HALVES(kind, T)                                                                \
  GPUTEST_DPX_BOTH(__viaddmax_##kind, T, __gputest_most((T)(a + b), c))                            \
  GPUTEST_DPX_BOTH(__viaddmin_##kind, T, __gputest_least((T)(a + b), c))                           \
  GPUTEST_DPX_BOTH(__vimax3_##kind, T, __gputest_most(__gputest_most(a, b), c))                    \
  GPUTEST_DPX_BOTH(__vimin3_##kind, T, __gputest_least(__gputest_least(a, b), c))
GPUTEST_DPX_HALVES(s16x2, short)
GPUTEST_DPX_HALVES(u16x2, unsigned short)
GPUTEST_DPX_BOTH(__viaddmax_s16x2_relu, short,
                 __gputest_most(__gputest_most((short)(a + b), c), (short)0))
GPUTEST_DPX_BOTH(__viaddmin_s16x2_relu, short,
                 __gputest_most(__gputest_least((short)(a + b), c), (short)0))
GPUTEST_DPX_BOTH(__vimax3_s16x2_relu, short,
                 __gputest_most(__gputest_most(__gputest_most(a, b), c), (short)0))
GPUTEST_DPX_BOTH(__vimin3_s16x2_relu, short,
                 __gputest_most(__gputest_least(__gputest_least(a, b), c), (short)0))
#undef GPUTEST_DPX_HALVES
#undef GPUTEST_DPX_BOTH
GPUTEST_DPX unsigned __vimax_s16x2_relu(unsigned a, unsigned b) {
  return __vimax3_s16x2(a, b, 0);
}
GPUTEST_DPX unsigned __vimin_s16x2_relu(unsigned a, unsigned b) {
  return __vimax3_s16x2(__vimin3_s16x2(a, b, b), 0, 0);
}

// Also says for each half which of the two numbers it is.
#define GPUTEST_DPX_WHICH(name, T, comparison)                                                     \
  GPUTEST_DPX unsigned name(unsigned first, unsigned second, bool* high, bool* low) {              \
    const T a = (T)first, b = (T)second, c = (T)(first >> 16), d = (T)(second >> 16);              \
    *low = a comparison b;                                                                         \
    *high = c comparison d;                                                                        \
    return (unsigned)(unsigned short)(*low ? a : b) | (unsigned)(unsigned short)(*high ? c : d) << 16; \
  }
GPUTEST_DPX_WHICH(__vibmax_s16x2, short, >=)
GPUTEST_DPX_WHICH(__vibmax_u16x2, unsigned short, >=)
GPUTEST_DPX_WHICH(__vibmin_s16x2, short, <=)
GPUTEST_DPX_WHICH(__vibmin_u16x2, unsigned short, <=)
#undef GPUTEST_DPX_WHICH

#undef GPUTEST_DPX

#endif
