// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of cuSPARSE between formats.
#include "cuda/libraries/sparse/sparse.h"

#include <array>
#include <map>
#include <numeric>

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;
using namespace gputest::cuda::libraries::sparse;

// The elements of a dense matrix that are not zero, in the order of the format.
static std::vector<Entry> entries_of(const cusparseDnMatDescr& dense, cusparseFormat_t format) {
  std::vector<Entry> entries;
  const void* const values = at(dense.values);
  const bool by_columns = format == CUSPARSE_FORMAT_CSC;
  for (std::int64_t i = 0; i < (by_columns ? dense.cols : dense.rows); ++i)
    for (std::int64_t j = 0; j < (by_columns ? dense.rows : dense.cols); ++j) {
      const std::int64_t row = by_columns ? j : i, col = by_columns ? i : j;
      if (const Value value = complex_at(values, dense.type, place_in(dense, row, col));
          value != Value{})
        entries.push_back({row, col, value});
    }
  return entries;
}

static void require_target(Call& call, const cusparseDnMatDescr& a, const Matrix& b) {
  call.require(b.format != CUSPARSE_FORMAT_BSR && b.format != CUSPARSE_FORMAT_SLICED_ELLPACK,
               CUSPARSE_STATUS_NOT_SUPPORTED);
  call.require(a.rows == b.rows && a.cols == b.cols);
}

// Copies the blocks that a Blocked-ELL matrix has; its room gets zeros.
static cusparseStatus_t fill_blocks(Call& call, const cusparseDnMatDescr& a, const Matrix& b) {
  call.add_pattern("matB", b);
  call.add(written(vector_of("matB's values", b.values, values_of(b), 1, size_of(b.type))));
  return call.run([dense = a, blocks = b] {
    each_of_ell(
        blocks, at(blocks.indices), [&](std::int64_t row, std::int64_t col, std::int64_t value) {
          const bool is_there = col >= 0 && col < blocks.cols;
          set_value(at(blocks.values), blocks.type, value,
                    is_there ? complex_at(at(dense.values), dense.type, place_in(dense, row, col))
                             : Value{});
        });
  });
}

extern "C" {
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t, cusparseDnMatDescr_t,
                                                  cusparseSparseToDenseAlg_t, size_t* size) {
  return no_buffer(handle, size);
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void*) {
  Call call(handle, __func__);
  call.require(a && b);
  if (!call.is_right())
    return call.run({});
  call.require(!is_ell(*a), CUSPARSE_STATUS_NOT_SUPPORTED);
  call.require(b->rows == rows_of(*a) && b->cols == cols_of(*a));
  call.add_matrix("matA", *a);
  call.add(written(operand_of("matB", *b)));
  return call.run([sparse = *a, dense = *b, name = call.name] {
    void* const values = at(dense.values);
    for (std::int64_t i = 0; i < dense.rows; ++i)
      for (std::int64_t j = 0; j < dense.cols; ++j)
        set_value(values, dense.type, place_in(dense, i, j), 0);
    for (const Entry& entry : entries_of(sparse, name))
      set_value(values, dense.type, place_in(dense, entry.row, entry.col), entry.value);
  });
}
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t, cusparseSpMatDescr_t,
                                                  cusparseDenseToSparseAlg_t, size_t* size) {
  return no_buffer(handle, size);
}
// Sets the number of elements, which the program asks for before it allocates them.
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                                cusparseDenseToSparseAlg_t, void*) {
  Call call(handle, __func__);
  call.require(a && b);
  if (!call.is_right())
    return call.run({});
  require_target(call, *a, *b);
  if (b->format == CUSPARSE_FORMAT_BLOCKED_ELL) // the program says where blocks are
    return call.run([] {});
  call.add(read(operand_of("matA", *a)));
  return call.run(
      [=, dense = *a] { b->nnz = static_cast<std::int64_t>(entries_of(dense, b->format).size()); },
      true);
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
                                               void*) {
  Call call(handle, __func__);
  call.require(a && b);
  if (!call.is_right())
    return call.run({});
  const bool is_coo = b->format == CUSPARSE_FORMAT_COO, is_csc = b->format == CUSPARSE_FORMAT_CSC;
  require_target(call, *a, *b);
  call.add(read(operand_of("matA", *a)));
  if (b->format == CUSPARSE_FORMAT_BLOCKED_ELL)
    return fill_blocks(call, *a, *b);
  call.add(written(vector_of("matB's offsets", b->offsets,
                             is_coo ? b->nnz : (is_csc ? b->cols : b->rows) + 1, 1,
                             bytes_of(b->offset_type))));
  call.add(written(vector_of("matB's indices", b->indices, b->nnz, 1, bytes_of(b->index_type))));
  call.add(written(vector_of("matB's values", b->values, b->nnz, 1, size_of(b->type))));
  return call.run([=, dense = *a, sparse = *b] {
    void *const offsets = at(sparse.offsets), *const indices = at(sparse.indices),
                *const values = at(sparse.values);
    std::vector<Entry> entries = entries_of(dense, sparse.format);
    entries.resize(std::min(entries.size(), static_cast<std::size_t>(sparse.nnz)));
    std::vector<std::int64_t> ends(static_cast<std::size_t>(is_csc ? sparse.cols : sparse.rows) +
                                   1);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto k = static_cast<std::int64_t>(i);
      const std::int64_t outer = is_csc ? entries[i].col : entries[i].row,
                         inner = is_csc ? entries[i].row : entries[i].col;
      ++ends[static_cast<std::size_t>(outer) + 1];
      if (is_coo)
        set_index(offsets, sparse.offset_type, k, outer + sparse.base);
      set_index(indices, sparse.index_type, k, inner + sparse.base);
      set_value(values, sparse.type, k, entries[i].value);
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    for (std::size_t i = 0; !is_coo && i < ends.size(); ++i)
      set_index(offsets, sparse.offset_type, static_cast<std::int64_t>(i), ends[i] + sparse.base);
  });
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* rows, int nnz, int m,
                                  int* offsets, cusparseIndexBase_t base) {
  Call call(handle, __func__);
  call.require(nnz >= 0 && m >= 0);
  call.add(read(ints("cooRowInd", rows, nnz)));
  call.add(written(ints("csrSortedRowPtr", offsets, std::int64_t{m} + 1)));
  return call.run([=] {
    const int* const from = at(rows);
    for (int i = 0, k = 0; i <= m; ++i) {
      while (k < nnz && from[k] - base < i)
        ++k;
      at(offsets)[i] = k + base;
    }
  });
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* offsets, int nnz, int m,
                                  int* rows, cusparseIndexBase_t base) {
  Call call(handle, __func__);
  call.require(nnz >= 0 && m >= 0);
  call.add(read(ints("csrSortedRowPtr", offsets, std::int64_t{m} + 1)));
  call.add(written(ints("cooRowInd", rows, nnz)));
  return call.run([=] {
    for (int i = 0; i < m; ++i)
      for (int k = std::max(0, at(offsets)[i] - base); k < std::min(nnz, at(offsets)[i + 1] - base);
           ++k)
        at(rows)[k] = i + base;
  });
}
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int, int, int, const void*,
                                               const int*, const int*, void*, int*, int*,
                                               cudaDataType, cusparseAction_t, cusparseIndexBase_t,
                                               cusparseCsr2CscAlg_t, size_t* size) {
  return no_buffer(handle, size);
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void* values, const int* offsets, const int* indices,
                                    void* csc_values, int* csc_offsets, int* csc_rows,
                                    cudaDataType type, cusparseAction_t action,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void*) {
  Call call(handle, __func__);
  const bool with_values = action == CUSPARSE_ACTION_NUMERIC;
  call.require(m >= 0 && n >= 0 && nnz >= 0 && (!with_values || size_of(type) != 0));
  call.add(read(ints("csrRowPtr", offsets, std::int64_t{m} + 1)));
  call.add(read(ints("csrColInd", indices, nnz)));
  call.add(written(ints("cscColPtr", csc_offsets, std::int64_t{n} + 1)));
  call.add(written(ints("cscRowInd", csc_rows, nnz)));
  if (with_values) {
    call.add(read(vector_of("csrVal", values, nnz, 1, size_of(type))));
    call.add(written(vector_of("cscVal", csc_values, nnz, 1, size_of(type))));
  }
  return call.run([=] {
    const int *const rows = at(offsets), *const cols = at(indices);
    std::vector<std::vector<std::pair<int, int>>> of_column(
        static_cast<std::size_t>(n)); // row, place
    for (int i = 0; i < m; ++i)
      for (int k = std::max(0, rows[i] - base); k < std::min(nnz, rows[i + 1] - base); ++k)
        if (const int col = cols[k] - base; col >= 0 && col < n)
          of_column[static_cast<std::size_t>(col)].emplace_back(i, k);
    int to = 0;
    for (int col = 0; col < n; ++col) {
      at(csc_offsets)[col] = to + base;
      for (const auto& [row, k] : of_column[static_cast<std::size_t>(col)]) {
        at(csc_rows)[to] = row + base;
        if (with_values)
          std::memcpy(static_cast<std::byte*>(at(csc_values)) +
                          static_cast<std::size_t>(to) * size_of(type),
                      static_cast<const std::byte*>(at(values)) +
                          static_cast<std::size_t>(k) * size_of(type),
                      size_of(type));
        ++to;
      }
    }
    at(csc_offsets)[n] = to + base;
  });
}

// The blocks of each row of blocks: the column of a block, and the places of its elements.
struct BlockRow {
  std::map<int, std::vector<std::array<int, 3>>> blocks{}; // row and column in the block, place
};
static std::vector<BlockRow> blocks_of(int m, int n, const int* offsets, const int* indices,
                                       int base, int block) {
  std::vector<BlockRow> rows(static_cast<std::size_t>((m + block - 1) / block));
  for (int i = 0; i < m; ++i)
    for (int k = at(offsets)[i] - base; k < at(offsets)[i + 1] - base; ++k)
      if (const int j = at(indices)[k] - base; j >= 0 && j < n)
        rows[static_cast<std::size_t>(i / block)].blocks[j / block].push_back(
            {i % block, j % block, k});
  return rows;
}
// Adds the operands of a matrix in CSR: how many indices it has is in memory.
static void read_csr(std::vector<Operand>& operands, int m, const int* offsets, const int* indices,
                     int base, const void* values, std::size_t size) {
  const std::int64_t count = std::max(0, at(offsets)[m] - base);
  operands.push_back(read(ints("csrSortedColIndA", indices, count)));
  if (values)
    operands.push_back(read(vector_of("csrSortedValA", values, count, 1, size)));
}

cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t, int m, int n,
                                     const cusparseMatDescr_t descrA, const int* offsets,
                                     const int* indices, int block, const cusparseMatDescr_t descrC,
                                     int* bsr_offsets, int* total) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!descrA || !descrC || m < 0 || n < 0 || block < 1 || !total)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const int rows = (m + block - 1) / block, base = descrA->base, to_base = descrC->base;
  const bool on_device = handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE;
  HostWork work{
      .call = std::string(__func__) + "()",
      .operands = {read(ints("csrSortedRowPtrA", offsets, std::int64_t{m} + 1)),
                   written(ints("bsrSortedRowPtrC", bsr_offsets, std::int64_t{rows} + 1))},
      .find_more =
          [=](std::vector<Operand>& operands) {
            read_csr(operands, m, offsets, indices, base, nullptr, 0);
          },
      .run =
          [=] {
            int count = 0, i = 0;
            for (const BlockRow& row : blocks_of(m, n, offsets, indices, base, block)) {
              at(bsr_offsets)[i++] = count + to_base;
              count += static_cast<int>(row.blocks.size());
            }
            at(bsr_offsets)[rows] = count + to_base;
            *at(total) = count;
          }};
  if (on_device)
    work.operands.push_back(written(ints("nnzTotalDevHostPtr", total, 1)));
  const cudaError_t error = gputest_cuda_host_work(handle->stream, work);
  return error == cudaSuccess && (on_device || cudaStreamSynchronize(handle->stream) == cudaSuccess)
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_EXECUTION_FAILED;
}
}

template <typename T>
static cusparseStatus_t
to_blocks(cusparseHandle_t handle, const char* name, cusparseDirection_t direction, int m, int n,
          const cusparseMatDescr_t descrA, const T* values, const int* offsets, const int* indices,
          int block, const cusparseMatDescr_t descrC, T* bsr_values, const int* bsr_offsets,
          int* bsr_indices) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!descrA || !descrC || m < 0 || n < 0 || block < 1)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const int rows = (m + block - 1) / block, base = descrA->base, to_base = descrC->base;
  const HostWork work{
      .call = std::string(name) + "()",
      .operands = {read(ints("csrSortedRowPtrA", offsets, std::int64_t{m} + 1)),
                   read(ints("bsrSortedRowPtrC", bsr_offsets, std::int64_t{rows} + 1))},
      .find_more =
          [=](std::vector<Operand>& operands) {
            read_csr(operands, m, offsets, indices, base, values, sizeof(T));
            const std::int64_t count = std::max(0, at(bsr_offsets)[rows] - to_base);
            operands.push_back(written(ints("bsrSortedColIndC", bsr_indices, count)));
            operands.push_back(written(
                vector_of("bsrSortedValC", bsr_values, count * block * block, 1, sizeof(T))));
          },
      .run =
          [=] {
            const int most = at(bsr_offsets)[rows] - to_base;
            int k = 0;
            for (const BlockRow& row : blocks_of(m, n, offsets, indices, base, block))
              for (const auto& [col, elements] : row.blocks) {
                if (k == most) // these are not the offsets of this matrix
                  return;
                at(bsr_indices)[k] = col + to_base;
                T* const to = at(bsr_values) + std::ptrdiff_t{k++} * block * block;
                std::fill_n(to, std::ptrdiff_t{block} * block, T{});
                for (const auto& [i, j, from] : elements)
                  to[direction == CUSPARSE_DIRECTION_ROW ? i * block + j : j * block + i] =
                      at(values)[from];
              }
          }};
  return gputest_cuda_host_work(handle->stream, work) == cudaSuccess
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_EXECUTION_FAILED;
}

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_CSR2BSR(P, T)                                                                      \
  cusparseStatus_t cusparse##P##csr2bsr(cusparseHandle_t handle, cusparseDirection_t direction,    \
                                        int m, int n, const cusparseMatDescr_t descrA,             \
                                        const T* values, const int* offsets, const int* indices,   \
                                        int block, const cusparseMatDescr_t descrC, T* bsr_values, \
                                        int* bsr_offsets, int* bsr_indices) {                      \
    return to_blocks<T>(handle, __func__, direction, m, n, descrA, values, offsets, indices,       \
                        block, descrC, bsr_values, bsr_offsets, bsr_indices);                      \
  }
// NOLINTEND(bugprone-macro-parentheses)
GPUTEST_CSR2BSR(S, float)
GPUTEST_CSR2BSR(D, double)
GPUTEST_CSR2BSR(C, cuComplex)
GPUTEST_CSR2BSR(Z, cuDoubleComplex)
}
