// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that __half and __nv_bfloat16 have in common (CUDA Math API). They use functions of the
// types' headers. T: the type. T2: a pair of it.

// A function that is an expression of its parameters.
#define GPUTEST_IS(type, name, parameters, ...)                                                    \
  GPUTEST_HD type name parameters {                                                                \
    return __VA_ARGS__;                                                                            \
  }
// A function of two or three numbers for the components of pairs.
#define GPUTEST_BY_PAIR(T2, of_pairs, function)                                                    \
  GPUTEST_IS(T2, of_pairs, (T2 a, T2 b), {function(a.x, b.x), function(a.y, b.y)})
#define GPUTEST_BY_PAIR_OF_THREE(T2, of_pairs, function)                                           \
  GPUTEST_IS(T2, of_pairs, (T2 a, T2 b, T2 c), {function(a.x, b.x, c.x), function(a.y, b.y, c.y)})
// Functions that are another one, are clamped to [0, 1], and prefer what is no number.
#define GPUTEST_SAME(T, name, function)                                                            \
  GPUTEST_IS(T, name, (T a, T b), function(a, b))
#define GPUTEST_SATURATED(T, name, function)                                                       \
  GPUTEST_IS(T, name, (T a, T b), __gputest_saturated(function(a, b)))
#define GPUTEST_OR_NAN(T, name, function)                                                          \
  GPUTEST_IS(T, name, (T a, T b),                                                                  \
             __hisnan(a) || __hisnan(b) ? T(__builtin_nanf("")) : function(a, b))

#define GPUTEST_OPERATIONS(T, T2)                                                                  \
  GPUTEST_BY_PAIR(T2, __hadd2, __hadd)                                                             \
  GPUTEST_BY_PAIR(T2, __hsub2, __hsub)                                                             \
  GPUTEST_BY_PAIR(T2, __hmul2, __hmul)                                                             \
  GPUTEST_BY_PAIR(T2, __h2div, __hdiv)                                                             \
  GPUTEST_BY_PAIR_OF_THREE(T2, __hfma2, __hfma)                                                    \
  GPUTEST_BY_PAIR(T2, __hmax2, __hmax)                                                             \
  GPUTEST_BY_PAIR(T2, __hmin2, __hmin)

#define GPUTEST_COMPARISON(T, name, sign)                                                          \
  GPUTEST_IS(bool, __h##name, (T a, T b), (float)a sign(float) b)
#define GPUTEST_COMPARISONS(T)                                                                     \
  GPUTEST_COMPARISON(T, eq, ==)                                                                    \
  GPUTEST_COMPARISON(T, lt, <)                                                                     \
  GPUTEST_COMPARISON(T, le, <=)                                                                    \
  GPUTEST_COMPARISON(T, gt, >)                                                                     \
  GPUTEST_COMPARISON(T, ge, >=)                                                                    \
  /* False where one is no number, but the operator is not. */                                     \
  GPUTEST_IS(bool, __hne, (T a, T b), (float)a < (float)b || (float)a > (float)b)

// The operators of a number, and of a pair, by the functions of its type.
#define GPUTEST_OPERATOR(T, function, sign)                                                        \
  GPUTEST_IS(T, operator sign, (T a, T b), function(a, b))                                         \
  GPUTEST_IS(T&, operator sign##=, (T& a, T b), a = function(a, b))
#define GPUTEST_STEP(T, sign, add, one)                                                            \
  GPUTEST_IS(T&, operator sign, (T& a), a = add(a, one))                                           \
  GPUTEST_HD T operator sign(T& a, int) {                                                          \
    const T old = a;                                                                               \
    sign a;                                                                                        \
    return old;                                                                                    \
  }
#define GPUTEST_NUMBER_OPERATORS(T)                                                                \
  GPUTEST_OPERATOR(T, __hadd, +)                                                                   \
  GPUTEST_OPERATOR(T, __hsub, -)                                                                   \
  GPUTEST_OPERATOR(T, __hmul, *)                                                                   \
  GPUTEST_OPERATOR(T, __hdiv, /)                                                                   \
  GPUTEST_STEP(T, ++, __hadd, T(1.0f))                                                             \
  GPUTEST_STEP(T, --, __hsub, T(1.0f))                                                             \
  GPUTEST_IS(T, operator+, (T a), a)                                                               \
  GPUTEST_IS(T, operator-, (T a), __hneg(a))                                                       \
  GPUTEST_IS(bool, operator==, (T a, T b), __heq(a, b))                                            \
  GPUTEST_IS(bool, operator!=, (T a, T b), !__heq(a, b))                                           \
  GPUTEST_IS(bool, operator<, (T a, T b), __hlt(a, b))                                             \
  GPUTEST_IS(bool, operator<=, (T a, T b), __hle(a, b))                                            \
  GPUTEST_IS(bool, operator>, (T a, T b), __hgt(a, b))                                             \
  GPUTEST_IS(bool, operator>=, (T a, T b), __hge(a, b))
// Comparisons of pairs are true where those of both components are.
#define GPUTEST_PAIR_OPERATORS(T, T2)                                                              \
  GPUTEST_OPERATOR(T2, __hadd2, +)                                                                 \
  GPUTEST_OPERATOR(T2, __hsub2, -)                                                                 \
  GPUTEST_OPERATOR(T2, __hmul2, *)                                                                 \
  GPUTEST_OPERATOR(T2, __h2div, /)                                                                 \
  GPUTEST_STEP(T2, ++, __hadd2, T2(T(1.0f), T(1.0f)))                                              \
  GPUTEST_STEP(T2, --, __hsub2, T2(T(1.0f), T(1.0f)))                                              \
  GPUTEST_IS(T2, operator+, (T2 a), a)                                                             \
  GPUTEST_IS(T2, operator-, (T2 a), __hneg2(a))                                                    \
  GPUTEST_IS(bool, operator==, (T2 a, T2 b), __hbeq2(a, b))                                        \
  GPUTEST_IS(bool, operator!=, (T2 a, T2 b), __hbneu2(a, b))                                       \
  GPUTEST_IS(bool, operator<, (T2 a, T2 b), __hblt2(a, b))                                         \
  GPUTEST_IS(bool, operator<=, (T2 a, T2 b), __hble2(a, b))                                        \
  GPUTEST_IS(bool, operator>, (T2 a, T2 b), __hbgt2(a, b))                                         \
  GPUTEST_IS(bool, operator>=, (T2 a, T2 b), __hbge2(a, b))

// The conversions of a number to integers, by the functions that GPUTEST_FROM_ALL ends with.
// `declare`: macro(type, name in functions).
#define GPUTEST_EACH_INTEGER(declare)                                                              \
  declare(signed char, char) declare(unsigned char, uchar) declare(char, char)                     \
  declare(short, short) declare(unsigned short, ushort) declare(int, int) declare(unsigned, uint)  \
  declare(long, ll) declare(unsigned long, ull) declare(long long, ll)                             \
  declare(unsigned long long, ull)

#define GPUTEST_CONVERSIONS(T, T2, name)                                                           \
  GPUTEST_IS(T, __float2##name, (float x), T(x))                                                   \
  GPUTEST_IS(T, __float2##name##_rn, (float x), T(x))                                              \
  GPUTEST_IS(T, __double2##name, (double x), T(x))                                                 \
  GPUTEST_IS(float, __##name##2float, (T x), (float)x)                                             \
  GPUTEST_IS(T2, __float2##name##2_rn, (float x), {T(x), T(x)})                                    \
  GPUTEST_IS(T2, __floats2##name##2_rn, (float x, float y), {T(x), T(y)})                          \
  GPUTEST_IS(T2, __float22##name##2_rn, (float2 x), {T(x.x), T(x.y)})                              \
  GPUTEST_IS(float2, __##name##22float2, (T2 x), make_float2((float)x.x, (float)x.y))              \
  GPUTEST_IS(float, __low2float, (T2 x), (float)x.x)                                               \
  GPUTEST_IS(float, __high2float, (T2 x), (float)x.y)                                              \
  GPUTEST_IS(T, __low2##name, (T2 x), x.x)                                                         \
  GPUTEST_IS(T, __high2##name, (T2 x), x.y)                                                        \
  GPUTEST_IS(T2, __##name##2##name##2, (T x), {x, x})                                              \
  GPUTEST_IS(T2, __halves2##name##2, (T x, T y), {x, y})                                           \
  GPUTEST_IS(T2, make_##name##2, (T x, T y), {x, y})                                               \
  GPUTEST_IS(T2, __low2##name##2, (T2 x), {x.x, x.x})                                              \
  GPUTEST_IS(T2, __high2##name##2, (T2 x), {x.y, x.y})                                             \
  GPUTEST_IS(T2, __lows2##name##2, (T2 a, T2 b), {a.x, b.x})                                       \
  GPUTEST_IS(T2, __highs2##name##2, (T2 a, T2 b), {a.y, b.y})                                      \
  GPUTEST_IS(short, __##name##_as_short, (T x), (short)__##name##_as_ushort(x))                    \
  GPUTEST_IS(T, __short_as_##name, (short bits), __ushort_as_##name((unsigned short)bits))         \
  GPUTEST_NEAREST(T, __int2##name##_rn, int)                                                       \
  GPUTEST_NEAREST(T, __uint2##name##_rn, unsigned)                                                 \
  GPUTEST_NEAREST(T, __short2##name##_rn, short)                                                   \
  GPUTEST_NEAREST(T, __ushort2##name##_rn, unsigned short)                                         \
  GPUTEST_NEAREST(T, __ll2##name##_rn, long long)                                                  \
  GPUTEST_NEAREST(T, __ull2##name##_rn, unsigned long long)
#define GPUTEST_NEAREST(T, name, type)                                                             \
  GPUTEST_IS(T, name, (type x), T(x))

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
  GPUTEST_IS(int, __hisinf, (T a),                                                                 \
             (float)a == __builtin_inff() ? 1 : (float)a == -__builtin_inff() ? -1 : 0)            \
  GPUTEST_IS(T, __gputest_saturated, (T a),                                                        \
             (float)a > 0.0f ? (float)a < 1.0f ? a : T(1.0f) : T(0.0f))                            \
  GPUTEST_IS(T, __gputest_positive, (T a), __hisnan(a) || (float)a > 0.0f ? a : T(0.0f))           \
  GPUTEST_SAME(T, __hadd_rn, __hadd)                                                               \
  GPUTEST_SAME(T, __hsub_rn, __hsub)                                                               \
  GPUTEST_SAME(T, __hmul_rn, __hmul)                                                               \
  GPUTEST_SATURATED(T, __hadd_sat, __hadd)                                                         \
  GPUTEST_SATURATED(T, __hsub_sat, __hsub)                                                         \
  GPUTEST_SATURATED(T, __hmul_sat, __hmul)                                                         \
  GPUTEST_IS(T, __hfma_sat, (T a, T b, T c), __gputest_saturated(__hfma(a, b, c)))                 \
  GPUTEST_IS(T, __hfma_relu, (T a, T b, T c), __gputest_positive(__hfma(a, b, c)))                 \
  GPUTEST_OR_NAN(T, __hmax_nan, __hmax)                                                            \
  GPUTEST_OR_NAN(T, __hmin_nan, __hmin)                                                            \
  GPUTEST_SAME(T2, __hadd2_rn, __hadd2)                                                            \
  GPUTEST_SAME(T2, __hsub2_rn, __hsub2)                                                            \
  GPUTEST_SAME(T2, __hmul2_rn, __hmul2)                                                            \
  GPUTEST_BY_PAIR(T2, __hadd2_sat, __hadd_sat)                                                     \
  GPUTEST_BY_PAIR(T2, __hsub2_sat, __hsub_sat)                                                     \
  GPUTEST_BY_PAIR(T2, __hmul2_sat, __hmul_sat)                                                     \
  GPUTEST_BY_PAIR_OF_THREE(T2, __hfma2_sat, __hfma_sat)                                            \
  GPUTEST_BY_PAIR_OF_THREE(T2, __hfma2_relu, __hfma_relu)                                          \
  GPUTEST_IS(T2, __hisnan2, (T2 a),                                                                \
             {T(__hisnan(a.x) ? 1.0f : 0.0f), T(__hisnan(a.y) ? 1.0f : 0.0f)})

// Comparisons that are true if an operand is NaN.
#define GPUTEST_UNORDERED(T, T2, name, against)                                                    \
  GPUTEST_IS(bool, __h##name##u, (T a, T b), !__h##against(a, b))                                  \
  GPUTEST_IS(T2, __h##name##u2, (T2 a, T2 b),                                                      \
             {T(__h##name##u(a.x, b.x) ? 1.0f : 0.0f), T(__h##name##u(a.y, b.y) ? 1.0f : 0.0f)})   \
  GPUTEST_IS(bool, __hb##name##u2, (T2 a, T2 b), __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y))
#define GPUTEST_ALL_UNORDERED(T, T2)                                                               \
  GPUTEST_UNORDERED(T, T2, ne, eq)                                                                 \
  GPUTEST_UNORDERED(T, T2, lt, ge)                                                                 \
  GPUTEST_UNORDERED(T, T2, le, gt)                                                                 \
  GPUTEST_UNORDERED(T, T2, gt, le)                                                                 \
  GPUTEST_UNORDERED(T, T2, ge, lt)                                                                 \
  GPUTEST_IS(bool, __hequ, (T a, T b), __hisnan(a) || __hisnan(b) || __heq(a, b))

// Conversions to integers with the four ways of rounding, and from integers to nearest. Results
// saturate. NaN becomes 0, but of 64 bits the highest one alone.
#define GPUTEST_TO_INTEGER(T, prefix, name, type, least, most)                                     \
  GPUTEST_HD type __gputest_##prefix##_to_##name(double x) {                                       \
    return x != x                 ? (type)(sizeof(type) < 8 ? 0 : 1ull << 63)                      \
           : x <= (double)(least) ? (least)                                                        \
           : x >= (double)(most)  ? (most)                                                         \
                                  : (type)x;                                                       \
  }                                                                                                \
  GPUTEST_IS(type, __##prefix##2##name##_rn, (T x),                                                \
             __gputest_##prefix##_to_##name(__builtin_rint((float)x)))                             \
  GPUTEST_IS(type, __##prefix##2##name##_rz, (T x),                                                \
             __gputest_##prefix##_to_##name(__builtin_trunc((float)x)))                            \
  GPUTEST_IS(type, __##prefix##2##name##_rd, (T x),                                                \
             __gputest_##prefix##_to_##name(__builtin_floor((float)x)))                            \
  GPUTEST_IS(type, __##prefix##2##name##_ru, (T x),                                                \
             __gputest_##prefix##_to_##name(__builtin_ceil((float)x)))
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
  GPUTEST_IS(T2, __h##name##2, (T2 a, T2 b),                                                       \
             {T(__h##name(a.x, b.x) ? 1.0f : 0.0f), T(__h##name(a.y, b.y) ? 1.0f : 0.0f)})         \
  GPUTEST_IS(bool, __hb##name##2, (T2 a, T2 b), __h##name(a.x, b.x) && __h##name(a.y, b.y))        \
  GPUTEST_PAIR_MASK(T2, name)
#define GPUTEST_PAIR_MASK(T2, name)                                                                \
  GPUTEST_IS(unsigned, __h##name##2_mask, (T2 a, T2 b),                                            \
             (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u))
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
  GPUTEST_IS(T2, __lowhigh2highlow, (T2 a), {a.y, a.x})                                            \
  GPUTEST_IS(T2, __habs2, (T2 a), {__habs(a.x), __habs(a.y)})                                      \
  GPUTEST_IS(T2, __hneg2, (T2 a), {__hneg(a.x), __hneg(a.y)})

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
