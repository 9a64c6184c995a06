// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices that the threads of a warp hold together (CUDA C++ Programming Guide, "Warp Matrix
// Functions"). Which thread has which elements is unspecified. Here each thread has whole rows of A
// and whole columns of B, those for its part of the result. So mma_sync moves nothing between
// threads.
#ifndef GPUTEST_CUDA_MMA_H
#define GPUTEST_CUDA_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#include <type_traits>

#ifdef __CUDA__

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

// Rounds to the precision of tf32: to nearest, ties away from zero.
static __device__ __forceinline__ float __float_to_tf32(float x) {
  unsigned bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  if ((bits & 0x7f800000u) != 0x7f800000u)
    bits += 0x1000;
  bits &= ~0x1fffu;
  __builtin_memcpy(&x, &bits, sizeof bits);
  return x;
}

namespace gputest_cuda_details {

// The stored type of an element, its bits, the type in which it is multiplied, and the number of
// columns of A.
template <typename T> struct element {
  static constexpr int depth = 0;
};
#define GPUTEST_ELEMENT(T, Stored, Bits, Value, Depth)                                                               \
  template <> struct element<T> {                                                                                    \
    typedef Stored stored;                                                                                           \
    typedef Value value;                                                                                             \
    static constexpr int bits = Bits, depth = Depth;                                                                 \
  };
GPUTEST_ELEMENT(__half, __half, 16, float, 16)
GPUTEST_ELEMENT(__nv_bfloat16, __nv_bfloat16, 16, float, 16)
GPUTEST_ELEMENT(signed char, signed char, 8, int, 16)
GPUTEST_ELEMENT(unsigned char, unsigned char, 8, int, 16)
GPUTEST_ELEMENT(precision::tf32, float, 32, float, 8)
GPUTEST_ELEMENT(double, double, 64, double, 4)
GPUTEST_ELEMENT(experimental::precision::u4, unsigned, 4, int, 32)
GPUTEST_ELEMENT(experimental::precision::s4, int, 4, int, 32)
GPUTEST_ELEMENT(experimental::precision::b1, unsigned, 1, unsigned, 128)
#undef GPUTEST_ELEMENT
template <> struct element<float> { // only for accumulators, like int
  typedef float stored;
  static constexpr int bits = 32, depth = 0;
};
template <> struct element<int> {
  typedef int stored;
  static constexpr int bits = 32, depth = 0;
};

constexpr __host__ __device__ bool is_shape(int m, int n, int k) {
  return k == 16 ? m * n == 256 && (m == 8 || m == 16 || m == 32) : k == 8 ? m == 16 && n == 16 : m == 8 && n == 8;
}
// Whether an accumulator with k columns of A may have elements T.
template <typename T> constexpr __host__ __device__ bool accumulates(int) { return false; }
template <> constexpr __host__ __device__ bool accumulates<__half>(int k) { return k == 16; }
template <> constexpr __host__ __device__ bool accumulates<float>(int k) { return k == 16 || k == 8; }
template <> constexpr __host__ __device__ bool accumulates<int>(int k) { return k == 16 || k >= 32; }
template <> constexpr __host__ __device__ bool accumulates<double>(int k) { return k == 4; }

template <typename T, int count> struct __align__(8) elements {
  typedef T element_type;
  typedef typename element<T>::stored storage_element_type;
  enum { num_elements = count, num_storage_elements = count * element<T>::bits / (8 * (int)sizeof(storage_element_type)) };
  storage_element_type x[num_storage_elements];
};

// The arrangement of threads in rows and columns. Each thread has a block of the result.
template <int m, int n> struct threads {
  static constexpr int columns = m == 8 && n == 32 ? 8 : 4, rows = 32 / columns;
  static constexpr int height = m / rows, width = n / columns; // of a block
  static __device__ __forceinline__ unsigned lane() {
    gputest_needs_warps_of_32();
    return __gputest_lane_id();
  }
  static __device__ __forceinline__ unsigned first_row() { return lane() / columns * height; }
  static __device__ __forceinline__ unsigned first_column() { return lane() % columns * width; }
};

template <typename Layout> struct layout {};
template <> struct layout<row_major> {
  static constexpr bool by_rows = true;
};
template <> struct layout<col_major> {
  static constexpr bool by_rows = false;
};

// Returns an element in the type in which it is multiplied.
template <typename T> static __device__ __forceinline__ typename element<T>::value value(const typename element<T>::stored* x, int i) {
  return (typename element<T>::value)x[i];
}
template <> __device__ __forceinline__ float value<precision::tf32>(const float* x, int i) {
  unsigned bits;
  __builtin_memcpy(&bits, x + i, sizeof bits);
  bits &= ~0x1fffu; // lower bits are ignored
  float result;
  __builtin_memcpy(&result, &bits, sizeof result);
  return result;
}
template <> __device__ __forceinline__ int value<experimental::precision::u4>(const unsigned* x, int i) {
  return (int)(x[i / 8] >> i % 8 * 4 & 15);
}
template <> __device__ __forceinline__ int value<experimental::precision::s4>(const int* x, int i) {
  return (int)((unsigned)x[i / 8] << (28 - i % 8 * 4)) >> 28;
}

} // namespace gputest_cuda_details

template <typename Use, int m, int n, int k, typename T, typename Layout = void> class fragment;
template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_a, m, n, k, T, Layout>
    : public gputest_cuda_details::elements<T, gputest_cuda_details::threads<m, n>::height * k> {
  static_assert(gputest_cuda_details::element<T>::depth == k && gputest_cuda_details::is_shape(m, n, k),
                "there is no matrix A of this shape and type");
  static_assert(gputest_cuda_details::element<T>::bits >= 8 || gputest_cuda_details::layout<Layout>::by_rows,
                "a matrix A of parts of bytes is row_major");
};
template <int m, int n, int k, typename T, typename Layout>
class fragment<matrix_b, m, n, k, T, Layout>
    : public gputest_cuda_details::elements<T, gputest_cuda_details::threads<m, n>::width * k> {
  static_assert(gputest_cuda_details::element<T>::depth == k && gputest_cuda_details::is_shape(m, n, k),
                "there is no matrix B of this shape and type");
  static_assert(gputest_cuda_details::element<T>::bits >= 8 || !gputest_cuda_details::layout<Layout>::by_rows,
                "a matrix B of parts of bytes is col_major");
};
template <int m, int n, int k, typename T>
class fragment<accumulator, m, n, k, T, void> : public gputest_cuda_details::elements<T, m * n / 32> {
  static_assert(gputest_cuda_details::accumulates<T>(k) && gputest_cuda_details::is_shape(m, n, k),
                "there is no accumulator of this shape and type");
};

template <typename Use, int m, int n, int k, typename T, typename Layout>
static __device__ __forceinline__ void fill_fragment(fragment<Use, m, n, k, T, Layout>& to,
                                                     const typename gputest_cuda_details::element<T>::stored& value) {
  for (int i = 0; i < to.num_storage_elements; ++i)
    to.x[i] = value;
}

namespace gputest_cuda_details {
// Loads `lines` lines of `k` numbers from line `first` on. `behind`: numbers of a line are
// contiguous; otherwise they are `stride` apart.
template <typename T, int lines, int k, bool behind, typename Pointer>
static __device__ __forceinline__ void load_lines(typename element<T>::stored* to, Pointer from, unsigned first, unsigned stride) {
  __syncwarp();
  if constexpr (element<T>::bits < 8) {
    constexpr int words = k * element<T>::bits / 32;
    const auto* const all = (const typename element<T>::stored*)from;
    for (int line = 0; line < lines; ++line)
      for (int i = 0; i < words; ++i)
        to[line * words + i] = all[(size_t)(first + line) * stride * element<T>::bits / 32 + i];
  } else {
#pragma clang loop unroll(disable)
    for (int line = 0; line < lines; ++line)
      for (int i = 0; i < k; ++i)
        to[line * k + i] = behind ? from[(size_t)(first + line) * stride + i] : from[(size_t)i * stride + first + line];
  }
}
} // namespace gputest_cuda_details

template <int m, int n, int k, typename T, typename Layout, typename Pointer>
static __device__ __forceinline__ void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout>& to, const Pointer* from,
                                                        unsigned stride) {
  using threads = gputest_cuda_details::threads<m, n>;
  gputest_cuda_details::load_lines<T, threads::height, k, gputest_cuda_details::layout<Layout>::by_rows>(
      to.x, from, threads::first_row(), stride);
}
template <int m, int n, int k, typename T, typename Layout, typename Pointer>
static __device__ __forceinline__ void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout>& to, const Pointer* from,
                                                        unsigned stride) {
  using threads = gputest_cuda_details::threads<m, n>;
  gputest_cuda_details::load_lines<T, threads::width, k, !gputest_cuda_details::layout<Layout>::by_rows>(
      to.x, from, threads::first_column(), stride);
}
template <int m, int n, int k, typename T>
static __device__ __forceinline__ void load_matrix_sync(fragment<accumulator, m, n, k, T>& to, const T* from, unsigned stride,
                                                        layout_t layout) {
  using threads = gputest_cuda_details::threads<m, n>;
  const unsigned first_row = threads::first_row(), first_column = threads::first_column();
  __syncwarp();
  for (unsigned row = 0; row < threads::height; ++row)
    for (unsigned column = 0; column < threads::width; ++column)
      to.x[row * threads::width + column] =
          layout == mem_row_major ? from[(size_t)(first_row + row) * stride + first_column + column]
                                  : from[(size_t)(first_column + column) * stride + first_row + row];
}
template <int m, int n, int k, typename T>
static __device__ __forceinline__ void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& from, unsigned stride,
                                                         layout_t layout) {
  using threads = gputest_cuda_details::threads<m, n>;
  const unsigned first_row = threads::first_row(), first_column = threads::first_column();
  __syncwarp();
  for (unsigned row = 0; row < threads::height; ++row)
    for (unsigned column = 0; column < threads::width; ++column)
      (layout == mem_row_major ? to[(size_t)(first_row + row) * stride + first_column + column]
                               : to[(size_t)(first_column + column) * stride + first_row + row]) =
          from.x[row * threads::width + column];
}

namespace gputest_cuda_details {
// Calls f with the index of each element of d and its sum of products.
template <typename Sum, int m, int n, int k, typename T, typename LayoutA, typename LayoutB, typename F>
static __device__ __forceinline__ void multiply(const fragment<matrix_a, m, n, k, T, LayoutA>& a,
                                                const fragment<matrix_b, m, n, k, T, LayoutB>& b, F&& f) {
  using value_type = typename element<T>::value;
  constexpr int height = threads<m, n>::height, width = threads<m, n>::width;
  value_type values_a[height * k], values_b[width * k];
#pragma clang loop unroll(disable)
  for (int i = 0; i < height * k; ++i)
    values_a[i] = value<T>(a.x, i);
#pragma clang loop unroll(disable)
  for (int i = 0; i < width * k; ++i)
    values_b[i] = value<T>(b.x, i);
#pragma clang loop unroll(disable)
  for (int row = 0; row < height; ++row)
#pragma clang loop unroll(disable)
    for (int column = 0; column < width; ++column)
      f(row * width + column, [&](Sum sum) {
        for (int i = 0; i < k; ++i)
          sum += values_a[row * k + i] * values_b[column * k + i];
        return sum;
      });
}
template <typename T> constexpr __host__ __device__ bool is_integer() { return element<T>::bits > 1 && element<T>::bits < 16; }
} // namespace gputest_cuda_details

// d = a * b + c. For half and narrower types, products and sums are computed in float, and d is
// rounded once.
template <int m, int n, int k, typename T, typename LayoutA, typename LayoutB, typename D, typename C,
          typename = std::enable_if_t<!gputest_cuda_details::is_integer<T>()>>
static __device__ __forceinline__ void
mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, T, LayoutA>& a,
         const fragment<matrix_b, m, n, k, T, LayoutB>& b, const fragment<accumulator, m, n, k, C>& c) {
  static_assert(gputest_cuda_details::element<T>::bits > 1, "bmma_sync multiplies bits");
  static_assert(__is_same(T, __half) || (sizeof(C) == sizeof(typename gputest_cuda_details::element<T>::value) && __is_same(C, D)),
                "the accumulator does not fit the matrices");
  using sum_type = typename gputest_cuda_details::element<T>::value;
  gputest_cuda_details::multiply<sum_type>(a, b, [&](int i, auto&& sum_from) { d.x[i] = (D)sum_from((sum_type)c.x[i]); });
}
// satf: sums saturate. Otherwise they wrap.
template <int m, int n, int k, typename T, typename LayoutA, typename LayoutB,
          typename = std::enable_if_t<gputest_cuda_details::is_integer<T>()>>
static __device__ __forceinline__ void
mma_sync(fragment<accumulator, m, n, k, int>& d, const fragment<matrix_a, m, n, k, T, LayoutA>& a,
         const fragment<matrix_b, m, n, k, T, LayoutB>& b, const fragment<accumulator, m, n, k, int>& c, bool satf = false) {
  gputest_cuda_details::multiply<int>(a, b, [&](int i, auto&& sum_from) {
    const long long sum = (long long)c.x[i] + sum_from(0);
    d.x[i] = satf && sum > 2147483647 ? 2147483647 : satf && sum < -2147483647 - 1 ? -2147483647 - 1 : (int)sum;
  });
}

// Counts the bits that are set in only one of a row and a column (XOR), or in both (AND).
static __device__ __forceinline__ void
bmma_sync(fragment<accumulator, 8, 8, 128, int>& d,
          const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major>& a,
          const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major>& b,
          const fragment<accumulator, 8, 8, 128, int>& c, experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
          experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  using threads = gputest_cuda_details::threads<8, 8>;
  for (int row = 0; row < threads::height; ++row)
    for (int column = 0; column < threads::width; ++column) {
      int count = c.x[row * threads::width + column];
      for (int i = 0; i < 4; ++i) {
        const unsigned of_a = a.x[row * 4 + i], of_b = b.x[column * 4 + i];
        count += __popc(op == experimental::bmmaBitOpXOR ? of_a ^ of_b : of_a & of_b);
      }
      d.x[row * threads::width + column] = count;
    }
}

} // namespace wmma
} // namespace nvcuda

#endif

#endif
