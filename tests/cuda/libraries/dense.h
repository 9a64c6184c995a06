// Matrices of the host as plain values by columns, without gaps. Plain CUDA: nvcc compiles it as
// well.
#pragma once

#include <cublas_v2.h>

#include "numbers.h"

// N: a type of numbers. T_: CUDA's for it.
template <typename N_, typename T_> struct Types {
  using N = N_;
  using T = T_;
};

template <typename N> struct Dense {
  int rows, cols;
  std::vector<N> values;
  Dense(int m, int n) : rows(m), cols(n), values(size_t(m) * n) {}
  Dense(int m, int n, std::vector<N> all) : rows(m), cols(n), values(std::move(all)) {}
  N& operator()(int i, int j) { return values[size_t(j) * rows + i]; }
  const N& operator()(int i, int j) const { return values[size_t(j) * rows + i]; }
};
template <typename N, typename At> Dense<N> dense(int rows, int columns, At at) {
  Dense<N> result(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      result(i, j) = at(i, j);
  return result;
}
template <typename N> Dense<N> op(const Dense<N>& a, cublasOperation_t operation) {
  if (operation == CUBLAS_OP_N)
    return a;
  return dense<N>(a.cols, a.rows, [&](int i, int j) {
    return operation == CUBLAS_OP_C ? conjugate(a(j, i)) : a(j, i);
  });
}
template <typename N> Dense<N> product(const Dense<N>& a, const Dense<N>& b) {
  return dense<N>(a.rows, b.cols, [&](int i, int j) {
    N sum{};
    for (int k = 0; k < a.cols; ++k)
      sum += a(i, k) * b(k, j);
    return sum;
  });
}
