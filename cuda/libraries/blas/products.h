// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shapes of the operands of cuBLAS's functions on matrices.
#pragma once

#include "cuda/libraries/blas/call.h"

namespace gputest::cuda::libraries::blas {

// op(A) * op(B) with m rows and n columns.
struct Product {
  cublasOperation_t transa, transb;
  int m, n, k, lda, ldb, ldc;

  bool is_valid() const {
    return blas::is_valid(transa) && blas::is_valid(transb) && m >= 0 && n >= 0 && k >= 0 &&
           lda >= std::max(1, transa == CUBLAS_OP_N ? m : k) &&
           ldb >= std::max(1, transb == CUBLAS_OP_N ? k : n) && ldc >= std::max(1, m);
  }
  Operand a(std::string name, const void* begin, std::size_t size) const {
    const bool is_plain = transa == CUBLAS_OP_N;
    return matrix_of(std::move(name), begin, is_plain ? m : k, is_plain ? k : m, lda, size);
  }
  Operand b(std::string name, const void* begin, std::size_t size) const {
    const bool is_plain = transb == CUBLAS_OP_N;
    return matrix_of(std::move(name), begin, is_plain ? k : n, is_plain ? n : k, ldb, size);
  }
  Operand c(std::string name, const void* begin, std::size_t size) const {
    return matrix_of(std::move(name), begin, m, n, ldc, size);
  }
};

// `gemm`: CBLAS's function.
template <typename Function, typename T>
void multiply(Function* gemm, const Product& product, const T& alpha, const T* A, const T* B,
              const T& beta, T* C) {
  gemm(CblasColMajor, cblas(product.transa), cblas(product.transb), product.m, product.n, product.k,
       passed(alpha), at(A), product.lda, at(B), product.ldb, passed(beta), at(C), product.ldc);
}

// A matrix of n rows and k columns, or the transposed one.
struct Factor {
  cublasOperation_t trans;
  int n, k;
  bool allows(int ld) const { return ld >= std::max(1, trans == CUBLAS_OP_N ? n : k); }
  Operand operand(const char* name, const void* begin, int ld, std::size_t size) const {
    return trans == CUBLAS_OP_N ? matrix_of(name, begin, n, k, ld, size)
                                : matrix_of(name, begin, k, n, ld, size);
  }
};

// Matrices whose addresses are in memory of the device.
template <typename T> class Batch {
public:
  template <typename U> // T, with const or without
  Batch(Call& call, const char* name, U* const* array, int count)
      : name_(name), array_(const_cast<T* const*>(reinterpret_cast<const T* const*>(array))) {
    call.require(count >= 0);
    call.add(read(vector_of(name_, array_, std::max(0, count), 1, sizeof(T*))));
  }
  T* operator[](int i) const { return at(array_)[i]; }
  std::string name(int i) const { return std::string(name_) + "[" + std::to_string(i) + "]"; }

private:
  const char* name_;
  T* const* array_;
};

// A triangle whose columns follow each other.
template <typename T> Operand packed_of(const char* name, const T* begin, int n) {
  return vector_of(name, begin, std::int64_t{n} * (n + 1) / 2, 1, sizeof(T));
}

} // namespace gputest::cuda::libraries::blas
