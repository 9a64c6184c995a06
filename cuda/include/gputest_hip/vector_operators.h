// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators of HIP's vector types, by element. One operand may be a number. They are templates, so
// that a program's own operators come first.
#ifndef GPUTEST_HIP_VECTOR_OPERATORS_H
#define GPUTEST_HIP_VECTOR_OPERATORS_H

#include "vector_types.h"

#include <type_traits>

namespace gputest_hip {

template <typename T> struct Vector {
  static constexpr int size = 0;
};
#define GPUTEST_HIP_VECTOR(T, E, number)                                                           \
  template <> struct Vector<T> {                                                                   \
    static constexpr int size = number;                                                            \
    using Element = E;                                                                             \
  };
#define GPUTEST_HIP_VECTORS(name, element, one, two, four)                                         \
  GPUTEST_HIP_VECTOR(name##1, element, 1)                                                          \
  GPUTEST_HIP_VECTOR(name##2, element, 2)                                                          \
  GPUTEST_HIP_VECTOR(name##3, element, 3)                                                          \
  GPUTEST_HIP_VECTOR(name##4, element, 4)
GPUTEST_CUDA_VECTORS(GPUTEST_HIP_VECTORS)
#undef GPUTEST_HIP_VECTORS
#undef GPUTEST_HIP_VECTOR

template <typename T>
using IfVector = typename std::enable_if<(Vector<T>::size > 0), T>::type;
template <typename T, typename S>
using IfNumber = typename std::enable_if<(Vector<T>::size > 0 && std::is_arithmetic<S>::value), T>::type;

#define GPUTEST_HD __host__ __device__ __forceinline__
template <typename T> GPUTEST_HD typename Vector<T>::Element& element(T& value, int i) {
  return (&value.x)[i];
}
template <typename T> GPUTEST_HD const typename Vector<T>::Element& element(const T& value, int i) {
  return (&value.x)[i];
}
template <typename T, typename S> GPUTEST_HD T all(S value) {
  T result;
  for (int i = 0; i < Vector<T>::size; ++i)
    element(result, i) = static_cast<typename Vector<T>::Element>(value);
  return result;
}

} // namespace gputest_hip

#define GPUTEST_HIP_BINARY(op)                                                                     \
  template <typename T> GPUTEST_HD gputest_hip::IfVector<T>& operator op##=(T& a, const T& b) {    \
    for (int i = 0; i < gputest_hip::Vector<T>::size; ++i)                                         \
      gputest_hip::element(a, i) op##= gputest_hip::element(b, i);                                \
    return a;                                                                                      \
  }                                                                                                \
  template <typename T, typename S>                                                                \
  GPUTEST_HD gputest_hip::IfNumber<T, S>& operator op##=(T& a, S b) {                              \
    return a op##= gputest_hip::all<T>(b);                                                        \
  }                                                                                                \
  template <typename T> GPUTEST_HD gputest_hip::IfVector<T> operator op(const T& a, const T& b) {  \
    T result = a;                                                                                  \
    return result op##= b;                                                                        \
  }                                                                                                \
  template <typename T, typename S>                                                                \
  GPUTEST_HD gputest_hip::IfNumber<T, S> operator op(const T& a, S b) {                            \
    T result = a;                                                                                  \
    return result op##= gputest_hip::all<T>(b);                                                   \
  }                                                                                                \
  template <typename T, typename S>                                                                \
  GPUTEST_HD gputest_hip::IfNumber<T, S> operator op(S a, const T& b) {                            \
    T result = gputest_hip::all<T>(a);                                                             \
    return result op##= b;                                                                        \
  }
// clang-format off
GPUTEST_HIP_BINARY(+)
GPUTEST_HIP_BINARY(-)
GPUTEST_HIP_BINARY(*)
GPUTEST_HIP_BINARY(/)
GPUTEST_HIP_BINARY(%)
GPUTEST_HIP_BINARY(&)
GPUTEST_HIP_BINARY(|)
GPUTEST_HIP_BINARY(^)
// clang-format on
#undef GPUTEST_HIP_BINARY

template <typename T> GPUTEST_HD gputest_hip::IfVector<T> operator-(const T& a) {
  T result;
  for (int i = 0; i < gputest_hip::Vector<T>::size; ++i)
    gputest_hip::element(result, i) = -gputest_hip::element(a, i);
  return result;
}
template <typename T>
GPUTEST_HD typename std::enable_if<(gputest_hip::Vector<T>::size > 0), bool>::type
operator==(const T& a, const T& b) {
  for (int i = 0; i < gputest_hip::Vector<T>::size; ++i)
    if (!(gputest_hip::element(a, i) == gputest_hip::element(b, i)))
      return false;
  return true;
}
template <typename T>
GPUTEST_HD typename std::enable_if<(gputest_hip::Vector<T>::size > 0), bool>::type
operator!=(const T& a, const T& b) {
  return !(a == b);
}
#undef GPUTEST_HD

#endif
