// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs say to, and hear from, the functions that have Jacobi's methods in cuSOLVER. LAPACK
// has others here, which find the same values.
#pragma once

#include "cuda/libraries/solver/call.h"

#include <cmath>
#include <complex>
#include <memory>

namespace gputest::cuda::libraries::solver {

struct Outcome {
  double residual = 0, sweeps = 1;
  bool is_of_batch = false; // nothing is told of batches
};
struct Jacobi {
  std::shared_ptr<Outcome> outcome = std::make_shared<Outcome>(); // work may wait longer than this
};

inline std::shared_ptr<Outcome> outcome_of(const Jacobi* params, bool is_of_batch) {
  if (!params)
    return nullptr; // the call is refused
  params->outcome->is_of_batch = is_of_batch;
  return params->outcome;
}

template <typename N> std::complex<double> wide(N x) {
  if constexpr (std::is_arithmetic_v<N>)
    return {static_cast<double>(x), 0};
  else
    return {static_cast<double>(x.real()), static_cast<double>(x.imag())};
}

template <typename N> N conjugate(N x) {
  if constexpr (std::is_arithmetic_v<N>)
    return x;
  else
    return std::conj(x);
}

// Returns |A V - U S|, where A has m rows and n columns, and U and V have k columns. `entry`: A's.
template <typename N, typename R, typename F>
double residual(int m, int n, int k, F entry, const N* u, const R* s, const N* v) {
  double sum = 0;
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < m; ++i) {
      std::complex<double> difference =
          -wide(u[i + std::ptrdiff_t{j} * m]) * static_cast<double>(s[j]);
      for (int l = 0; l < n; ++l)
        difference += entry(i, l) * wide(v[l + std::ptrdiff_t{j} * n]);
      sum += std::norm(difference);
    }
  return std::sqrt(sum);
}

} // namespace gputest::cuda::libraries::solver

struct syevjInfo : gputest::cuda::libraries::solver::Jacobi {};
struct gesvdjInfo : gputest::cuda::libraries::solver::Jacobi {};
