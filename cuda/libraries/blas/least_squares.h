// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of QR factorisations, least squares and small inverses of cuBLAS, for all types.
#pragma once

#include "cuda/libraries/blas/loops.h"

namespace gputest::cuda::libraries::blas {

// A column of a matrix below row k as a reflection I - tau v v^H, where v(k) is 1, as LAPACK has it
// (LAPACK Users' Guide, Orthogonal Factorizations). `below`: m - k - 1 elements.
template <typename N> N reflection(N& diagonal, N* below, int count) {
  auto norm = std::abs(diagonal) * 0;
  for (int i = 0; i < count; ++i)
    norm = std::hypot(norm, std::abs(below[i]));
  if (norm == 0 && std::imag(diagonal) == 0)
    return N{};
  auto beta = std::hypot(std::abs(diagonal), norm);
  if (std::real(diagonal) > 0)
    beta = -beta;
  const N tau = (beta - diagonal) / beta;
  for (int i = 0; i < count; ++i)
    below[i] /= diagonal - beta;
  diagonal = beta;
  return tau;
}

// Applies the adjoint of the reflection to a column from row k on.
template <typename N> void reflect(const N* below, N tau, int count, N* column) {
  N sum = column[0];
  for (int i = 0; i < count; ++i)
    sum += conjugate(below[i]) * column[i + 1];
  sum *= conjugate(tau);
  column[0] -= sum;
  for (int i = 0; i < count; ++i)
    column[i + 1] -= below[i] * sum;
}

// The QR factorisation of an m by n matrix in place, whose reflections go to `more` as well, a
// matrix of `columns` columns.
template <typename N>
void factorise_qr(int m, int n, N* a, int lda, N* tau, N* more, int ld_more, int columns) {
  for (int k = 0; k < std::min(m, n); ++k) {
    N* const diagonal = a + k + std::ptrdiff_t{k} * lda;
    const int count = m - k - 1;
    tau[k] = reflection(*diagonal, diagonal + 1, count);
    for (int j = k + 1; j < n; ++j)
      reflect(diagonal + 1, tau[k], count, a + k + std::ptrdiff_t{j} * lda);
    for (int j = 0; j < columns; ++j)
      reflect(diagonal + 1, tau[k], count, more + k + std::ptrdiff_t{j} * ld_more);
  }
}

// `info`: of the host.
template <typename T>
cublasStatus_t factorise_qr(Call call, int m, int n, T* const* A, int lda, T* const* tau, int* info,
                            int count) {
  const int wrong = m < 0 ? -1 : n < 0 ? -2 : lda < std::max(1, m) ? -4 : count < 0 ? -7 : 0;
  call.require(info && wrong == 0);
  if (info)
    *info = wrong;
  const Batch<T> of_a(call, "Aarray", A, count), of_tau(call, "TauArray", tau, count);
  call.find_more([=](std::vector<Operand>& operands) {
    for (int i = 0; i < count; ++i) {
      operands.push_back(updated(matrix_of(of_a.name(i), of_a[i], m, n, lda, sizeof(T))));
      operands.push_back(
          written(vector_of(of_tau.name(i), of_tau[i], std::min(m, n), 1, sizeof(T))));
    }
  });
  return call.run(count > 0 && m > 0 && n > 0, [=] {
    for (int b = 0; b < count; ++b)
      factorise_qr(m, n, numbers(of_a[b]), lda, numbers(of_tau[b]), numbers(of_a[b]), lda, 0);
  });
}

// Least squares of at least as many equations as unknowns. `info`: of the host; `of_each`: of the
// device, or null.
template <typename T>
cublasStatus_t least_squares(Call call, cublasOperation_t op, int m, int n, int columns,
                             T* const* A, int lda, T* const* C, int ldc, int* info, int* of_each,
                             int count) {
  const int wrong = m < 0                       ? -2
                    : n < 0                     ? -3
                    : columns < 0               ? -4
                    : lda < std::max(1, m)      ? -6
                    : ldc < std::max({1, m, n}) ? -8
                    : count < 0                 ? -11
                                                : 0;
  call.require(info && wrong == 0);
  call.unsupported(op != CUBLAS_OP_N || m < n);
  if (info)
    *info = wrong;
  const Batch<T> of_a(call, "Aarray", A, count), of_c(call, "Carray", C, count);
  if (of_each)
    call.add(written(vector_of("devInfoArray", of_each, std::max(0, count), 1, sizeof(int))));
  call.find_more([=](std::vector<Operand>& operands) {
    for (int i = 0; i < count; ++i) {
      operands.push_back(updated(matrix_of(of_a.name(i), of_a[i], m, n, lda, sizeof(T))));
      operands.push_back(updated(matrix_of(of_c.name(i), of_c[i], m, columns, ldc, sizeof(T))));
    }
  });
  return call.run(count > 0 && m > 0 && n > 0, [=] {
    std::vector<Number<T>> tau(static_cast<std::size_t>(n));
    for (int b = 0; b < count; ++b) {
      auto *const a = numbers(of_a[b]), *const c = numbers(of_c[b]);
      factorise_qr(m, n, a, lda, tau.data(), c, ldc, columns);
      int singular = 0;
      for (int i = n - 1; i >= 0; --i)
        if (a[i + std::ptrdiff_t{i} * lda] == Number<T>{})
          singular = i + 1;
      if (of_each)
        at(of_each)[b] = singular;
      for (int j = 0; j < columns && singular == 0; ++j) {
        auto* const x = c + std::ptrdiff_t{j} * ldc;
        for (int i = n - 1; i >= 0; --i) {
          for (int k = i + 1; k < n; ++k)
            x[i] -= a[i + std::ptrdiff_t{k} * lda] * x[k];
          x[i] /= a[i + std::ptrdiff_t{i} * lda];
        }
      }
    }
  });
}

// Inverses of matrices of at most 32 rows, by elimination with pivots.
template <typename T>
cublasStatus_t invert_small(Call call, int n, const T* const* A, int lda, T* const* inverses,
                            int ld, int* info, int count) {
  constexpr int kMost = 32;
  call.require(n >= 0 && n <= kMost && lda >= std::max(1, n) && ld >= std::max(1, n) &&
               count >= 0 && info);
  const Batch<T> of_a(call, "A", A, count), of_inverses(call, "Ainv", inverses, count);
  call.add(written(vector_of("info", info, std::max(0, count), 1, sizeof(int))));
  call.find_more([=](std::vector<Operand>& operands) {
    for (int i = 0; i < count; ++i) {
      operands.push_back(read(matrix_of(of_a.name(i), of_a[i], n, n, lda, sizeof(T))));
      operands.push_back(
          written(matrix_of(of_inverses.name(i), of_inverses[i], n, n, ld, sizeof(T))));
    }
  });
  return call.run(count > 0, [=] {
    std::vector<int> pivots(static_cast<std::size_t>(n));
    for (int b = 0; b < count; ++b) {
      std::vector<Number<T>> factors(static_cast<std::size_t>(n) * n);
      copy_columns<Number<T>>(numbers(of_a[b]), lda, factors.data(), n, n, n);
      at(info)[b] = factorise_one(n, factors.data(), n, pivots.data());
      for (int j = 0; j < n && at(info)[b] == 0; ++j) {
        auto* const column = numbers(of_inverses[b]) + std::ptrdiff_t{j} * ld;
        std::fill_n(column, n, Number<T>{});
        column[j] = 1;
        solve_one(CUBLAS_OP_N, n, factors.data(), n, pivots.data(), column);
      }
    }
  });
}

} // namespace gputest::cuda::libraries::blas
