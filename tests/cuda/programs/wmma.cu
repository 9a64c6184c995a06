// Matrices of a warp: every type and shape, beside a plain product.
#include "check.h"

#include <cmath>
#include <cstdint>
#include <mma.h>
#include <random>
#include <type_traits>
#include <vector>

namespace wmma = nvcuda::wmma;
using wmma::experimental::precision::b1;
using wmma::experimental::precision::s4;
using wmma::experimental::precision::u4;
using wmma::precision::tf32;

// A tile whose matrices lie in larger ones.
template <int m, int n, int k, typename T, typename Stored, typename LayoutA, typename LayoutB, typename C, typename D>
__global__ void multiply(const Stored* a, const Stored* b, const C* c, D* d, unsigned stride_a, unsigned stride_b, unsigned stride_c, wmma::layout_t layout, bool satf) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> of_a;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> of_b;
  wmma::fragment<wmma::accumulator, m, n, k, C> of_c;
  wmma::fragment<wmma::accumulator, m, n, k, D> of_d;
  wmma::load_matrix_sync(of_a, a, stride_a);
  wmma::load_matrix_sync(of_b, b, stride_b);
  wmma::load_matrix_sync(of_c, c, stride_c, layout);
  if constexpr (std::is_same_v<D, int>)
    wmma::mma_sync(of_d, of_a, of_b, of_c, satf);
  else
    wmma::mma_sync(of_d, of_a, of_b, of_c);
  wmma::store_matrix_sync(d, of_d, stride_c, layout);
}

static std::mt19937 generator(42); // NOLINT

static double number(int bits, bool is_signed) {
  const int range = 1 << bits;
  return std::uniform_int_distribution<int>(is_signed ? -range / 2 : 0, is_signed ? range / 2 - 1 : range - 1)(generator);
}

template <typename T> struct Numbers { // those of a matrix in memory
  using Stored = T;
  static constexpr int bits = 8 * sizeof(T);
  static double next() {
    if constexpr (bits == 8)
      return number(8, T(-1) < 0);
    return number(7, true) / 8;
  }
  static void put(std::vector<Stored>& to, std::size_t i, double x) { to[i] = Stored(static_cast<std::conditional_t<std::is_integral_v<Stored>, int, Stored>>(x)); }
};
template <> struct Numbers<tf32> : Numbers<float> {
  static void put(std::vector<float>& to, std::size_t i, double x) { to[i] = static_cast<float>(x) * (1 + 1.f / 4096); } // the last bits are not looked at
};
template <bool is_signed> struct Fours {
  using Stored = std::conditional_t<is_signed, int, unsigned>;
  static constexpr int bits = 4;
  static double next() { return number(4, is_signed); }
  static void put(std::vector<Stored>& to, std::size_t i, double x) {
    to[i / 8] = static_cast<Stored>((static_cast<unsigned>(to[i / 8]) & ~(15U << i % 8 * 4)) | (static_cast<unsigned>(static_cast<int>(x)) & 15) << i % 8 * 4);
  }
};
template <> struct Numbers<s4> : Fours<true> {};
template <> struct Numbers<u4> : Fours<false> {};

template <typename T> T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  cudaMalloc(&memory, values.size() * sizeof(T));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

// The products are exact, and the sums are where `D` has room for them.
template <int m, int n, int k, typename T, typename LayoutA, typename LayoutB, typename C, typename D> void test(wmma::layout_t layout, bool satf = false) {
  using N = Numbers<T>;
  constexpr bool a_rows = std::is_same_v<LayoutA, wmma::row_major>, b_rows = std::is_same_v<LayoutB, wmma::row_major>;
  const bool c_rows = layout == wmma::mem_row_major;
  const unsigned stride_a = (a_rows ? k : m) + 32, stride_b = (b_rows ? n : k) + 32, stride_c = (c_rows ? n : m) + 8;
  const std::size_t size = 96 * 96;
  std::vector<typename N::Stored> a(size), b(size);
  std::vector<C> c(size);
  std::vector<D> d(size, D(77));
  std::vector<double> values_a(m * k), values_b(k * n), values_c(m * n);
  for (int row = 0; row < m; ++row)
    for (int i = 0; i < k; ++i)
      N::put(a, a_rows ? row * stride_a + i : i * stride_a + row, values_a[row * k + i] = N::next());
  for (int i = 0; i < k; ++i)
    for (int column = 0; column < n; ++column)
      N::put(b, b_rows ? i * stride_b + column : column * stride_b + i, values_b[i * n + column] = N::next());
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column)
      c[c_rows ? row * stride_c + column : column * stride_c + row] = C(static_cast<float>(values_c[row * n + column] = number(8, true)));
  auto *da = on_device(a), *db = on_device(b);
  auto* dc = on_device(c);
  auto* dd = on_device(d);
  multiply<m, n, k, T, typename N::Stored, LayoutA, LayoutB, C, D><<<1, dim3(8, 4)>>>(da, db, dc, dd, stride_a, stride_b, stride_c, layout, satf);
  EXPECT(cudaMemcpy(d.data(), dd, size * sizeof(D), cudaMemcpyDeviceToHost) == cudaSuccess);
  int differ = 0;
  std::vector<bool> written(size);
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      double sum = values_c[row * n + column];
      for (int i = 0; i < k; ++i)
        sum += values_a[row * k + i] * values_b[i * n + column];
      const std::size_t at = c_rows ? row * stride_c + column : column * stride_c + row;
      written[at] = true;
      differ += static_cast<double>(d[at]) != static_cast<double>(D(static_cast<float>(sum)));
    }
  for (std::size_t i = 0; i < size; ++i)
    differ += !written[i] && static_cast<float>(d[i]) != 77;
  EXPECT(differ == 0);
  for (void* memory : {(void*)da, (void*)db, (void*)dc, (void*)dd})
    cudaFree(memory);
}

using Row = wmma::row_major;
using Col = wmma::col_major;

__global__ void bits(const unsigned* a, const unsigned* b, int* d, wmma::experimental::bmmaBitOp op) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, b1, Row> of_a;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, b1, Col> of_b;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> of_c;
  wmma::load_matrix_sync(of_a, a, 128);
  wmma::load_matrix_sync(of_b, b, 128);
  wmma::fill_fragment(of_c, 1000);
  wmma::bmma_sync(of_c, of_a, of_b, of_c, op);
  wmma::store_matrix_sync(d, of_c, 8, wmma::mem_row_major);
}
static void test_bits() {
  std::vector<unsigned> a(32), b(32);
  for (unsigned i = 0; i < 32; ++i)
    a[i] = generator(), b[i] = generator();
  std::vector<int> d(64);
  unsigned *da = on_device(a), *db = on_device(b);
  int* dd = on_device(d);
  for (const auto op : {wmma::experimental::bmmaBitOpXOR, wmma::experimental::bmmaBitOpAND}) {
    bits<<<1, 32>>>(da, db, dd, op);
    EXPECT(cudaMemcpy(d.data(), dd, sizeof(int) * 64, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 0; i < 64; ++i) {
      int count = 1000;
      for (int word = 0; word < 4; ++word) {
        const unsigned x = a[i / 8 * 4 + word], y = b[i % 8 * 4 + word];
        count += __builtin_popcount(op == wmma::experimental::bmmaBitOpXOR ? x ^ y : x & y);
      }
      EXPECT(d[i] == count);
    }
  }
}

// Sums that go beyond: integers go round, or stay the largest.
__global__ void large(int* integers, float* floats, bool satf) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, Row> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, Col> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
  wmma::fill_fragment(a, 127);
  wmma::fill_fragment(b, 127);
  wmma::fill_fragment(c, 2147483000);
  wmma::mma_sync(c, a, b, c, satf);
  wmma::store_matrix_sync(integers, c, 16, wmma::mem_row_major);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, Row> x;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, Row> y;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> z;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fill_fragment(x, 100.f);
  wmma::fill_fragment(y, 100.f);
  wmma::fill_fragment(z, 0.f);
  wmma::mma_sync(z, x, y, z); // 160000 is no half
  for (int i = 0; i < z.num_elements; ++i)
    sums.x[i] = z.x[i]; // accumulators of one shape are alike
  wmma::store_matrix_sync(floats, sums, 16, wmma::mem_col_major);
}
__global__ void rounded(float* x) {
  x[threadIdx.x] = wmma::__float_to_tf32(x[threadIdx.x]);
}

static_assert(wmma::fragment<wmma::accumulator, 16, 16, 16, float>::num_elements == 8);
static_assert(std::is_same_v<wmma::fragment<wmma::matrix_a, 16, 16, 8, tf32, Row>::storage_element_type, float>);
static_assert(std::is_same_v<wmma::fragment<wmma::matrix_a, 8, 8, 32, s4, Row>::element_type, s4>);

int main() {
  test<16, 16, 16, half, Col, Row, half, half>(wmma::mem_col_major);
  test<32, 8, 16, half, Row, Col, float, half>(wmma::mem_row_major);
  test<8, 32, 16, __nv_bfloat16, Col, Col, float, float>(wmma::mem_col_major);
  test<32, 8, 16, signed char, Col, Row, int, int>(wmma::mem_row_major);
  test<16, 16, 16, unsigned char, Row, Col, int, int>(wmma::mem_col_major, true);
  test<16, 16, 8, tf32, Row, Row, float, float>(wmma::mem_row_major);
  test<8, 8, 4, double, Col, Row, double, double>(wmma::mem_col_major);
  test<8, 8, 32, s4, Row, Col, int, int>(wmma::mem_row_major);
  test<8, 8, 32, u4, Row, Col, int, int>(wmma::mem_col_major);
  test_bits();
  Device<int> integers(256);
  Device<float> floats(256);
  large<<<1, 32>>>(integers.data, floats.data, false);
  EXPECT(integers[0] == static_cast<int>(2147483000U + 16 * 127 * 127) && std::isinf(floats[255]));
  large<<<1, 32>>>(integers.data, floats.data, true);
  EXPECT(integers[255] == 2147483647);
  const float given[] = {1.f + 1.f / 2048, 1.f + 1.f / 1024, -1.f - 1.f / 2048, 1.f + 1.f / 4096};
  Device<float> numbers(4, given);
  rounded<<<1, 4>>>(numbers.data);
  EXPECT(numbers[0] == 1.f + 1.f / 1024 && numbers[1] == given[1] && numbers[2] == -1.f - 1.f / 1024 && numbers[3] == 1);
  return wrong;
}
