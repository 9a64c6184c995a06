// Dense and sparse matrices of the host and the device. Plain CUDA: nvcc compiles it as well.
#pragma once

#include <cusparse.h>

#include "numbers.h"

#define PASSES(call) EXPECT((call) == CUSPARSE_STATUS_SUCCESS)

template <typename N> struct TypeOf;
template <> struct TypeOf<float> {
  static constexpr cudaDataType value = CUDA_R_32F;
};
template <> struct TypeOf<double> {
  static constexpr cudaDataType value = CUDA_R_64F;
};
template <> struct TypeOf<std::complex<double>> {
  static constexpr cudaDataType value = CUDA_C_64F;
};

// A matrix of the host, about a third of which is not zero, row by row.
template <typename N> struct Dense {
  int rows, cols;
  std::vector<N> values;
  Dense(int m, int n, bool random = true) : rows(m), cols(n), values(size_t(m) * n) {
    for (N& value : values)
      value = random && random_int(0, 2) == 0 ? random_number<N>() : N(0);
  }
  N& operator()(int i, int j) { return values[size_t(i) * cols + j]; }
  const N& operator()(int i, int j) const { return values[size_t(i) * cols + j]; }
};
template <typename N> Dense<N> op(const Dense<N>& a, cusparseOperation_t operation) {
  if (operation == CUSPARSE_OPERATION_NON_TRANSPOSE)
    return a;
  Dense<N> result(a.cols, a.rows, false);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.cols; ++j)
      result(j, i) =
          operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(a(i, j)) : a(i, j);
  return result;
}
template <typename N> Dense<N> product(const Dense<N>& a, const Dense<N>& b) {
  Dense<N> result(a.rows, b.cols, false);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.cols; ++j)
      for (int k = 0; k < a.cols; ++k)
        result(i, j) += a(i, k) * b(k, j);
  return result;
}

// The matrix in a sparse format, with its descriptor.
template <typename N> struct Sparse {
  std::vector<int> offsets{}, indices{};
  std::vector<N> values{};
  int base;
  Both<int> of_offsets, of_indices;
  Both<N> of_values;
  cusparseSpMatDescr_t descr = nullptr;

  Sparse(const Dense<N>& a, cusparseFormat_t format, int of_all = random_int(0, 1))
      : base(of_all), of_offsets(fill(a, format)), of_indices(indices), of_values(values) {
    const cusparseIndexBase_t of_base = base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
    const auto nnz = static_cast<int64_t>(values.size());
    if (format == CUSPARSE_FORMAT_COO)
      PASSES(cusparseCreateCoo(&descr, a.rows, a.cols, nnz, of_offsets.device, of_indices.device,
                               of_values.device, CUSPARSE_INDEX_32I, of_base, TypeOf<N>::value));
    else
      PASSES((format == CUSPARSE_FORMAT_CSR ? cusparseCreateCsr : cusparseCreateCsc)(
          &descr, a.rows, a.cols, nnz, of_offsets.device, of_indices.device, of_values.device,
          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, of_base, TypeOf<N>::value));
  }
  ~Sparse() { cusparseDestroySpMat(descr); }
  const std::vector<int>& fill(const Dense<N>& a, cusparseFormat_t format) {
    const bool by_columns = format == CUSPARSE_FORMAT_CSC;
    for (int i = 0; i < (by_columns ? a.cols : a.rows); ++i) {
      if (format != CUSPARSE_FORMAT_COO)
        offsets.push_back(int(values.size()) + base);
      for (int j = 0; j < (by_columns ? a.rows : a.cols); ++j)
        if (const N value = by_columns ? a(j, i) : a(i, j); value != N(0)) {
          if (format == CUSPARSE_FORMAT_COO)
            offsets.push_back(i + base);
          indices.push_back(j + base);
          values.push_back(value);
        }
    }
    if (format != CUSPARSE_FORMAT_COO)
      offsets.push_back(int(values.size()) + base);
    return offsets;
  }
};
// The arrays of a matrix in CSR on the host, with its elements in order, and the older descriptor.
template <typename N> struct Csr {
  std::vector<int> offsets{}, indices{};
  std::vector<N> values{};
  cusparseMatDescr_t descr = nullptr;
  Csr(const Dense<N>& a, int base) {
    for (int i = 0; i < a.rows; ++i) {
      offsets.push_back(int(values.size()) + base);
      for (int j = 0; j < a.cols; ++j)
        if (a(i, j) != N(0))
          indices.push_back(j + base), values.push_back(a(i, j));
    }
    offsets.push_back(int(values.size()) + base);
    PASSES(cusparseCreateMatDescr(&descr));
    PASSES(
        cusparseSetMatIndexBase(descr, base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO));
  }
  Csr(const Csr&) = delete;
  Csr& operator=(const Csr&) = delete;
  ~Csr() { cusparseDestroyMatDescr(descr); }
};
inline cusparseFormat_t random_format() {
  const cusparseFormat_t formats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC,
                                      CUSPARSE_FORMAT_COO};
  return formats[random_int(0, 2)];
}
template <typename N> struct DenseOnDevice {
  Dense<N> host;
  cusparseOrder_t order;
  Both<N> values;
  cusparseDnMatDescr_t descr = nullptr;
  int ld() const { return order == CUSPARSE_ORDER_ROW ? host.cols : host.rows; }
  explicit DenseOnDevice(const Dense<N>& a)
      : host(a), order(random_int(0, 1) ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL),
        values(ordered(a)) {
    PASSES(cusparseCreateDnMat(&descr, a.rows, a.cols, std::max(1, ld()), values.device,
                               TypeOf<N>::value, order));
  }
  ~DenseOnDevice() { cusparseDestroyDnMat(descr); }
  std::vector<N> ordered(const Dense<N>& a) const {
    return order == CUSPARSE_ORDER_ROW ? a.values : op(a, CUSPARSE_OPERATION_TRANSPOSE).values;
  }
};

// A buffer of the size that a function asks for.
struct Buffer {
  size_t size = 0;
  void* data = nullptr;
  void* get() {
    cudaMalloc(&data, size + 1);
    return data;
  }
  ~Buffer() { cudaFree(data); }
};
