// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tridiagonal systems in cuSPARSE (gtsv2 and batches of them).
#include "cuda/libraries/sparse/sparse.h"

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;
using namespace gputest::cuda::libraries::sparse;

namespace {

struct Diagonals {
  std::vector<Value> below, on, above; // below[i] and above[i] are of row i
};

// Solves the systems of all right sides in place, by elimination that swaps neighbouring rows if
// `pivots`.
void solve(Diagonals a, std::vector<std::vector<Value>>& sides, bool pivots) {
  const std::size_t n = a.on.size();
  std::vector<Value> second(n); // above `above`, which a swap fills
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (pivots && std::abs(a.below[i + 1]) > std::abs(a.on[i])) {
      std::swap(a.on[i], a.below[i + 1]);
      std::swap(a.above[i], a.on[i + 1]);
      std::swap(second[i], a.above[i + 1]);
      for (std::vector<Value>& side : sides)
        std::swap(side[i], side[i + 1]);
    }
    const Value factor = a.below[i + 1] / a.on[i];
    a.on[i + 1] -= factor * a.above[i];
    a.above[i + 1] -= factor * second[i];
    for (std::vector<Value>& side : sides)
      side[i + 1] -= factor * side[i];
  }
  for (std::vector<Value>& side : sides)
    for (std::size_t i = n; i-- > 0;) {
      if (i + 1 < n)
        side[i] -= a.above[i] * side[i + 1];
      if (i + 2 < n)
        side[i] -= second[i] * side[i + 2];
      side[i] /= a.on[i];
    }
}

// Where the numbers of a system are: element i at first + i * step.
struct Layout {
  std::int64_t first, step;
};

template <typename T>
Diagonals diagonals_of(const T* below, const T* on, const T* above, int m, Layout layout) {
  Diagonals result;
  for (int i = 0; i < m; ++i) {
    const std::int64_t place = layout.first + i * layout.step;
    const auto number = [&](const T* array) {
      return Value(*reinterpret_cast<const Number<T>*>(at(array) + place));
    };
    result.below.push_back(i == 0 ? Value{} : number(below));
    result.on.push_back(number(on));
    result.above.push_back(i == m - 1 ? Value{} : number(above));
  }
  return result;
}
template <typename T> std::vector<Value> side_of(const T* x, int m, Layout layout) {
  std::vector<Value> result;
  for (int i = 0; i < m; ++i)
    result.emplace_back(
        *reinterpret_cast<const Number<T>*>(at(x) + layout.first + i * layout.step));
  return result;
}
template <typename T> void store(const std::vector<Value>& side, T* x, Layout layout) {
  std::int64_t place = layout.first;
  for (const Value value : side) {
    auto& number = *reinterpret_cast<Number<T>*>(at(x) + place);
    if constexpr (std::is_arithmetic_v<Number<T>>)
      number = static_cast<T>(value.real());
    else
      number = Number<T>(value);
    place += layout.step;
  }
}

template <typename T>
cusparseStatus_t solve_all(cusparseHandle_t handle, const char* name, int m, int n, const T* dl,
                           const T* d, const T* du, T* B, int ldb, bool pivots) {
  Call call(handle, name);
  call.require(m >= 3 && n >= 0 && ldb >= std::max(1, m));
  // The first number below and the last one above need not be there, but are in memory.
  call.add(partly_read(vector_of("dl", dl, m, 1, sizeof(T))));
  call.add(read(vector_of("d", d, m, 1, sizeof(T))));
  call.add(partly_read(vector_of("du", du, m, 1, sizeof(T))));
  call.add(updated(matrix_of("B", B, m, n, ldb, sizeof(T))));
  return call.run([=] {
    std::vector<std::vector<Value>> sides;
    for (std::int64_t j = 0; j < n; ++j)
      sides.push_back(side_of(B, m, {j * ldb, 1}));
    solve(diagonals_of(dl, d, du, m, {0, 1}), sides, pivots);
    for (std::int64_t j = 0; j < n; ++j)
      store(sides[static_cast<std::size_t>(j)], B, {j * ldb, 1});
  });
}

// Systems with one right side each; system j begins at j * stride.
template <typename T>
cusparseStatus_t solve_batch(cusparseHandle_t handle, const char* name, int m, const T* dl,
                             const T* d, const T* du, T* x, int count, std::int64_t stride,
                             std::int64_t step, bool pivots) {
  Call call(handle, name);
  call.require(m >= 3 && count >= 0);
  const std::int64_t all = count == 0 ? 0 : (count - 1) * stride + (std::int64_t{m} - 1) * step + 1;
  call.add(partly_read(vector_of("dl", dl, all, 1, sizeof(T))));
  call.add(partly_read(vector_of("d", d, all, 1, sizeof(T))));
  call.add(partly_read(vector_of("du", du, all, 1, sizeof(T))));
  Operand of_x = step == 1 ? matrix_of("x", x, m, count, stride, sizeof(T))
                           : vector_of("x", x, all, 1, sizeof(T));
  call.add(updated(std::move(of_x)));
  return call.run([=] {
    for (std::int64_t j = 0; j < count; ++j) {
      const Layout layout{j * stride, step};
      std::vector<std::vector<Value>> side{side_of(x, m, layout)};
      solve(diagonals_of(dl, d, du, m, layout), side, pivots);
      store(side.front(), x, layout);
    }
  });
}

} // namespace

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_TRIDIAGONAL(P, T)                                                                  \
  cusparseStatus_t cusparse##P##gtsv2_bufferSizeExt(cusparseHandle_t handle, int, int, const T*,   \
                                                    const T*, const T*, const T*, int,             \
                                                    size_t* size) {                                \
    return no_buffer(handle, size);                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gtsv2(cusparseHandle_t handle, int m, int n, const T* dl,          \
                                      const T* d, const T* du, T* B, int ldb, void*) {             \
    return solve_all(handle, __func__, m, n, dl, d, du, B, ldb, true);                             \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gtsv2_nopivot_bufferSizeExt(cusparseHandle_t handle, int, int,     \
                                                            const T*, const T*, const T*,          \
                                                            const T*, int, size_t* size) {         \
    return no_buffer(handle, size);                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gtsv2_nopivot(cusparseHandle_t handle, int m, int n, const T* dl,  \
                                              const T* d, const T* du, T* B, int ldb, void*) {     \
    return solve_all(handle, __func__, m, n, dl, d, du, B, ldb, false);                            \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gtsv2StridedBatch_bufferSizeExt(                                   \
      cusparseHandle_t handle, int, const T*, const T*, const T*, const T*, int, int,              \
      size_t* size) {                                                                              \
    return no_buffer(handle, size);                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gtsv2StridedBatch(cusparseHandle_t handle, int m, const T* dl,     \
                                                  const T* d, const T* du, T* x, int batchCount,   \
                                                  int batchStride, void*) {                        \
    return batchStride < m                                                                         \
               ? (handle ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED)        \
               : solve_batch(handle, __func__, m, dl, d, du, x, batchCount, batchStride, 1,        \
                             false);                                                               \
  }                                                                                                \
  cusparseStatus_t cusparse##P##gtsvInterleavedBatch_bufferSizeExt(                                \
      cusparseHandle_t handle, int, int, const T*, const T*, const T*, const T*, int,              \
      size_t* size) {                                                                              \
    return no_buffer(handle, size);                                                                \
  }                                                                                                \
  /* Algorithms: 0 is Thomas's, without pivots; 1 LU with pivots; 2 QR. */                         \
  cusparseStatus_t cusparse##P##gtsvInterleavedBatch(                                              \
      cusparseHandle_t handle, int algo, int m, T* dl, T* d, T* du, T* x, int batchCount, void*) { \
    return algo < 0 || algo > 2                                                                    \
               ? (handle ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED)        \
               : solve_batch<T>(handle, __func__, m, dl, d, du, x, batchCount, 1, batchCount,      \
                                algo != 0);                                                        \
  }
// NOLINTEND(bugprone-macro-parentheses)
GPUTEST_TRIDIAGONAL(S, float)
GPUTEST_TRIDIAGONAL(D, double)
GPUTEST_TRIDIAGONAL(C, cuComplex)
GPUTEST_TRIDIAGONAL(Z, cuDoubleComplex)
}
