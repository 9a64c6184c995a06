// What __half and __nv_bfloat16 have alike (CUDA Math API), by the functions that their headers define.
// T: the type, T2: two of it.

// Rounding is to the nearest; _sat: to [0, 1], and 0 for what is no number; _relu: at least 0.
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
  GPUTEST_HD T __hadd_rn(T a, T b) {                                                               \
    return __hadd(a, b);                                                                           \
  }                                                                                                \
  GPUTEST_HD T __hsub_rn(T a, T b) {                                                               \
    return __hsub(a, b);                                                                           \
  }                                                                                                \
  GPUTEST_HD T __hmul_rn(T a, T b) {                                                               \
    return __hmul(a, b);                                                                           \
  }                                                                                                \
  GPUTEST_HD T __hadd_sat(T a, T b) {                                                              \
    return __gputest_saturated(__hadd(a, b));                                                      \
  }                                                                                                \
  GPUTEST_HD T __hsub_sat(T a, T b) {                                                              \
    return __gputest_saturated(__hsub(a, b));                                                      \
  }                                                                                                \
  GPUTEST_HD T __hmul_sat(T a, T b) {                                                              \
    return __gputest_saturated(__hmul(a, b));                                                      \
  }                                                                                                \
  GPUTEST_HD T __hfma_sat(T a, T b, T c) {                                                         \
    return __gputest_saturated(__hfma(a, b, c));                                                   \
  }                                                                                                \
  GPUTEST_HD T __hfma_relu(T a, T b, T c) {                                                        \
    return __gputest_positive(__hfma(a, b, c));                                                    \
  }                                                                                                \
  GPUTEST_HD T __hmax_nan(T a, T b) {                                                              \
    return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b);                                       \
  }                                                                                                \
  GPUTEST_HD T __hmin_nan(T a, T b) {                                                              \
    return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b);                                       \
  }                                                                                                \
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
  GPUTEST_HD T2& operator+=(T2& a, T2 b) {                                                         \
    return a = __hadd2(a, b);                                                                      \
  }                                                                                                \
  GPUTEST_HD T2& operator-=(T2& a, T2 b) {                                                         \
    return a = __hsub2(a, b);                                                                      \
  }                                                                                                \
  GPUTEST_HD T2& operator*=(T2& a, T2 b) {                                                         \
    return a = __hmul2(a, b);                                                                      \
  }                                                                                                \
  GPUTEST_HD T2& operator/=(T2& a, T2 b) {                                                         \
    return a = __h2div(a, b);                                                                      \
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
  GPUTEST_HD T2 __hadd2_rn(T2 a, T2 b) {                                                           \
    return __hadd2(a, b);                                                                          \
  }                                                                                                \
  GPUTEST_HD T2 __hsub2_rn(T2 a, T2 b) {                                                           \
    return __hsub2(a, b);                                                                          \
  }                                                                                                \
  GPUTEST_HD T2 __hmul2_rn(T2 a, T2 b) {                                                           \
    return __hmul2(a, b);                                                                          \
  }                                                                                                \
  GPUTEST_HD T2 __hadd2_sat(T2 a, T2 b) {                                                          \
    return {__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)};                                           \
  }                                                                                                \
  GPUTEST_HD T2 __hsub2_sat(T2 a, T2 b) {                                                          \
    return {__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)};                                           \
  }                                                                                                \
  GPUTEST_HD T2 __hmul2_sat(T2 a, T2 b) {                                                          \
    return {__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)};                                           \
  }                                                                                                \
  GPUTEST_HD T2 __hfma2_sat(T2 a, T2 b, T2 c) {                                                    \
    return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};                                 \
  }                                                                                                \
  GPUTEST_HD T2 __hfma2_relu(T2 a, T2 b, T2 c) {                                                   \
    return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};                               \
  }                                                                                                \
  GPUTEST_HD T2 __hisnan2(T2 a) {                                                                  \
    return {T(__hisnan(a.x) ? 1.0f : 0.0f), T(__hisnan(a.y) ? 1.0f : 0.0f)};                       \
  }

// Comparisons that hold if one of the two is no number.
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

// To integers by the four ways of rounding, and from them to the nearest. What is outside becomes the
// nearest, and what is no number 0.
#define GPUTEST_TO_INTEGER(T, prefix, name, type, least, most)                                     \
  GPUTEST_HD type __gputest_##prefix##_to_##name(double x) {                                       \
    return x != x ? 0 : x <= (double)(least) ? (least) : x >= (double)(most) ? (most) : (type)x;   \
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
