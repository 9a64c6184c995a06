// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of cuBLAS that CBLAS does not have, for all types.
#pragma once

#include "cuda/libraries/blas/products.h"

#include <array>
#include <cmath>
#include <optional>

namespace gputest::cuda::libraries::blas {

// Element i of a vector of n; with a negative increment, the first one is at the end.
template <typename T> T& element(T* x, int n, int increment, int i) {
  const std::ptrdiff_t index = increment >= 0 ? i : i - (n - 1);
  return x[index * increment];
}

template <typename T, typename R, typename S>
cublasStatus_t rotate(Call call, int n, T* x, int incx, T* y, int incy, const R* c, const S* s) {
  const Scalar<R> cosine = call.scalar("c", c);
  const Scalar<S> sine = call.scalar("s", s);
  call.add(updated(vector_of("x", x, n, incx, sizeof(T))));
  call.add(updated(vector_of("y", y, n, incy, sizeof(T))));
  return call.run(n > 0, [=] {
    auto *const xs = numbers(x), *const ys = numbers(y);
    const R factor = cosine();
    const S of_sine = sine();
    const auto by = *reinterpret_cast<const Number<S>*>(&of_sine);
    for (int i = 0; i < n; ++i) {
      auto &a = element(xs, n, incx, i), &b = element(ys, n, incy, i);
      const auto rotated = factor * a + by * b;
      b = factor * b - conjugate(by) * a;
      a = rotated;
    }
  });
}

// What `asum` adds of a number, and `amax` compares.
auto size_in_sums(const auto& number) {
  return std::abs(std::real(number)) + std::abs(std::imag(number));
}

// OpenBLAS 0.3.21 gives a wrong sum of complex floats on processors with AVX512_BF16.
template <typename T, typename R>
cublasStatus_t sum_of_sizes(Call call, int n, const T* x, int incx, R* result) {
  call.add(read(vector_of("x", x, n, incx, sizeof(T))));
  call.result("result", result);
  return call.run(true, [=] {
    const auto* const xs = numbers(x);
    double sum = 0;
    for (int i = 0; i < n && incx > 0; ++i)
      sum += size_in_sums(element(xs, n, incx, i));
    *at(result) = static_cast<R>(sum);
  });
}

// The number, from 1 on, of the first element with the most or least |re| + |im|.
template <typename T, typename Better>
cublasStatus_t extreme(Call call, int n, const T* x, int incx, int* result, Better better) {
  call.add(read(vector_of("x", x, n, incx, sizeof(T))));
  call.result("result", result);
  return call.run(true, [=] {
    const auto* const xs = numbers(x);
    const auto size_of = [&](int i) { return size_in_sums(element(xs, n, incx, i)); };
    int found = 0;
    for (int i = 1; i < n && incx > 0; ++i)
      if (better(size_of(i), size_of(found)))
        found = i;
    *at(result) = n > 0 && incx > 0 ? found + 1 : 0;
  });
}

template <typename T>
void times_symmetric(cublasFillMode_t uplo, int n, const T& alpha, const T* A, int lda, const T* x,
                     int incx, const T& beta, T* y, int incy) {
  const auto *const as = numbers(A), *const xs = numbers(x);
  auto* const ys = numbers(y);
  const auto a = *reinterpret_cast<const Number<T>*>(&alpha),
             b = *reinterpret_cast<const Number<T>*>(&beta);
  for (int i = 0; i < n; ++i) {
    Number<T> sum{};
    for (int j = 0; j < n; ++j) {
      const bool is_there = is_upper(uplo) ? i <= j : i >= j;
      sum += as[is_there ? i + std::ptrdiff_t{j} * lda : j + std::ptrdiff_t{i} * lda] *
             element(xs, n, incx, j);
    }
    auto& result = element(ys, n, incy, i);
    result = b == Number<T>{} ? a * sum : a * sum + b * result;
  }
}

// Adds alpha * x * y^T, and unless `once` alpha * y * x^T, to a triangle of A.
template <typename T>
void add_products(cublasFillMode_t uplo, int n, const T& alpha, const T* x, int incx, const T* y,
                  int incy, T* A, int lda, bool once) {
  const auto *const xs = numbers(x), *const ys = numbers(y);
  auto* const as = numbers(A);
  const auto a = *reinterpret_cast<const Number<T>*>(&alpha);
  for (int j = 0; j < n; ++j)
    for (int i = is_upper(uplo) ? 0 : j; i < (is_upper(uplo) ? j + 1 : n); ++i) {
      auto sum = element(xs, n, incx, i) * element(ys, n, incy, j);
      if (!once)
        sum += element(ys, n, incy, i) * element(xs, n, incx, j);
      as[i + std::ptrdiff_t{j} * lda] += a * sum;
    }
}

template <typename T>
void copy_columns(const T* from, int from_ld, T* to, int to_ld, int rows, int columns) {
  for (int j = 0; j < columns; ++j)
    std::copy_n(from + std::ptrdiff_t{j} * from_ld, rows, to + std::ptrdiff_t{j} * to_ld);
}

// Sets a triangle of C to that of `whole`, an n by n matrix, plus beta * C.
template <typename T, typename F>
void add_triangle(cublasFillMode_t uplo, int n, const T* whole, const F& beta, T* C, int ldc) {
  const auto* const from = reinterpret_cast<const Number<T>*>(whole);
  auto* const to = numbers(C);
  const auto b = *reinterpret_cast<const Number<F>*>(&beta);
  for (int j = 0; j < n; ++j)
    for (int i = is_upper(uplo) ? 0 : j; i < (is_upper(uplo) ? j + 1 : n); ++i) {
      auto& result = to[i + std::ptrdiff_t{j} * ldc];
      const auto& sum = from[i + std::ptrdiff_t{j} * n];
      result = b == Number<F>{} ? sum : sum + b * result;
      if constexpr (!std::is_same_v<Number<T>, Number<F>>) // Hermitian
        if (i == j)
          result = std::real(result);
    }
}

// Element (i, j) of op(A).
template <typename N>
N transposed(const N* matrix, cublasOperation_t op, int ld, std::ptrdiff_t i, std::ptrdiff_t j) {
  const N value = op == CUBLAS_OP_N ? matrix[i + j * ld] : matrix[j + i * ld];
  return op == CUBLAS_OP_C ? conjugate(value) : value;
}

template <typename T>
cublasStatus_t add_matrices(Call call, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, const T* alpha, const T* A, int lda, const T* beta, const T* B,
                            int ldb, T* C, int ldc) {
  const auto rows = [=](cublasOperation_t op) { return op == CUBLAS_OP_N ? m : n; };
  call.require(is_valid(transa) && is_valid(transb) && m >= 0 && n >= 0 &&
               lda >= std::max(1, rows(transa)) && ldb >= std::max(1, rows(transb)) &&
               ldc >= std::max(1, m));
  // In place only as it is.
  call.require((C != A || (transa == CUBLAS_OP_N && ldc == lda)) &&
               (C != B || (transb == CUBLAS_OP_N && ldc == ldb)));
  const Scalar<T> a = call.scalar("alpha", alpha), b = call.scalar("beta", beta);
  if (!a.is_known_zero())
    call.add(read(matrix_of("A", A, rows(transa), m + n - rows(transa), lda, sizeof(T))));
  if (!b.is_known_zero())
    call.add(read(matrix_of("B", B, rows(transb), m + n - rows(transb), ldb, sizeof(T))));
  call.add(written(matrix_of("C", C, m, n, ldc, sizeof(T))));
  return call.run(m > 0 && n > 0, [=] {
    const T of_a = a(), of_b = b();
    const auto by_a = *reinterpret_cast<const Number<T>*>(&of_a),
               by_b = *reinterpret_cast<const Number<T>*>(&of_b);
    const auto *const as = numbers(A), *const bs = numbers(B);
    auto* const to = numbers(C);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        Number<T> sum{};
        if (by_a != Number<T>{})
          sum += by_a * transposed(as, transa, lda, i, j);
        if (by_b != Number<T>{})
          sum += by_b * transposed(bs, transb, ldb, i, j);
        to[i + std::ptrdiff_t{j} * ldc] = sum;
      }
  });
}

template <typename T>
cublasStatus_t times_diagonal(Call call, cublasSideMode_t side, int m, int n, const T* A, int lda,
                              const T* x, int incx, T* C, int ldc) {
  call.require(is_valid(side) && m >= 0 && n >= 0 && lda >= std::max(1, m) &&
               ldc >= std::max(1, m));
  const int count = side == CUBLAS_SIDE_LEFT ? m : n;
  call.add(read(matrix_of("A", A, m, n, lda, sizeof(T))));
  call.add(read(vector_of("x", x, count, incx, sizeof(T))));
  call.add(written(matrix_of("C", C, m, n, ldc, sizeof(T))));
  return call.run(m > 0 && n > 0, [=] {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        numbers(C)[i + std::ptrdiff_t{j} * ldc] =
            numbers(A)[i + std::ptrdiff_t{j} * lda] *
            element(numbers(x), count, incx, side == CUBLAS_SIDE_LEFT ? i : j);
  });
}

// LU factorisation in place, with partial pivoting unless `pivots` is null. Returns the number,
// from 1 on, of the first pivot that is 0, or 0.
template <typename N> int factorise_one(int n, N* a, int lda, int* pivots) {
  const auto entry = [&](int i, int j) -> N& { return a[i + std::ptrdiff_t{j} * lda]; };
  const auto size = [&](int i, int j) {
    return std::abs(std::real(entry(i, j))) + std::abs(std::imag(entry(i, j)));
  };
  int info = 0;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; pivots && i < n; ++i)
      if (size(i, k) > size(pivot, k))
        pivot = i;
    if (pivots)
      pivots[k] = pivot + 1;
    for (int j = 0; j < n && pivot != k; ++j)
      std::swap(entry(k, j), entry(pivot, j));
    if (entry(k, k) == N{}) {
      info = info == 0 ? k + 1 : info;
      continue;
    }
    for (int i = k + 1; i < n; ++i) {
      entry(i, k) /= entry(k, k);
      for (int j = k + 1; j < n; ++j)
        entry(i, j) -= entry(i, k) * entry(k, j);
    }
  }
  return info;
}

// The same of a batch.
template <typename T>
cublasStatus_t factorise(Call call, int n, T* const* A, int lda, int* pivots, int* info,
                         int count) {
  call.require(n >= 0 && lda >= std::max(1, n) && count >= 0 && info);
  const Batch<T> of_a(call, "A", A, count);
  if (pivots)
    call.add(written(vector_of("P", pivots, std::int64_t{n} * count, 1, sizeof(int))));
  call.add(written(vector_of("info", info, count, 1, sizeof(int))));
  call.find_more([=](std::vector<Operand>& operands) {
    for (int i = 0; i < count; ++i)
      operands.push_back(updated(matrix_of(of_a.name(i), of_a[i], n, n, lda, sizeof(T))));
  });
  return call.run(count > 0, [=] {
    for (int b = 0; b < count; ++b)
      at(info)[b] = factorise_one(n, numbers(of_a[b]), lda,
                                  pivots ? at(pivots) + std::ptrdiff_t{b} * n : nullptr);
  });
}

// Solves op(A) x = b in place, with A as factorise() has left it. `pivots`: those of A, or null.
template <typename N>
void solve_one(cublasOperation_t op, int n, const N* a, int lda, const int* pivots, N* x) {
  const auto entry = [&](int i, int j) { return transposed(a, op, lda, i, j); };
  const auto exchange = [&](int k) {
    if (pivots && pivots[k] - 1 != k)
      std::swap(x[k], x[pivots[k] - 1]);
  };
  const bool is_plain = op == CUBLAS_OP_N; // else the upper triangle comes first, as a lower one
  for (int k = 0; is_plain && k < n; ++k)
    exchange(k);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j)
      x[i] -= entry(i, j) * x[j];
    if (!is_plain)
      x[i] /= entry(i, i);
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j)
      x[i] -= entry(i, j) * x[j];
    if (is_plain)
      x[i] /= entry(i, i);
  }
  for (int k = n - 1; !is_plain && k >= 0; --k)
    exchange(k);
}

template <typename T>
cublasStatus_t invert(Call call, int n, const T* const* A, int lda, const int* pivots, T* const* C,
                      int ldc, int* info, int count) {
  call.require(n >= 0 && lda >= std::max(1, n) && ldc >= std::max(1, n) && count >= 0 && info);
  const Batch<T> of_a(call, "A", A, count), of_c(call, "C", C, count);
  if (pivots)
    call.add(read(vector_of("P", pivots, std::int64_t{n} * count, 1, sizeof(int))));
  call.add(written(vector_of("info", info, count, 1, sizeof(int))));
  call.find_more([=](std::vector<Operand>& operands) {
    for (int i = 0; i < count; ++i) {
      operands.push_back(read(matrix_of(of_a.name(i), of_a[i], n, n, lda, sizeof(T))));
      operands.push_back(written(matrix_of(of_c.name(i), of_c[i], n, n, ldc, sizeof(T))));
    }
  });
  return call.run(count > 0, [=] {
    for (int b = 0; b < count; ++b) {
      const auto* const a = numbers(of_a[b]);
      at(info)[b] = 0;
      for (int i = n - 1; i >= 0; --i)
        if (a[i + std::ptrdiff_t{i} * lda] == Number<T>{})
          at(info)[b] = i + 1;
      for (int j = 0; j < n && at(info)[b] == 0; ++j) {
        auto* const column = numbers(of_c[b]) + std::ptrdiff_t{j} * ldc;
        std::fill_n(column, n, Number<T>{});
        column[j] = 1;
        solve_one(CUBLAS_OP_N, n, a, lda, pivots ? at(pivots) + std::ptrdiff_t{b} * n : nullptr,
                  column);
      }
    }
  });
}

// `info`: of the host.
template <typename T>
cublasStatus_t solve(Call call, cublasOperation_t op, int n, int columns, const T* const* A,
                     int lda, const int* pivots, T* const* B, int ldb, int* info, int count) {
  const bool is_right = is_valid(op) && n >= 0 && columns >= 0 && lda >= std::max(1, n) &&
                        ldb >= std::max(1, n) && count >= 0;
  call.require(is_right && info);
  if (info)
    *info = is_right ? 0 : -1;
  const Batch<T> of_a(call, "Aarray", A, count), of_b(call, "Barray", B, count);
  if (pivots)
    call.add(read(vector_of("devIpiv", pivots, std::int64_t{n} * count, 1, sizeof(int))));
  call.find_more([=](std::vector<Operand>& operands) {
    for (int i = 0; i < count; ++i) {
      operands.push_back(read(matrix_of(of_a.name(i), of_a[i], n, n, lda, sizeof(T))));
      operands.push_back(updated(matrix_of(of_b.name(i), of_b[i], n, columns, ldb, sizeof(T))));
    }
  });
  return call.run(count > 0 && n > 0 && columns > 0, [=] {
    for (int b = 0; b < count; ++b)
      for (int j = 0; j < columns; ++j)
        solve_one(op, n, numbers(of_a[b]), lda,
                  pivots ? at(pivots) + std::ptrdiff_t{b} * n : nullptr,
                  numbers(of_b[b]) + std::ptrdiff_t{j} * ldb);
  });
}

} // namespace gputest::cuda::libraries::blas
