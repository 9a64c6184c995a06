// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/sparse/sparse.h"

namespace gputest::cuda::libraries::sparse {
namespace {

// How many offsets the format has.
std::int64_t offsets_of(const Matrix& matrix) {
  switch (matrix.format) {
  case CUSPARSE_FORMAT_CSC:
    return matrix.cols + 1;
  case CUSPARSE_FORMAT_COO:
    return matrix.nnz;
  case CUSPARSE_FORMAT_BLOCKED_ELL:
    return 0;
  case CUSPARSE_FORMAT_SLICED_ELLPACK:
    return (matrix.rows + matrix.slice - 1) / matrix.slice + 1;
  default:
    return matrix.rows + 1;
  }
}

// How many indices of columns the format has.
std::int64_t indices_of(const Matrix& matrix) {
  switch (matrix.format) {
  case CUSPARSE_FORMAT_BLOCKED_ELL:
    return matrix.rows / matrix.slice * (matrix.width / matrix.slice);
  case CUSPARSE_FORMAT_SLICED_ELLPACK:
    return matrix.width;
  default:
    return matrix.nnz;
  }
}

// Calls add(row, column, number of the value) for each element of slices that is stored, but for
// what has a negative column: nothing fills that.
template <typename F>
void each_of_slices(const Matrix& matrix, const void* offsets, const void* indices, F add) {
  for (std::int64_t slice = 0; slice + 1 < offsets_of(matrix); ++slice) {
    const auto bound = [&](std::int64_t which) {
      return std::clamp<std::int64_t>(index_at(offsets, matrix.offset_type, which) - matrix.base, 0,
                                      matrix.width);
    };
    for (std::int64_t k = bound(slice); k < bound(slice + 1); ++k)
      if (const std::int64_t col = index_at(indices, matrix.index_type, k); col >= matrix.base)
        add(slice * matrix.slice + (k - bound(slice)) % matrix.slice, col - matrix.base, k);
  }
}

} // namespace

std::vector<Entry> entries_of(const Matrix& matrix, const std::string& call) {
  const void *const offsets = at(matrix.offsets), *const indices = at(matrix.indices),
                    *const values = at(matrix.values);
  std::vector<Entry> entries;
  bool is_told = false;
  const auto add = [&](std::int64_t row, std::int64_t col, std::int64_t value) {
    if (row >= 0 && row < rows_of(matrix) && col >= 0 && col < cols_of(matrix))
      entries.push_back({row, col, values ? complex_at(values, matrix.type, value) : Value{}});
    else if (!std::exchange(is_told, true))
      std::fprintf(
          stderr, "gputest-cuda: error: %s gets element (%lld, %lld) of a matrix of %lld x %lld\n",
          call.c_str(), static_cast<long long>(row), static_cast<long long>(col),
          static_cast<long long>(rows_of(matrix)), static_cast<long long>(cols_of(matrix)));
  };
  if (matrix.format == CUSPARSE_FORMAT_COO) {
    for (std::int64_t k = 0; k < matrix.nnz; ++k)
      add(index_at(offsets, matrix.offset_type, k) - matrix.base,
          index_at(indices, matrix.index_type, k) - matrix.base, k);
    return entries;
  }
  if (matrix.format == CUSPARSE_FORMAT_BLOCKED_ELL) {
    // Room has zeros; an H200 adds other values there to the first column of blocks.
    each_of_ell(matrix, indices, [&](std::int64_t row, std::int64_t col, std::int64_t value) {
      add(row, col < 0 ? value % matrix.slice : col, value);
    });
    return entries;
  }
  if (matrix.format == CUSPARSE_FORMAT_SLICED_ELLPACK) {
    each_of_slices(matrix, offsets, indices, add);
    return entries;
  }
  const std::int64_t size = matrix.block_rows * matrix.block_cols;
  for (std::int64_t i = 0; i + 1 < offsets_of(matrix); ++i) {
    const auto bound = [&](std::int64_t which) {
      return std::clamp<std::int64_t>(index_at(offsets, matrix.offset_type, which) - matrix.base, 0,
                                      matrix.nnz);
    };
    for (std::int64_t k = bound(i); k < bound(i + 1); ++k) {
      const std::int64_t j = index_at(indices, matrix.index_type, k) - matrix.base;
      if (matrix.format == CUSPARSE_FORMAT_CSC)
        add(j, i, k);
      else
        for (std::int64_t r = 0; r < matrix.block_rows; ++r)
          for (std::int64_t c = 0; c < matrix.block_cols; ++c)
            add(i * matrix.block_rows + r, j * matrix.block_cols + c,
                k * size + (matrix.order == CUSPARSE_ORDER_ROW ? r * matrix.block_cols + c
                                                               : c * matrix.block_rows + r));
    }
  }
  return entries;
}

std::vector<Entry> entries_of(const Matrix& matrix, cusparseOperation_t op,
                              const std::string& call) {
  std::vector<Entry> entries = entries_of(matrix, call);
  if (op != CUSPARSE_OPERATION_NON_TRANSPOSE)
    for (Entry& entry : entries) {
      std::swap(entry.row, entry.col);
      if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
        entry.value = std::conj(entry.value);
    }
  return entries;
}

std::ptrdiff_t place_in(const cusparseDnMatDescr& matrix, std::int64_t row, std::int64_t col) {
  return matrix.order == CUSPARSE_ORDER_COL ? row + col * matrix.ld : row * matrix.ld + col;
}

Operand operand_of(const char* name, const cusparseDnMatDescr& matrix) {
  const bool by_columns = matrix.order == CUSPARSE_ORDER_COL;
  return matrix_of(name, matrix.values, by_columns ? matrix.rows : matrix.cols,
                   by_columns ? matrix.cols : matrix.rows, matrix.ld, size_of(matrix.type));
}

void Call::add_pattern(const char* of, const Matrix& matrix) {
  const std::string whole = of;
  if (offsets_of(matrix) > 0)
    add(read(vector_of(whole + "'s offsets", matrix.offsets, offsets_of(matrix), 1,
                       bytes_of(matrix.offset_type))));
  add(read(vector_of(whole + "'s indices", matrix.indices, indices_of(matrix), 1,
                     bytes_of(matrix.index_type))));
}

void Call::add_matrix(const char* of, const Matrix& matrix) {
  add_pattern(of, matrix);
  add(read(vector_of(std::string(of) + "'s values", matrix.values, values_of(matrix), 1,
                     size_of(matrix.type))));
}

cusparseStatus_t Call::run(std::function<void()> what, bool waits) {
  if (!is_right())
    return status_;
  const cudaError_t error = gputest_cuda_host_work(
      handle_->stream,
      {.call = name, .operands = operands, .find_more = {}, .run = std::move(what)});
  return error == cudaSuccess && (!waits || cudaStreamSynchronize(handle_->stream) == cudaSuccess)
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_EXECUTION_FAILED;
}

} // namespace gputest::cuda::libraries::sparse
