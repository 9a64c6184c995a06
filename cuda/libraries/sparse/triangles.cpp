// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of triangular matrices in cuSPARSE.
#include "cuda/libraries/sparse/sparse.h"

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;
using namespace gputest::cuda::libraries::sparse;

struct cusparseSpSVDescr {};
struct cusparseSpSMDescr {};

namespace {

// The triangle of op(A).
class Triangle {
public:
  Triangle(const Matrix& matrix, cusparseOperation_t op, const std::string& call)
      : is_lower_((matrix.fill == CUSPARSE_FILL_MODE_LOWER) == is_plain(op)),
        rows_(static_cast<std::size_t>(rows_of(matrix))),
        diagonal_(rows_.size(), matrix.diagonal == CUSPARSE_DIAG_TYPE_UNIT ? 1 : 0) {
    for (const Entry& entry : entries_of(matrix, op, call)) {
      const auto row = static_cast<std::size_t>(entry.row);
      if (entry.row == entry.col && matrix.diagonal == CUSPARSE_DIAG_TYPE_NON_UNIT)
        diagonal_[row] += entry.value;
      else if (entry.row != entry.col && (entry.row > entry.col) == is_lower_)
        rows_[row].push_back(entry);
    }
  }
  // Returns x of op(A) x = right.
  std::vector<Value> solved(std::vector<Value> right) const {
    for (std::size_t step = 0; step < rows_.size(); ++step) {
      const std::size_t i = is_lower_ ? step : rows_.size() - 1 - step;
      for (const Entry& entry : rows_[i])
        right[i] -= entry.value * right[static_cast<std::size_t>(entry.col)];
      right[i] /= diagonal_[i];
    }
    return right;
  }

private:
  bool is_lower_;
  std::vector<std::vector<Entry>> rows_; // without the diagonal
  std::vector<Value> diagonal_;
};

} // namespace

extern "C" {
GPUTEST_DESCRIPTOR(SpSV)
GPUTEST_NO_BUFFER(SpSV, analysis, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t,
                  cusparseConstDnVecDescr_t, cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                  cusparseSpSVDescr_t)
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op,
                                    const void* alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType compute, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t descr) {
  Call call(handle, __func__);
  call.require(a && x && y && alpha && descr);
  if (!call.is_right())
    return call.run({});
  call.require(!is_ell(*a), CUSPARSE_STATUS_NOT_SUPPORTED);
  call.require(rows_of(*a) == cols_of(*a) && x->size == rows_of(*a) && y->size == x->size);
  const Factor by(handle, alpha, compute);
  by.add_to(call.operands, "alpha");
  call.add_matrix("matA", *a);
  call.add(read(operand_of("vecX", *x)));
  call.add(written(operand_of("vecY", *y)));
  return call.run([=, name = call.name, matrix = *a, from = *x, to = *y] {
    std::vector<Value> right;
    for (std::int64_t i = 0; i < from.size; ++i)
      right.push_back(by() * complex_at(at(from.values), from.type, i));
    std::ptrdiff_t i = 0;
    for (const Value value : Triangle(matrix, op, name).solved(std::move(right)))
      set_value(at(to.values), to.type, i++, value);
  });
}

GPUTEST_DESCRIPTOR(SpSM)
GPUTEST_NO_BUFFER(SpSM, analysis, cusparseOperation_t, cusparseOperation_t, const void*,
                  cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, cusparseDnMatDescr_t,
                  cudaDataType, cusparseSpSMAlg_t, cusparseSpSMDescr_t)
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA,
                                    cusparseOperation_t opB, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t,
                                    cusparseSpSMDescr_t descr) {
  Call call(handle, __func__);
  call.require(a && b && c && alpha && descr);
  if (!call.is_right())
    return call.run({});
  call.require(!is_ell(*a), CUSPARSE_STATUS_NOT_SUPPORTED);
  call.require(rows_of(*a) == cols_of(*a) && c->rows == rows_of(*a) &&
               (is_plain(opB) ? b->rows : b->cols) == c->rows &&
               (is_plain(opB) ? b->cols : b->rows) == c->cols);
  const Factor by(handle, alpha, compute);
  by.add_to(call.operands, "alpha");
  call.add_matrix("matA", *a);
  call.add(read(operand_of("matB", *b)));
  call.add(written(operand_of("matC", *c)));
  return call.run([=, name = call.name, matrix = *a, from = *b, to = *c] {
    const Triangle triangle(matrix, opA, name);
    std::vector<std::vector<Value>> columns; // all of them: matC may have the memory of matB
    for (std::int64_t j = 0; j < to.cols; ++j) {
      std::vector<Value> right;
      for (std::int64_t i = 0; i < to.rows; ++i) {
        const Value value = complex_at(at(from.values), from.type,
                                       is_plain(opB) ? place_in(from, i, j) : place_in(from, j, i));
        right.push_back(by() *
                        (opB == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(value) : value));
      }
      columns.push_back(triangle.solved(std::move(right)));
    }
    for (std::int64_t j = 0; j < to.cols; ++j)
      for (std::int64_t i = 0; i < to.rows; ++i)
        set_value(at(to.values), to.type, place_in(to, i, j),
                  columns[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)]);
  });
}
}
