// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that __half and __nv_bfloat16 have in common (CUDA Math API). They use functions of the
// types' headers. T: the type. T2: a pair of it.

// A function of two or three numbers for the components of pairs.
#define GPUTEST_BY_PAIR(T2, of_pairs, function)                                                    \
  GPUTEST_HD T2 of_pairs(T2 a, T2 b) {                                                             \
    return {function(a.x, b.x), function(a.y, b.y)};                                               \
  }
#define GPUTEST_BY_PAIR_OF_THREE(T2, of_pairs, function)                                           \
  GPUTEST_HD T2 of_pairs(T2 a, T2 b, T2 c) {                                                       \
    return {function(a.x, b.x, c.x), function(a.y, b.y, c.y)};                                     \
  }
// Functions that are another one, are clamped to [0, 1], and prefer what is no number.
#define GPUTEST_SAME(T, name, function)                                                            \
  GPUTEST_HD T name(T a, T b) {                                                                    \
    return function(a, b);                                                                         \
  }
#define GPUTEST_SATURATED(T, name, function)                                                       \
  GPUTEST_HD T name(T a, T b) {                                                                    \
    return __gputest_saturated(function(a, b));                                                    \
  }
#define GPUTEST_OR_NAN(T, name, function)                                                          \
  GPUTEST_HD T name(T a, T b) {                                                                    \
    return __hisnan(a) ? a : __hisnan(b) ? b : function(a, b);                                     \
  }

// From a function of two numbers: the function of two pairs, and the operators.
#define GPUTEST_OPERATION(T, T2, function, of_pairs, sign)                                         \
  GPUTEST_BY_PAIR(T2, of_pairs, function)                                                          \
  GPUTEST_HD T operator sign(T a, T b) {                                                           \
    return function(a, b);                                                                         \
  }                                                                                                \
  GPUTEST_HD T2 operator sign(T2 a, T2 b) {                                                        \
    return of_pairs(a, b);                                                                         \
  }                                                                                                \
  GPUTEST_HD T& operator sign##=(T& a, T b) {                                                      \
    return a = function(a, b);                                                                     \
  }                                                                                                \
  GPUTEST_HD T2& operator sign##=(T2& a, T2 b) {                                                   \
    return a = of_pairs(a, b);                                                                     \
  }
#define GPUTEST_OPERATIONS(T, T2)                                                                  \
  GPUTEST_OPERATION(T, T2, __hadd, __hadd2, +)                                                     \
  GPUTEST_OPERATION(T, T2, __hsub, __hsub2, -)                                                     \
  GPUTEST_OPERATION(T, T2, __hmul, __hmul2, *)                                                     \
  GPUTEST_OPERATION(T, T2, __hdiv, __h2div, /)                                                     \
  GPUTEST_HD T operator-(T a) {                                                                    \
    return __hneg(a);                                                                              \
  }                                                                                                \
  GPUTEST_BY_PAIR_OF_THREE(T2, __hfma2, __hfma)                                                    \
  GPUTEST_BY_PAIR(T2, __hmax2, __hmax)                                                             \
  GPUTEST_BY_PAIR(T2, __hmin2, __hmin)

#define GPUTEST_COMPARISON(T, name, sign)                                                          \
  GPUTEST_HD bool __h##name(T a, T b) {                                                            \
    return (float)a sign(float) b;                                                                 \
  }                                                                                                \
  GPUTEST_HD bool operator sign(T a, T b) {                                                        \
    return __h##name(a, b);                                                                        \
  }
#define GPUTEST_COMPARISONS(T)                                                                     \
  GPUTEST_COMPARISON(T, eq, ==)                                                                    \
  GPUTEST_COMPARISON(T, lt, <)                                                                     \
  GPUTEST_COMPARISON(T, le, <=)                                                                    \
  GPUTEST_COMPARISON(T, gt, >)                                                                     \
  GPUTEST_COMPARISON(T, ge, >=)                                                                    \
  /* False where one is no number, but the operator is not. */                                     \
  GPUTEST_HD bool __hne(T a, T b) {                                                                \
    return (float)a < (float)b || (float)a > (float)b;                                             \
  }                                                                                                \
  GPUTEST_HD bool operator!=(T a, T b) {                                                           \
    return (float)a != (float)b;                                                                   \
  }

#define GPUTEST_CONVERSIONS(T, T2, name)                                                           \
  GPUTEST_HD T __float2##name(float x) {                                                           \
    return T(x);                                                                                   \
  }                                                                                                \
  GPUTEST_HD T __float2##name##_rn(float x) {                                                      \
    return T(x);                                                                                   \
  }                                                                                                \
  GPUTEST_HD T __double2##name(double x) {                                                         \
    return T(x);                                                                                   \
  }                                                                                                \
  GPUTEST_HD float __##name##2float(T x) {                                                         \
    return (float)x;                                                                               \
  }                                                                                                \
  GPUTEST_HD T2 __float2##name##2_rn(float x) {                                                    \
    return {T(x), T(x)};                                                                           \
  }                                                                                                \
  GPUTEST_HD T2 __floats2##name##2_rn(float x, float y) {                                          \
    return {T(x), T(y)};                                                                           \
  }                                                                                                \
  GPUTEST_HD T2 __float22##name##2_rn(float2 x) {                                                  \
    return {T(x.x), T(x.y)};                                                                       \
  }                                                                                                \
  GPUTEST_HD float2 __##name##22float2(T2 x) {                                                     \
    return make_float2((float)x.x, (float)x.y);                                                    \
  }                                                                                                \
  GPUTEST_HD float __low2float(T2 x) {                                                             \
    return (float)x.x;                                                                             \
  }                                                                                                \
  GPUTEST_HD float __high2float(T2 x) {                                                            \
    return (float)x.y;                                                                             \
  }                                                                                                \
  GPUTEST_HD T __low2##name(T2 x) {                                                                \
    return x.x;                                                                                    \
  }                                                                                                \
  GPUTEST_HD T __high2##name(T2 x) {                                                               \
    return x.y;                                                                                    \
  }                                                                                                \
  GPUTEST_HD T2 __##name##2##name##2(T x) {                                                        \
    return {x, x};                                                                                 \
  }                                                                                                \
  GPUTEST_HD T2 __halves2##name##2(T x, T y) {                                                     \
    return {x, y};                                                                                 \
  }                                                                                                \
  GPUTEST_HD T2 make_##name##2(T x, T y) {                                                         \
    return {x, y};                                                                                 \
  }                                                                                                \
  GPUTEST_HD T2 __low2##name##2(T2 x) {                                                            \
    return {x.x, x.x};                                                                             \
  }                                                                                                \
  GPUTEST_HD T2 __high2##name##2(T2 x) {                                                           \
    return {x.y, x.y};                                                                             \
  }                                                                                                \
  GPUTEST_HD T2 __lows2##name##2(T2 a, T2 b) {                                                     \
    return {a.x, b.x};                                                                             \
  }                                                                                                \
  GPUTEST_HD T2 __highs2##name##2(T2 a, T2 b) {                                                    \
    return {a.y, b.y};                                                                             \
  }                                                                                                \
  GPUTEST_HD short __##name##_as_short(T x) {                                                      \
    return (short)__##name##_as_ushort(x);                                                         \
  }                                                                                                \
  GPUTEST_HD T __short_as_##name(short bits) {                                                     \
    return __ushort_as_##name((unsigned short)bits);                                               \
  }                                                                                                \
  GPUTEST_NEAREST(T, __int2##name##_rn, int)                                                       \
  GPUTEST_NEAREST(T, __uint2##name##_rn, unsigned)                                                 \
  GPUTEST_NEAREST(T, __short2##name##_rn, short)                                                   \
  GPUTEST_NEAREST(T, __ushort2##name##_rn, unsigned short)                                         \
  GPUTEST_NEAREST(T, __ll2##name##_rn, long long)                                                  \
  GPUTEST_NEAREST(T, __ull2##name##_rn, unsigned long long)
#define GPUTEST_NEAREST(T, name, type)                                                             \
  GPUTEST_HD T name(type x) {                                                                      \
    return T(x);                                                                                   \
  }

#define GPUTEST_ATOMIC_ADD(T, T2, name)                                                            \
  static __device__ __forceinline__ T atomicAdd(T* at, T value) {                                  \
    unsigned short* const bits = (unsigned short*)at;                                              \
    unsigned short old = __atomic_load_n(bits, __ATOMIC_RELAXED), before;                          \
    do {                                                                                           \
      before = old;                                                                                \
      old = atomicCAS(bits, before, __##name##_as_ushort(__hadd(__ushort_as_##name(before), value)));\
    } while (old != before);                                                                       \
    return __ushort_as_##name(old);                                                                \
  }                                                                                                \
  static __device__ __forceinline__ T2 atomicAdd(T2* at, T2 value) {                               \
    const T x = atomicAdd(&at->x, value.x);                                                        \
    return {x, atomicAdd(&at->y, value.y)};                                                        \
  }

// Results are rounded to nearest. _sat: clamps to [0, 1], NaN to 0. _relu: at least 0.
#define GPUTEST_NARROW_FUNCTIONS(T, T2)                                                            \
  GPUTEST_HD int __hisinf(T a) {                                                                   \
    return (float)a == __builtin_inff() ? 1 : (float)a == -__builtin_inff() ? -1 : 0;              \
  }                                                                                                \
  GPUTEST_HD T __gputest_saturated(T a) {                                                          \
    return (float)a > 0.0f ? (float)a < 1.0f ? a : T(1.0f) : T(0.0f);                              \
  }                                                                                                \
  GPUTEST_HD T __gputest_positive(T a) {                                                           \
    return __hisnan(a) || (float)a > 0.0f ? a : T(0.0f);                                           \
  }                                                                                                \
  GPUTEST_SAME(T, __hadd_rn, __hadd)                                                               \
  GPUTEST_SAME(T, __hsub_rn, __hsub)                                                               \
  GPUTEST_SAME(T, __hmul_rn, __hmul)                                                               \
  GPUTEST_SATURATED(T, __hadd_sat, __hadd)                                                         \
  GPUTEST_SATURATED(T, __hsub_sat, __hsub)                                                         \
  GPUTEST_SATURATED(T, __hmul_sat, __hmul)                                                         \
  GPUTEST_HD T __hfma_sat(T a, T b, T c) {                                                         \
    return __gputest_saturated(__hfma(a, b, c));                                                   \
  }                                                                                                \
  GPUTEST_HD T __hfma_relu(T a, T b, T c) {                                                        \
    return __gputest_positive(__hfma(a, b, c));                                                    \
  }                                                                                                \
  GPUTEST_OR_NAN(T, __hmax_nan, __hmax)                                                            \
  GPUTEST_OR_NAN(T, __hmin_nan, __hmin)                                                            \
  GPUTEST_HD T operator+(T a) {                                                                    \
    return a;                                                                                      \
  }                                                                                                \
  GPUTEST_HD T& operator++(T& a) {                                                                 \
    return a = __hadd(a, T(1.0f));                                                                 \
  }                                                                                                \
  GPUTEST_HD T& operator--(T& a) {                                                                 \
    return a = __hsub(a, T(1.0f));                                                                 \
  }                                                                                                \
  GPUTEST_HD T operator++(T& a, int) {                                                             \
    const T old = a;                                                                               \
    ++a;                                                                                           \
    return old;                                                                                    \
  }                                                                                                \
  GPUTEST_HD T operator--(T& a, int) {                                                             \
    const T old = a;                                                                               \
    --a;                                                                                           \
    return old;                                                                                    \
  }                                                                                                \
  GPUTEST_HD T2 operator-(T2 a) {                                                                  \
    return {__hneg(a.x), __hneg(a.y)};                                                             \
  }                                                                                                \
  GPUTEST_HD bool operator==(T2 a, T2 b) {                                                         \
    return __heq(a.x, b.x) && __heq(a.y, b.y);                                                     \
  }                                                                                                \
  GPUTEST_HD bool operator!=(T2 a, T2 b) {                                                         \
    return !(a == b);                                                                              \
  }                                                                                                \
  GPUTEST_SAME(T2, __hadd2_rn, __hadd2)                                                            \
  GPUTEST_SAME(T2, __hsub2_rn, __hsub2)                                                            \
  GPUTEST_SAME(T2, __hmul2_rn, __hmul2)                                                            \
  GPUTEST_BY_PAIR(T2, __hadd2_sat, __hadd_sat)                                                     \
  GPUTEST_BY_PAIR(T2, __hsub2_sat, __hsub_sat)                                                     \
  GPUTEST_BY_PAIR(T2, __hmul2_sat, __hmul_sat)                                                     \
  GPUTEST_BY_PAIR_OF_THREE(T2, __hfma2_sat, __hfma_sat)                                            \
  GPUTEST_BY_PAIR_OF_THREE(T2, __hfma2_relu, __hfma_relu)                                          \
  GPUTEST_HD T2 __hisnan2(T2 a) {                                                                  \
    return {T(__hisnan(a.x) ? 1.0f : 0.0f), T(__hisnan(a.y) ? 1.0f : 0.0f)};                       \
  }

// Comparisons that are true if an operand is NaN.
#define GPUTEST_UNORDERED(T, T2, name, against)                                                    \
  GPUTEST_HD bool __h##name##u(T a, T b) {                                                         \
    return !__h##against(a, b);                                                                    \
  }                                                                                                \
  GPUTEST_HD T2 __h##name##u2(T2 a, T2 b) {                                                        \
    return {T(__h##name##u(a.x, b.x) ? 1.0f : 0.0f), T(__h##name##u(a.y, b.y) ? 1.0f : 0.0f)};     \
  }                                                                                                \
  GPUTEST_HD bool __hb##name##u2(T2 a, T2 b) {                                                     \
    return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                       \
  }
#define GPUTEST_ALL_UNORDERED(T, T2)                                                               \
  GPUTEST_UNORDERED(T, T2, ne, eq)                                                                 \
  GPUTEST_UNORDERED(T, T2, lt, ge)                                                                 \
  GPUTEST_UNORDERED(T, T2, le, gt)                                                                 \
  GPUTEST_UNORDERED(T, T2, gt, le)                                                                 \
  GPUTEST_UNORDERED(T, T2, ge, lt)                                                                 \
  GPUTEST_HD bool __hequ(T a, T b) {                                                               \
    return __hisnan(a) || __hisnan(b) || __heq(a, b);                                              \
  }

// Conversions to integers with the four ways of rounding, and from integers to nearest. Results
// saturate. NaN becomes 0, but of 64 bits the highest one alone.
#define GPUTEST_TO_INTEGER(T, prefix, name, type, least, most)                                     \
  GPUTEST_HD type __gputest_##prefix##_to_##name(double x) {                                       \
    return x != x                 ? (type)(sizeof(type) < 8 ? 0 : 1ull << 63)                      \
           : x <= (double)(least) ? (least)                                                        \
           : x >= (double)(most)  ? (most)                                                         \
                                  : (type)x;                                                       \
  }                                                                                                \
  GPUTEST_HD type __##prefix##2##name##_rn(T x) {                                                  \
    return __gputest_##prefix##_to_##name(__builtin_rint((float)x));                               \
  }                                                                                                \
  GPUTEST_HD type __##prefix##2##name##_rz(T x) {                                                  \
    return __gputest_##prefix##_to_##name(__builtin_trunc((float)x));                              \
  }                                                                                                \
  GPUTEST_HD type __##prefix##2##name##_rd(T x) {                                                  \
    return __gputest_##prefix##_to_##name(__builtin_floor((float)x));                              \
  }                                                                                                \
  GPUTEST_HD type __##prefix##2##name##_ru(T x) {                                                  \
    return __gputest_##prefix##_to_##name(__builtin_ceil((float)x));                               \
  }
#define GPUTEST_TO_INTEGERS(T, prefix)                                                             \
  GPUTEST_TO_INTEGER(T, prefix, int, int, -0x7fffffff - 1, 0x7fffffff)                             \
  GPUTEST_TO_INTEGER(T, prefix, uint, unsigned, 0u, 0xffffffffu)                                   \
  GPUTEST_TO_INTEGER(T, prefix, short, short, -32768, 32767)                                       \
  GPUTEST_TO_INTEGER(T, prefix, ushort, unsigned short, 0, 65535)                                  \
  GPUTEST_TO_INTEGER(T, prefix, ll, long long, -0x7fffffffffffffffll - 1, 0x7fffffffffffffffll)    \
  GPUTEST_TO_INTEGER(T, prefix, ull, unsigned long long, 0ull, 0xffffffffffffffffull)

// Comparisons of pairs, with results in three forms: numbers 1 and 0, whether both are true, and
// masks of 16 bits.
#define GPUTEST_PAIR(T, T2, name)                                                                  \
  GPUTEST_HD T2 __h##name##2(T2 a, T2 b) {                                                         \
    return {T(__h##name(a.x, b.x) ? 1.0f : 0.0f), T(__h##name(a.y, b.y) ? 1.0f : 0.0f)};           \
  }                                                                                                \
  GPUTEST_HD bool __hb##name##2(T2 a, T2 b) {                                                      \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                             \
  }                                                                                                \
  GPUTEST_PAIR_MASK(T2, name)
#define GPUTEST_PAIR_MASK(T2, name)                                                                \
  GPUTEST_HD unsigned __h##name##2_mask(T2 a, T2 b) {                                              \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);        \
  }
#define GPUTEST_PAIRS(T, T2)                                                                       \
  GPUTEST_PAIR(T, T2, eq)                                                                          \
  GPUTEST_PAIR(T, T2, ne)                                                                          \
  GPUTEST_PAIR(T, T2, lt)                                                                          \
  GPUTEST_PAIR(T, T2, le)                                                                          \
  GPUTEST_PAIR(T, T2, gt)                                                                          \
  GPUTEST_PAIR(T, T2, ge)
// To be used after GPUTEST_ALL_UNORDERED.
#define GPUTEST_UNORDERED_PAIRS(T, T2)                                                             \
  GPUTEST_PAIR(T, T2, equ)                                                                         \
  GPUTEST_PAIR_MASK(T2, neu)                                                                       \
  GPUTEST_PAIR_MASK(T2, ltu)                                                                       \
  GPUTEST_PAIR_MASK(T2, leu)                                                                       \
  GPUTEST_PAIR_MASK(T2, gtu)                                                                       \
  GPUTEST_PAIR_MASK(T2, geu)                                                                       \
  GPUTEST_BY_PAIR(T2, __hmax2_nan, __hmax_nan)                                                     \
  GPUTEST_BY_PAIR(T2, __hmin2_nan, __hmin_nan)                                                     \
  /* a * b + c of complex numbers. */                                                              \
  GPUTEST_HD T2 __hcmadd(T2 a, T2 b, T2 c) {                                                       \
    return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),                                       \
            __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};                                              \
  }                                                                                                \
  GPUTEST_HD T2 __lowhigh2highlow(T2 a) {                                                          \
    return {a.y, a.x};                                                                             \
  }                                                                                                \
  GPUTEST_HD T2 __habs2(T2 a) {                                                                    \
    return {__habs(a.x), __habs(a.y)};                                                             \
  }                                                                                                \
  GPUTEST_HD T2 __hneg2(T2 a) {                                                                    \
    return {__hneg(a.x), __hneg(a.y)};                                                             \
  }

#ifdef __cplusplus
// Converts an integer to a double that compares with each narrow number as the integer does.
static inline __host__ __device__ double __gputest_for_rounding(unsigned long long x) {
  double scale = 1;
  for (; x >> 52; scale *= 2)
    x = x >> 1 | (x & 1);
  return (double)x * scale;
}
static inline __host__ __device__ double __gputest_for_rounding(long long x) {
  return x < 0 ? -__gputest_for_rounding(0ull - (unsigned long long)x)
               : __gputest_for_rounding((unsigned long long)x);
}
static inline __host__ __device__ double __gputest_for_rounding(double x) {
  return x;
}
// Returns the code of the nearest number or, if that is on the wrong side of x, of its neighbour.
// `towards`: -1 rounds down, 1 up, 0 towards zero.
static inline __host__ __device__ unsigned short __gputest_directed(double x, double nearest, unsigned short code,
                                             int towards) {
  const bool lower = towards < 0 || (towards == 0 && x > 0);
  if (!(lower ? nearest > x : nearest < x))
    return code;
  if ((code & 0x7fff) == 0)
    return lower ? 0x8001 : 0x0001;
  const bool grows = lower == ((code & 0x8000) != 0); // away from zero
  return (unsigned short)(grows ? code + 1 : code - 1);
}
#endif
#define GPUTEST_FROM(T, name, type, wide)                                                          \
  GPUTEST_FROM_TOWARDS(T, name##_rz, type, wide, 0)                                                \
  GPUTEST_FROM_TOWARDS(T, name##_rd, type, wide, -1)                                               \
  GPUTEST_FROM_TOWARDS(T, name##_ru, type, wide, 1)
#define GPUTEST_FROM_TOWARDS(T, name, type, wide, towards)                                         \
  GPUTEST_HD T name(type x) {                                                                      \
    const double exact = __gputest_for_rounding((wide)x);                                          \
    T result(exact);                                                                               \
    unsigned short code;                                                                           \
    __builtin_memcpy(&code, &result, sizeof code);                                                 \
    code = __gputest_directed(exact, (float)result, code, towards);                                \
    __builtin_memcpy(&result, &code, sizeof code);                                                 \
    return result;                                                                                 \
  }
// Conversions to narrow numbers with the three other ways of rounding.
#define GPUTEST_FROM_ALL(T, prefix, of_float)                                                      \
  GPUTEST_FROM(T, of_float, float, double)                                                         \
  GPUTEST_FROM(T, __int2##prefix, int, double)                                                     \
  GPUTEST_FROM(T, __uint2##prefix, unsigned, double)                                               \
  GPUTEST_FROM(T, __short2##prefix, short, double)                                                 \
  GPUTEST_FROM(T, __ushort2##prefix, unsigned short, double)                                       \
  GPUTEST_FROM(T, __ll2##prefix, long long, long long)                                             \
  GPUTEST_FROM(T, __ull2##prefix, unsigned long long, unsigned long long)                          \
  GPUTEST_HD signed char __##prefix##2char_rz(T x) {                                               \
    const short value = __##prefix##2short_rz(x);                                                  \
    return (signed char)(value < -128 ? -128 : value > 127 ? 127 : value);                         \
  }                                                                                                \
  GPUTEST_HD unsigned char __##prefix##2uchar_rz(T x) {                                            \
    const unsigned short value = __##prefix##2ushort_rz(x);                                        \
    return (unsigned char)(value > 255 ? 255 : value);                                             \
  }

// Functions of the math library, computed in float.
#define GPUTEST_NARROW_MATH(T, T2, name, function)                                                 \
  static __device__ __forceinline__ T h##name(T x) {                                               \
    return T(function((float)x));                                                                  \
  }                                                                                                \
  static __device__ __forceinline__ T2 h2##name(T2 x) {                                            \
    return {h##name(x.x), h##name(x.y)};                                                           \
  }
#define GPUTEST_ALL_NARROW_MATH(T, T2)                                                             \
  GPUTEST_NARROW_MATH(T, T2, sqrt, sqrtf)                                                          \
  GPUTEST_NARROW_MATH(T, T2, rsqrt, rsqrtf)                                                        \
  GPUTEST_NARROW_MATH(T, T2, exp, expf)                                                            \
  GPUTEST_NARROW_MATH(T, T2, exp2, exp2f)                                                          \
  GPUTEST_NARROW_MATH(T, T2, exp10, exp10f)                                                        \
  GPUTEST_NARROW_MATH(T, T2, log, logf)                                                            \
  GPUTEST_NARROW_MATH(T, T2, log2, log2f)                                                          \
  GPUTEST_NARROW_MATH(T, T2, log10, log10f)                                                        \
  GPUTEST_NARROW_MATH(T, T2, sin, sinf)                                                            \
  GPUTEST_NARROW_MATH(T, T2, cos, cosf)                                                            \
  GPUTEST_NARROW_MATH(T, T2, tanh, tanhf)                                                          \
  GPUTEST_NARROW_MATH(T, T2, tanh_approx, tanhf)                                                   \
  GPUTEST_NARROW_MATH(T, T2, floor, floorf)                                                        \
  GPUTEST_NARROW_MATH(T, T2, ceil, ceilf)                                                          \
  GPUTEST_NARROW_MATH(T, T2, trunc, truncf)                                                        \
  GPUTEST_NARROW_MATH(T, T2, rint, rintf)                                                          \
  GPUTEST_NARROW_MATH(T, T2, rcp, 1.0f /)
