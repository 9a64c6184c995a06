// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of types that programs name (cudaDataType).
#pragma once

#include "cuda/include/library_types.h"
#include "cuda/libraries/small_floats.h"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>

namespace gputest::cuda::libraries {

// Bytes of a value; 0: of a type that no library here has.
inline std::size_t size_of(cudaDataType type) {
  switch (type) {
  case CUDA_R_8I:
  case CUDA_R_8U:
  case CUDA_R_8F_E4M3:
  case CUDA_R_8F_E5M2:
    return 1;
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return 2;
  case CUDA_R_32F:
  case CUDA_R_32I:
    return 4;
  case CUDA_R_64F:
  case CUDA_C_32F:
    return 8;
  case CUDA_C_64F:
    return 16;
  default:
    return 0;
  }
}
// Floating point of 8 bits.
inline bool is_of_8_bits(cudaDataType type) {
  return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}
inline bool is_complex(cudaDataType type) {
  return type == CUDA_C_32F || type == CUDA_C_64F;
}

// Of element `index` of an array of the host.
template <typename T> T element_at(const void* array, std::ptrdiff_t index) {
  return static_cast<const T*>(array)[index];
}
inline std::complex<double> complex_at(const void* array, cudaDataType type, std::ptrdiff_t index) {
  switch (type) {
  case CUDA_R_8I:
    return element_at<signed char>(array, index);
  case CUDA_R_8U:
    return element_at<unsigned char>(array, index);
  case CUDA_R_8F_E4M3:
    return of_float8(element_at<std::uint8_t>(array, index), kE4M3);
  case CUDA_R_8F_E5M2:
    return of_float8(element_at<std::uint8_t>(array, index), kE5M2);
  case CUDA_R_16F:
    return of_half(element_at<std::uint16_t>(array, index));
  case CUDA_R_16BF:
    return of_bfloat16(element_at<std::uint16_t>(array, index));
  case CUDA_R_32F:
    return element_at<float>(array, index);
  case CUDA_R_32I:
    return element_at<int>(array, index);
  case CUDA_R_64F:
    return element_at<double>(array, index);
  case CUDA_C_32F:
    return element_at<std::complex<float>>(array, index);
  case CUDA_C_64F:
    return element_at<std::complex<double>>(array, index);
  default:
    return 0;
  }
}
inline double value_at(const void* array, cudaDataType type, std::ptrdiff_t index) {
  return complex_at(array, type, index).real();
}
// To the nearest integer, ties to even; the last one of the type where it is outside.
template <typename T> T rounded(double value) {
  const double nearest = std::nearbyint(value);
  return std::isnan(nearest)
             ? T{}
             : static_cast<T>(std::clamp<double>(nearest, std::numeric_limits<T>::min(),
                                                 std::numeric_limits<T>::max()));
}
template <typename T> void put(void* array, std::ptrdiff_t index, T value) {
  static_cast<T*>(array)[index] = value;
}
inline void set_value(void* array, cudaDataType type, std::ptrdiff_t index,
                      std::complex<double> value) {
  const auto single = static_cast<float>(value.real());
  switch (type) {
  case CUDA_R_8I:
    return put(array, index, rounded<signed char>(value.real()));
  case CUDA_R_8U:
    return put(array, index, rounded<unsigned char>(value.real()));
  case CUDA_R_8F_E4M3:
    return put(array, index, float8_of(single, kE4M3));
  case CUDA_R_8F_E5M2:
    return put(array, index, float8_of(single, kE5M2));
  case CUDA_R_16F:
    return put(array, index, half_of(single));
  case CUDA_R_16BF:
    return put(array, index, bfloat16_of(single));
  case CUDA_R_32F:
    return put(array, index, single);
  case CUDA_R_32I: // sums wrap around
    return put(array, index, static_cast<int>(static_cast<long long>(value.real())));
  case CUDA_R_64F:
    return put(array, index, value.real());
  case CUDA_C_32F:
    return put(array, index, std::complex<float>(value));
  case CUDA_C_64F:
    return put(array, index, value);
  default:
    return;
  }
}
inline bool is_zero(const void* value, cudaDataType type) {
  return complex_at(value, type, 0) == std::complex<double>{};
}

} // namespace gputest::cuda::libraries
