// Kernels of statements.py as C++: a thread for each work-item of a group, one group after the
// other. What OpenCL C has and Clang's C++ lacks is here, written in another way than in the
// simulator.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <type_traits>

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using half = _Float16;

#define VECTOR(type, width) typedef type type##width __attribute__((ext_vector_type(width)));
#define VECTORS(type)                                                                              \
  VECTOR(type, 2) VECTOR(type, 3) VECTOR(type, 4) VECTOR(type, 8) VECTOR(type, 16)
VECTORS(char)
VECTORS(uchar)
VECTORS(short)
VECTORS(ushort)
VECTORS(int)
VECTORS(uint)
VECTORS(long)
VECTORS(ulong)
VECTORS(float)
VECTORS(double)
VECTORS(half)

#define global
#define local
#define private
#define constant static const
#define kernel
#define LOCAL static
#define PROGRAM(type, declared) static type declared
#define SUB_GROUP_SIZE

template <class T> struct Width {
  static constexpr int value = 1;
};
template <class T, int n> struct Width<T __attribute__((ext_vector_type(n)))> {
  static constexpr int value = n;
};
template <class R, class A> void put(R& result, int& at, A part) {
  if constexpr (Width<A>::value == 1)
    result[at++] = part;
  else
    for (int i = 0; i < Width<A>::value; ++i)
      result[at++] = part[i];
}
template <class R, class... A> R joined(A... parts) {
  R result;
  int at = 0;
  (put(result, at, parts), ...);
  return result;
}
template <class T, class U> T same_bits(U x) {
  return __builtin_bit_cast(T, x);
}
#define VEC(type, ...) (joined<type>(__VA_ARGS__))
#define AS(type, x) (same_bits<type>(x)) // of a value: Clang takes the first bits of what .hi names
#define CONVERT(type, x) __builtin_convertvector(x, type)

constexpr unsigned kItems = 64, kGroup = 16, kLanes = 8;
static thread_local unsigned item;
static pthread_barrier_t met;

#define CLK_LOCAL_MEM_FENCE 1
static void barrier(int) {
  pthread_barrier_wait(&met);
}
static size_t get_global_id(uint) {
  return item;
}
static size_t get_local_id(uint) {
  return item % kGroup;
}

template <class T> struct Given {
  static inline T values[kGroup];
};
// What `of` makes of the values of all work-items of the group.
template <class T, class Of> T together(T x, Of of) {
  Given<T>::values[item % kGroup] = x;
  barrier(0);
  T values[kGroup];
  std::memcpy(values, Given<T>::values, sizeof values);
  barrier(0);
  return of(values);
}
template <class T> constexpr T least() {
  return std::is_signed_v<T> ? T(T(1) << (8 * sizeof(T) - 1)) : T(0);
}
template <class T> constexpr T most() {
  return T(~least<T>());
}
#define FOLD(of, name, begin, end, two, none)                                                      \
  template <class T> T folded_##of##_##name(uint first, uint last, T start, const T* values) {     \
    T r = start;                                                                                   \
    for (uint i = first; i < last; ++i) {                                                          \
      const T y = values[i];                                                                       \
      r = two;                                                                                     \
    }                                                                                              \
    return r;                                                                                      \
  }                                                                                                \
  template <class T> T of##_reduce_##name(T x) {                                                   \
    return together(x, [](T* all) { return folded_##of##_##name<T>(begin, end, none, all); });     \
  }                                                                                                \
  template <class T> T of##_scan_inclusive_##name(T x) {                                           \
    return together(                                                                               \
        x, [](T* all) { return folded_##of##_##name<T>(begin, item % kGroup + 1, none, all); });   \
  }                                                                                                \
  template <class T> T of##_scan_exclusive_##name(T x) {                                           \
    return together(                                                                               \
        x, [](T* all) { return folded_##of##_##name<T>(begin, item % kGroup, none, all); });       \
  }
#define FIRST_LANE (item % kGroup / kLanes * kLanes)
#define FOLDS(of, begin, end)                                                                      \
  FOLD(of, add, begin, end, T(r + y), T(0))                                                        \
  FOLD(of, min, begin, end, std::min(r, y), most<T>())                                             \
  FOLD(of, max, begin, end, std::max(r, y), least<T>())
FOLDS(work_group, 0, kGroup)
FOLDS(sub_group, FIRST_LANE, FIRST_LANE + kLanes)
template <class T> T work_group_broadcast(T x, size_t from) {
  return together(x, [&](T* all) { return all[from]; });
}
template <class T> T sub_group_broadcast(T x, uint from) {
  return together(x, [&](T* all) { return all[FIRST_LANE + from]; });
}
template <class T> T sub_group_shuffle(T x, uint from) {
  return sub_group_broadcast(x, from);
}
template <class T> T sub_group_shuffle_xor(T x, uint by) {
  return sub_group_broadcast(x, (item % kLanes) ^ by);
}
#define VOTES(of, begin, end)                                                                      \
  int of##_any(int x) {                                                                            \
    return together(x, [](int* all) {                                                              \
      return int(std::any_of(all + begin, all + end, [](int y) { return y; }));                    \
    });                                                                                            \
  }                                                                                                \
  int of##_all(int x) {                                                                            \
    return together(x, [](int* all) {                                                              \
      return int(std::all_of(all + begin, all + end, [](int y) { return y; }));                    \
    });                                                                                            \
  }
VOTES(work_group, 0, kGroup)
VOTES(sub_group, FIRST_LANE, FIRST_LANE + kLanes)

template <class T> T atomic_add(T* at, T x) {
  return __atomic_fetch_add(at, x, __ATOMIC_SEQ_CST);
}
template <class T> T atomic_xor(T* at, T x) {
  return __atomic_fetch_xor(at, x, __ATOMIC_SEQ_CST);
}
template <class T> T mul_hi(T x, T y) {
  return T(static_cast<__int128>(x) * y >> 8 * sizeof(T));
}
ulong mul_hi(ulong x, ulong y) {
  return ulong(static_cast<unsigned __int128>(x) * y >> 64);
}
template <class T> T rotate(T x, T n) {
  const unsigned bits = 8 * sizeof(T), by = n % bits;
  return by ? T(x << by | x >> (bits - by)) : x;
}
template <class T> T popcount(T x) {
  return T(__builtin_popcountll(x));
}
template <class T> T clz(T x) {
  int n = 8 * sizeof(T);
  for (; x; x >>= 1)
    --n;
  return T(n);
}
using std::max;
using std::min;
