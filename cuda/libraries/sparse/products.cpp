// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of cuSPARSE.
#include "cuda/libraries/sparse/sparse.h"

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;
using namespace gputest::cuda::libraries::sparse;

static cusparseStatus_t multiply(cusparseHandle_t handle, const char* name, cusparseOperation_t op,
                                 const Factor& alpha, const Matrix& a, const cusparseDnVecDescr& x,
                                 const Factor& beta, const cusparseDnVecDescr& y) {
  Call call(handle, name);
  call.require(a.format != CUSPARSE_FORMAT_BLOCKED_ELL && (!is_ell(a) || is_plain(op)),
               CUSPARSE_STATUS_NOT_SUPPORTED);
  call.require(x.size == (is_plain(op) ? cols_of(a) : rows_of(a)) &&
               y.size == (is_plain(op) ? rows_of(a) : cols_of(a)));
  alpha.add_to(call.operands, "alpha");
  beta.add_to(call.operands, "beta");
  call.add_matrix("matA", a);
  call.add(read(operand_of("vecX", x)));
  add_sum(call, operand_of("vecY", y), beta);
  return call.run([=, name = call.name] {
    const void* const from = at(x.values);
    void* const to = at(y.values);
    std::vector<Value> sums(static_cast<std::size_t>(y.size));
    for (const Entry& entry : entries_of(a, op, name))
      sums[static_cast<std::size_t>(entry.row)] +=
          entry.value * complex_at(from, x.type, entry.col);
    const Value by = alpha(), of_old = beta();
    for (std::size_t i = 0; i < sums.size(); ++i)
      set_sum(to, y.type, static_cast<std::ptrdiff_t>(i), by * sums[i], of_old);
  });
}

static cusparseStatus_t multiply_dense(cusparseHandle_t handle, const char* name,
                                       cusparseOperation_t opA, cusparseOperation_t opB,
                                       const Factor& alpha, const Matrix& a,
                                       const cusparseDnMatDescr& b, const Factor& beta,
                                       const cusparseDnMatDescr& c) {
  Call call(handle, name);
  const std::int64_t m = is_plain(opA) ? rows_of(a) : cols_of(a),
                     k = is_plain(opA) ? cols_of(a) : rows_of(a);
  call.require(a.format != CUSPARSE_FORMAT_SLICED_ELLPACK &&
                   (!is_ell(a) || (is_plain(opA) && !is_complex(a.type))),
               CUSPARSE_STATUS_NOT_SUPPORTED);
  call.require(c.rows == m && (is_plain(opB) ? b.rows : b.cols) == k &&
               (is_plain(opB) ? b.cols : b.rows) == c.cols);
  alpha.add_to(call.operands, "alpha");
  beta.add_to(call.operands, "beta");
  call.add_matrix("matA", a);
  call.add(read(operand_of("matB", b)));
  add_sum(call, operand_of("matC", c), beta);
  return call.run([=, name = call.name] {
    const void* const from = at(b.values);
    void* const to = at(c.values);
    std::vector<Value> sums(static_cast<std::size_t>(c.rows * c.cols));
    for (const Entry& entry : entries_of(a, opA, name))
      for (std::int64_t j = 0; j < c.cols; ++j) {
        Value value = complex_at(
            from, b.type, is_plain(opB) ? place_in(b, entry.col, j) : place_in(b, j, entry.col));
        if (opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
          value = std::conj(value);
        sums[static_cast<std::size_t>(entry.row * c.cols + j)] += entry.value * value;
      }
    const Value by = alpha(), of_old = beta();
    for (std::int64_t i = 0; i < c.rows; ++i)
      for (std::int64_t j = 0; j < c.cols; ++j)
        set_sum(to, c.type, place_in(c, i, j), by * sums[static_cast<std::size_t>(i * c.cols + j)],
                of_old);
  });
}

static Value element_of(const cusparseDnMatDescr& matrix, cusparseOperation_t op, std::int64_t row,
                        std::int64_t col) {
  const Value value =
      complex_at(at(matrix.values), matrix.type,
                 is_plain(op) ? place_in(matrix, row, col) : place_in(matrix, col, row));
  return op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(value) : value;
}

static cusparseStatus_t multiply_sampled(cusparseHandle_t handle, const char* name,
                                         cusparseOperation_t opA, cusparseOperation_t opB,
                                         const Factor& alpha, const cusparseDnMatDescr& a,
                                         const cusparseDnMatDescr& b, const Factor& beta,
                                         const Matrix& c) {
  Call call(handle, name);
  const std::int64_t length = is_plain(opA) ? a.cols : a.rows;
  call.require(c.format == CUSPARSE_FORMAT_CSR || c.format == CUSPARSE_FORMAT_COO,
               CUSPARSE_STATUS_NOT_SUPPORTED);
  call.require((is_plain(opA) ? a.rows : a.cols) == c.rows &&
               (is_plain(opB) ? b.cols : b.rows) == c.cols &&
               (is_plain(opB) ? b.rows : b.cols) == length);
  alpha.add_to(call.operands, "alpha");
  beta.add_to(call.operands, "beta");
  call.add(read(operand_of("matA", a)));
  call.add(read(operand_of("matB", b)));
  call.add_matrix("matC", c);
  if (beta.is_known_zero())
    call.operands.back().reads = false;
  call.operands.back().writes = true;
  return call.run([=, name = call.name] {
    const std::vector<Entry> entries = entries_of(c, name);
    if (entries.size() != static_cast<std::size_t>(c.nnz)) // some are outside, which was told
      return;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      Value sum;
      for (std::int64_t k = 0; k < length; ++k)
        sum += element_of(a, opA, entries[i].row, k) * element_of(b, opB, k, entries[i].col);
      set_sum(at(c.values), c.type, static_cast<std::ptrdiff_t>(i), alpha() * sum, beta());
    }
  });
}

extern "C" {
GPUTEST_NO_BUFFER(SpMV, preprocess, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t,
                  cusparseConstDnVecDescr_t, const void*, cusparseDnVecDescr_t, cudaDataType,
                  cusparseSpMVAlg_t)
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                              const void* beta, cusparseDnVecDescr_t y, cudaDataType compute,
                              cusparseSpMVAlg_t, void*) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!a || !x || !y || !alpha || !beta)
    return CUSPARSE_STATUS_INVALID_VALUE;
  return multiply(handle, __func__, op, Factor(handle, alpha, compute), *a, *x,
                  Factor(handle, beta, compute), *y);
}
GPUTEST_NO_BUFFER(SpMM, preprocess, cusparseOperation_t, cusparseOperation_t, const void*,
                  cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void*,
                  cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t)
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA,
                              cusparseOperation_t opB, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType compute,
                              cusparseSpMMAlg_t, void*) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!a || !b || !c || !alpha || !beta)
    return CUSPARSE_STATUS_INVALID_VALUE;
  for (int i = 0; i < c->batches; ++i)
    if (const cusparseStatus_t status = multiply_dense(
            handle, __func__, opA, opB, Factor(handle, alpha, compute), batch_of(*a, i),
            batch_of(*b, i), Factor(handle, beta, compute), batch_of(*c, i)))
      return status;
  return CUSPARSE_STATUS_SUCCESS;
}
// Products of dense matrices, where the sparse one has elements.
GPUTEST_NO_BUFFER(SDDMM, preprocess, cusparseOperation_t, cusparseOperation_t, const void*,
                  cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t, const void*,
                  cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t)
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA,
                               cusparseOperation_t opB, const void* alpha,
                               cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                               cusparseSDDMMAlg_t, void*) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!a || !b || !c || !alpha || !beta)
    return CUSPARSE_STATUS_INVALID_VALUE;
  for (int i = 0; i < c->batches; ++i)
    if (const cusparseStatus_t status = multiply_sampled(
            handle, __func__, opA, opB, Factor(handle, alpha, compute), batch_of(*a, i),
            batch_of(*b, i), Factor(handle, beta, compute), batch_of(*c, i)))
      return status;
  return CUSPARSE_STATUS_SUCCESS;
}

// Sparse vectors
static std::int64_t place(const cusparseSpVecDescr& x, const void* indices, std::int64_t k) {
  return std::clamp<std::int64_t>(index_at(indices, x.index_type, k) - x.base, 0,
                                  std::max<std::int64_t>(0, x.size - 1));
}
static void add_vector(Call& call, const cusparseSpVecDescr& x, bool writes) {
  call.add(read(vector_of("vecX's indices", x.indices, x.nnz, 1, bytes_of(x.index_type))));
  const Operand values = vector_of("vecX's values", x.values, x.nnz, 1, size_of(x.type));
  call.add(writes ? written(values) : read(values));
}
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha,
                               cusparseConstSpVecDescr_t x, const void* beta,
                               cusparseDnVecDescr_t y) {
  Call call(handle, __func__);
  call.require(x && y && alpha && beta && x->size == y->size);
  if (!call.is_right())
    return call.run({});
  const Factor by(handle, alpha, y->type), of_old(handle, beta, y->type);
  by.add_to(call.operands, "alpha");
  of_old.add_to(call.operands, "beta");
  add_vector(call, *x, false);
  call.add(updated(operand_of("vecY", *y)));
  return call.run([=, x = *x, y = *y] {
    void* const to = at(y.values);
    for (std::int64_t i = 0; i < y.size; ++i)
      set_value(to, y.type, i, of_old() * complex_at(to, y.type, i));
    for (std::int64_t k = 0; k < x.nnz; ++k) {
      const std::int64_t i = place(x, at(x.indices), k);
      set_value(to, y.type, i,
                complex_at(to, y.type, i) + by() * complex_at(at(x.values), x.type, k));
    }
  });
}
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x) {
  Call call(handle, __func__);
  call.require(x && y && x->size == y->size);
  if (!call.is_right())
    return call.run({});
  add_vector(call, *x, true);
  call.add(partly_read(operand_of("vecY", *y)));
  return call.run([x = *x, y = *y] {
    for (std::int64_t k = 0; k < x.nnz; ++k)
      set_value(at(x.values), x.type, k,
                complex_at(at(y.values), y.type, place(x, at(x.indices), k)));
  });
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y) {
  Call call(handle, __func__);
  call.require(x && y && x->size == y->size);
  if (!call.is_right())
    return call.run({});
  add_vector(call, *x, false);
  call.add(written(operand_of("vecY", *y)));
  return call.run([x = *x, y = *y] {
    for (std::int64_t k = 0; k < x.nnz; ++k)
      set_value(at(y.values), y.type, place(x, at(x.indices), k),
                complex_at(at(x.values), x.type, k));
  });
}
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                         cusparseConstSpVecDescr_t, cusparseConstDnVecDescr_t,
                                         void*, cudaDataType, size_t* size) {
  return no_buffer(handle, size);
}
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op,
                              cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                              void* result, cudaDataType compute, void*) {
  Call call(handle, __func__);
  call.require(x && y && result && x->size == y->size);
  if (!call.is_right())
    return call.run({});
  const bool on_device = handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE;
  add_vector(call, *x, false);
  call.add(partly_read(operand_of("vecY", *y)));
  if (on_device)
    call.add(written(array_of("result", result, size_of(compute))));
  return call.run(
      [=, x = *x, y = *y] {
        Value sum;
        for (std::int64_t k = 0; k < x.nnz; ++k) {
          const Value value = complex_at(at(x.values), x.type, k);
          sum += (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(value) : value) *
                 complex_at(at(y.values), y.type, place(x, at(x.indices), k));
        }
        set_value(at(result), compute, 0, sum);
      },
      !on_device);
}

// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_BSRMV(P, T, data_type)                                                             \
  cusparseStatus_t cusparse##P##bsrmv(                                                             \
      cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t op, int mb,      \
      int nb, int nnzb, const T* alpha, const cusparseMatDescr_t descr, const T* values,           \
      const int* offsets, const int* indices, int block, const T* x, const T* beta, T* y) {        \
    if (!handle)                                                                                   \
      return CUSPARSE_STATUS_NOT_INITIALIZED;                                                      \
    if (!descr || !alpha || !beta || mb < 0 || nb < 0 || nnzb < 0 || block < 1)                    \
      return CUSPARSE_STATUS_INVALID_VALUE;                                                        \
    const Matrix matrix{.format = CUSPARSE_FORMAT_BSR,                                             \
                        .rows = mb,                                                                \
                        .cols = nb,                                                                \
                        .nnz = nnzb,                                                               \
                        .offsets = const_cast<int*>(offsets),                                      \
                        .indices = const_cast<int*>(indices),                                      \
                        .values = const_cast<T*>(values),                                          \
                        .offset_type = CUSPARSE_INDEX_32I,                                         \
                        .index_type = CUSPARSE_INDEX_32I,                                          \
                        .base = descr->base,                                                       \
                        .type = data_type,                                                         \
                        .block_rows = block,                                                       \
                        .block_cols = block,                                                       \
                        .order = direction == CUSPARSE_DIRECTION_ROW ? CUSPARSE_ORDER_ROW          \
                                                                     : CUSPARSE_ORDER_COL};        \
    const std::int64_t rows = rows_of(matrix), cols = cols_of(matrix);                             \
    return multiply(handle, __func__, op, Factor(handle, alpha, data_type), matrix,                \
                    {is_plain(op) ? cols : rows, const_cast<T*>(x), data_type},                    \
                    Factor(handle, beta, data_type), {is_plain(op) ? rows : cols, y, data_type});  \
  }
// NOLINTEND(bugprone-macro-parentheses)
GPUTEST_BSRMV(S, float, CUDA_R_32F)
GPUTEST_BSRMV(D, double, CUDA_R_64F)
GPUTEST_BSRMV(C, cuComplex, CUDA_C_32F)
GPUTEST_BSRMV(Z, cuDoubleComplex, CUDA_C_64F)
}
