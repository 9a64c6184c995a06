// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of two sparse matrices in cuSPARSE: SpGEMM, and SpGEMMreuse, which computes where the
// elements of a product are once for several products.
#include "cuda/libraries/sparse/sparse.h"

#include <map>

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;
using namespace gputest::cuda::libraries::sparse;

namespace {

using Rows = std::vector<std::map<std::int64_t, Value>>;

Rows product_of(const Matrix& left, const Matrix& right, const std::string& call) {
  std::vector<std::vector<Entry>> of_row(static_cast<std::size_t>(right.rows));
  for (const Entry& entry : entries_of(right, call))
    of_row[static_cast<std::size_t>(entry.row)].push_back(entry);
  Rows rows(static_cast<std::size_t>(left.rows));
  for (const Entry& entry : entries_of(left, call))
    for (const Entry& other : of_row[static_cast<std::size_t>(entry.col)])
      rows[static_cast<std::size_t>(entry.row)][other.col] += entry.value * other.value;
  return rows;
}

std::int64_t count_of(const Rows& rows) {
  std::int64_t count = 0;
  for (const auto& row : rows)
    count += static_cast<std::int64_t>(row.size());
  return count;
}

void write_pattern(const Rows& rows, const Matrix& result) {
  void *const offsets = at(result.offsets), *const indices = at(result.indices);
  std::int64_t k = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    set_index(offsets, result.offset_type, static_cast<std::int64_t>(i), k + result.base);
    for (const auto& [col, value] : rows[i])
      set_index(indices, result.index_type, k++, col + result.base);
  }
  set_index(offsets, result.offset_type, result.rows, k + result.base);
}

void add_pattern_written(Call& call, const Matrix& c) {
  call.add(written(vector_of("matC's offsets", c.offsets, c.rows + 1, 1, bytes_of(c.offset_type))));
  call.add(written(vector_of("matC's indices", c.indices, c.nnz, 1, bytes_of(c.index_type))));
}
Operand values_operand(const Matrix& c) {
  return vector_of("matC's values", c.values, c.nnz, 1, size_of(c.type));
}

// Whether matrices can be multiplied here.
void require_product(Call& call, cusparseOperation_t opA, cusparseOperation_t opB,
                     cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                     cusparseConstSpMatDescr_t c) {
  call.require(a && b && c);
  if (!call.is_right())
    return;
  call.require(is_plain(opA) && is_plain(opB) && a->format == CUSPARSE_FORMAT_CSR &&
                   b->format == CUSPARSE_FORMAT_CSR && c->format == CUSPARSE_FORMAT_CSR &&
                   a->base == b->base && a->base == c->base,
               CUSPARSE_STATUS_NOT_SUPPORTED);
  call.require(a->cols == b->rows && c->rows == a->rows && c->cols == b->cols);
}

} // namespace

// The product between the steps.
struct cusparseSpGEMMDescr {
  Rows rows{};
};

extern "C" {
GPUTEST_DESCRIPTOR(SpGEMM)
cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t, const void*,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void*, cusparseSpMatDescr_t c,
    cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t, size_t* size, void* buffer) {
  if (a && b && c && (a->base != b->base || a->base != c->base))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return buffer ? nothing(handle) : no_buffer(handle, size);
}
// Its first call, without a buffer, asks how large that is: programs that allocate nothing pass
// null again, so each call computes.
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                        cusparseOperation_t opB, const void* alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void*, cusparseSpMatDescr_t c, cudaDataType compute,
                                        cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                                        size_t* size, void*) {
  Call call(handle, __func__);
  call.require(descr && alpha);
  require_product(call, opA, opB, a, b, c);
  if (!call.is_right())
    return call.run({});
  const Factor by(handle, alpha, compute);
  by.add_to(call.operands, "alpha");
  call.add_matrix("matA", *a);
  call.add_matrix("matB", *b);
  if (size)
    *size = 0;
  return call.run(
      [=, name = call.name, left = *a, right = *b] {
        descr->rows = product_of(left, right, name);
        for (auto& row : descr->rows)
          for (auto& [col, value] : row)
            value *= by();
        c->nnz = count_of(descr->rows);
      },
      true);
}
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t,
                                     cusparseOperation_t, const void*, cusparseConstSpMatDescr_t,
                                     cusparseConstSpMatDescr_t, const void* beta,
                                     cusparseSpMatDescr_t c, cudaDataType compute,
                                     cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr) {
  Call call(handle, __func__);
  call.require(c && descr && beta);
  if (!call.is_right())
    return call.run({});
  const Factor of_old(handle, beta, compute);
  call.require(of_old.is_known_zero(), CUSPARSE_STATUS_NOT_SUPPORTED);
  call.require(descr->rows.size() == static_cast<std::size_t>(c->rows));
  add_pattern_written(call, *c);
  call.add(written(values_operand(*c)));
  return call.run([result = *c, rows = descr->rows] {
    write_pattern(rows, result);
    std::ptrdiff_t k = 0;
    for (const auto& row : rows)
      for (const auto& [col, value] : row)
        set_value(at(result.values), result.type, k++, value);
  });
}

cusparseStatus_t cusparseSpGEMMreuse_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr, size_t* size, void* buffer) {
  Call call(handle, __func__);
  call.require(descr != nullptr);
  require_product(call, opA, opB, a, b, c);
  if (!call.is_right())
    return call.run({});
  return buffer ? nothing(handle) : no_buffer(handle, size);
}
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, cusparseConstSpMatDescr_t a,
                                         cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                         cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                                         size_t* size2, void*, size_t* size3, void*, size_t* size4,
                                         void*) {
  Call call(handle, __func__);
  call.require(descr && size2 && size3 && size4);
  require_product(call, opA, opB, a, b, c);
  if (!call.is_right())
    return call.run({});
  *size2 = *size3 = *size4 = 0;
  call.add_pattern("matA", *a);
  call.add_pattern("matB", *b);
  return call.run(
      [=, name = call.name, left = *a, right = *b]() mutable {
        left.values = right.values = nullptr; // where elements are depends on no value
        descr->rows = product_of(left, right, name);
        c->nnz = count_of(descr->rows);
      },
      true);
}
cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, cusparseConstSpMatDescr_t a,
                                          cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                                          cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr,
                                          size_t* size, void*) {
  Call call(handle, __func__);
  call.require(descr && size);
  require_product(call, opA, opB, a, b, c);
  if (!call.is_right())
    return call.run({});
  *size = 0;
  call.require(descr->rows.size() == static_cast<std::size_t>(c->rows));
  add_pattern_written(call, *c);
  return call.run([result = *c, rows = descr->rows] { write_pattern(rows, result); });
}
cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                             cusparseOperation_t opB, const void* alpha,
                                             cusparseConstSpMatDescr_t a,
                                             cusparseConstSpMatDescr_t b, const void* beta,
                                             cusparseSpMatDescr_t c, cudaDataType compute,
                                             cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t descr) {
  Call call(handle, __func__);
  call.require(descr && alpha && beta);
  require_product(call, opA, opB, a, b, c);
  if (!call.is_right())
    return call.run({});
  const Factor by(handle, alpha, compute), of_old(handle, beta, compute);
  by.add_to(call.operands, "alpha");
  of_old.add_to(call.operands, "beta");
  call.add_matrix("matA", *a);
  call.add_matrix("matB", *b);
  add_sum(call, values_operand(*c), of_old);
  return call.run([=, name = call.name, left = *a, right = *b, result = *c] {
    std::ptrdiff_t k = 0;
    for (const auto& row : product_of(left, right, name))
      for (const auto& [col, value] : row)
        if (k < result.nnz)
          set_sum(at(result.values), result.type, k++, by() * value, of_old());
  });
}
}
