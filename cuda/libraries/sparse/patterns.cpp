// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuSPARSE does with the places of elements: counting, sorting, and sums of two matrices.
#include "cuda/libraries/sparse/sparse.h"

#include <map>
#include <numeric>
#include <tuple>

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;
using namespace gputest::cuda::libraries::sparse;

namespace {

// A matrix in CSR as its functions get it.
struct Rows {
  int rows, cols, nnz, base;
  const int *offsets, *indices;

  void add_to(std::vector<Operand>& operands) const {
    operands.push_back(read(ints("csrSortedRowPtr", offsets, std::int64_t{rows} + 1)));
    operands.push_back(read(ints("csrSortedColInd", indices, nnz)));
  }
  // Calls `see(column, place)` for each element of a row.
  template <typename See> void for_each_in(int row, const See& see) const {
    for (int k = std::max(0, at(offsets)[row] - base);
         k < std::min(nnz, at(offsets)[row + 1] - base); ++k)
      if (const int col = at(indices)[k] - base; col >= 0 && col < cols)
        see(col, k);
  }
};

cusparseStatus_t run(cusparseHandle_t handle, const HostWork& work, bool waits) {
  const cudaError_t error = gputest_cuda_host_work(handle->stream, work);
  return error == cudaSuccess && (!waits || cudaStreamSynchronize(handle->stream) == cudaSuccess)
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_EXECUTION_FAILED;
}

// Adds the operand of a total, which is on the host or on the device. Returns whether the host
// waits for it.
bool waits_for_total(cusparseHandle_t handle, std::vector<Operand>& operands, const int* total) {
  if (handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST)
    return true;
  operands.push_back(written(ints("nnzTotalDevHostPtr", total, 1)));
  return false;
}

template <typename T>
cusparseStatus_t count(cusparseHandle_t handle, const char* name, cusparseDirection_t direction,
                       int m, int n, const cusparseMatDescr_t descr, const T* a, int lda,
                       int* of_each, int* total) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!descr || m < 0 || n < 0 || lda < std::max(1, m) || !total)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const bool by_rows = direction == CUSPARSE_DIRECTION_ROW;
  HostWork work{.call = std::string(name) + "()",
                .operands = {read(matrix_of("A", a, m, n, lda, sizeof(T))),
                             written(ints("nnzPerRowCol", of_each, by_rows ? m : n))},
                .find_more = {},
                .run = [=] {
                  std::fill_n(at(of_each), by_rows ? m : n, 0);
                  int all = 0;
                  for (int j = 0; j < n; ++j)
                    for (int i = 0; i < m; ++i)
                      if (const auto* const value = reinterpret_cast<const Number<T>*>(
                              at(a) + std::ptrdiff_t{j} * lda + i);
                          *value != Number<T>{}) {
                        ++at(of_each)[by_rows ? i : j];
                        ++all;
                      }
                  *at(total) = all;
                }};
  const bool waits = waits_for_total(handle, work.operands, total);
  return run(handle, work, waits);
}

template <typename T>
cusparseStatus_t add(cusparseHandle_t handle, const char* name, cudaDataType type, int m, int n,
                     const T* alpha, const cusparseMatDescr_t descr_a, int nnz_a, const T* values_a,
                     const int* offsets_a, const int* indices_a, const T* beta,
                     const cusparseMatDescr_t descr_b, int nnz_b, const T* values_b,
                     const int* offsets_b, const int* indices_b, const cusparseMatDescr_t descr_c,
                     T* values, const int* offsets, int* indices) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!descr_a || !descr_b || !descr_c || m < 0 || n < 0 || nnz_a < 0 || nnz_b < 0 || !alpha ||
      !beta)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const Rows a{m, n, nnz_a, descr_a->base, offsets_a, indices_a},
      b{m, n, nnz_b, descr_b->base, offsets_b, indices_b};
  const int base = descr_c->base;
  const Factor by(handle, alpha, type), of_b(handle, beta, type);
  HostWork work{
      .call = std::string(name) + "()",
      .operands = {read(vector_of("csrSortedValA", values_a, nnz_a, 1, sizeof(T))),
                   read(vector_of("csrSortedValB", values_b, nnz_b, 1, sizeof(T))),
                   read(ints("csrSortedRowPtrC", offsets, std::int64_t{m} + 1))},
      .find_more =
          [=](std::vector<Operand>& operands) {
            const std::int64_t count = std::max(0, at(offsets)[m] - base);
            operands.push_back(written(ints("csrSortedColIndC", indices, count)));
            operands.push_back(written(vector_of("csrSortedValC", values, count, 1, sizeof(T))));
          },
      .run =
          [=] {
            const int most = at(offsets)[m] - base;
            int to = 0;
            for (int i = 0; i < m; ++i) {
              std::map<int, Value> row;
              a.for_each_in(
                  i, [&](int col, int k) { row[col] += by() * complex_at(at(values_a), type, k); });
              b.for_each_in(i, [&](int col, int k) {
                row[col] += of_b() * complex_at(at(values_b), type, k);
              });
              for (const auto& [col, value] : row) {
                if (to == most) // these are not the offsets of this sum
                  return;
                at(indices)[to] = col + base;
                set_value(at(values), type, to++, value);
              }
            }
          }};
  a.add_to(work.operands);
  b.add_to(work.operands);
  by.add_to(work.operands, "alpha");
  of_b.add_to(work.operands, "beta");
  return run(handle, work, false);
}

// Sorts the elements by `key(place)`, and `order` with them, which may be null.
template <typename Key>
void sort_by(int begin, int end, const Key& key, std::initializer_list<int*> arrays) {
  std::vector<int> places(static_cast<std::size_t>(end - begin));
  std::iota(places.begin(), places.end(), begin);
  std::ranges::stable_sort(places, {}, key);
  std::vector<std::vector<int>> sorted;
  for (const int* const array : arrays) {
    sorted.emplace_back();
    for (const int place : places)
      sorted.back().push_back(array ? array[place] : 0);
  }
  auto from = sorted.begin();
  for (int* const array : arrays) {
    if (array)
      std::ranges::copy(*from, array + begin);
    ++from;
  }
}

cusparseStatus_t sort_lines(cusparseHandle_t handle, const char* name, int lines, int nnz,
                            const cusparseMatDescr_t descr, const int* offsets, int* indices,
                            int* order) {
  Call call(handle, name);
  call.require(descr && lines >= 0 && nnz >= 0);
  if (!call.is_right())
    return call.run({});
  call.add(read(ints("the offsets", offsets, std::int64_t{lines} + 1)));
  call.add(updated(ints("the indices", indices, nnz)));
  if (order)
    call.add(updated(ints("P", order, nnz)));
  return call.run([=, base = descr->base] {
    int *const of_indices = at(indices), *const of_order = order ? at(order) : nullptr;
    for (int i = 0; i < lines; ++i)
      if (const int begin = std::max(0, at(offsets)[i] - base),
          end = std::min(nnz, at(offsets)[i + 1] - base);
          begin < end)
        sort_by(begin, end, [&](int place) { return of_indices[place]; }, {of_indices, of_order});
  });
}
cusparseStatus_t sort_pairs(cusparseHandle_t handle, const char* name, int nnz, int* first,
                            int* second, int* order) {
  Call call(handle, name);
  call.require(nnz >= 0);
  call.add(updated(ints("the indices of rows", first, nnz)));
  call.add(updated(ints("the indices of columns", second, nnz)));
  if (order)
    call.add(updated(ints("P", order, nnz)));
  return call.run([=] {
    int *const major = at(first), *const minor = at(second);
    sort_by(0, nnz, [&](int place) { return std::tuple(major[place], minor[place]); },
            {major, minor, order ? at(order) : nullptr});
  });
}

} // namespace

extern "C" {
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n,
                                      const cusparseMatDescr_t descrA, int nnzA,
                                      const int* offsetsA, const int* indicesA,
                                      const cusparseMatDescr_t descrB, int nnzB,
                                      const int* offsetsB, const int* indicesB,
                                      const cusparseMatDescr_t descrC, int* offsets, int* total,
                                      void*) {
  if (!handle)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!descrA || !descrB || !descrC || m < 0 || n < 0 || nnzA < 0 || nnzB < 0 || !total)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const Rows a{m, n, nnzA, descrA->base, offsetsA, indicesA},
      b{m, n, nnzB, descrB->base, offsetsB, indicesB};
  HostWork work{.call = std::string(__func__) + "()",
                .operands = {written(ints("csrSortedRowPtrC", offsets, std::int64_t{m} + 1))},
                .find_more = {},
                .run = [=, base = descrC->base] {
                  int count = 0;
                  for (int i = 0; i < m; ++i) {
                    at(offsets)[i] = count + base;
                    std::map<int, int> row;
                    a.for_each_in(i, [&](int col, int) { row[col] = 1; });
                    b.for_each_in(i, [&](int col, int) { row[col] = 1; });
                    count += static_cast<int>(row.size());
                  }
                  at(offsets)[m] = count + base;
                  *at(total) = count;
                }};
  a.add_to(work.operands);
  b.add_to(work.operands);
  const bool waits = waits_for_total(handle, work.operands, total);
  return run(handle, work, waits);
}

// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_OF_TYPE(P, T, type)                                                                \
  cusparseStatus_t cusparse##P##nnz(cusparseHandle_t handle, cusparseDirection_t direction, int m, \
                                    int n, const cusparseMatDescr_t descr, const T* a, int lda,    \
                                    int* of_each, int* total) {                                    \
    return count<T>(handle, __func__, direction, m, n, descr, a, lda, of_each, total);             \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrgeam2_bufferSizeExt(                                            \
      cusparseHandle_t handle, int, int, const T*, const cusparseMatDescr_t, int, const T*,        \
      const int*, const int*, const T*, const cusparseMatDescr_t, int, const T*, const int*,       \
      const int*, const cusparseMatDescr_t, const T*, const int*, const int*, size_t* size) {      \
    return no_buffer(handle, size);                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##P##csrgeam2(                                                          \
      cusparseHandle_t handle, int m, int n, const T* alpha, const cusparseMatDescr_t descrA,      \
      int nnzA, const T* valuesA, const int* offsetsA, const int* indicesA, const T* beta,         \
      const cusparseMatDescr_t descrB, int nnzB, const T* valuesB, const int* offsetsB,            \
      const int* indicesB, const cusparseMatDescr_t descrC, T* values, int* offsets, int* indices, \
      void*) {                                                                                     \
    return add<T>(handle, __func__, type, m, n, alpha, descrA, nnzA, valuesA, offsetsA, indicesA,  \
                  beta, descrB, nnzB, valuesB, offsetsB, indicesB, descrC, values, offsets,        \
                  indices);                                                                        \
  }
// NOLINTEND(bugprone-macro-parentheses)
GPUTEST_OF_TYPE(S, float, CUDA_R_32F)
GPUTEST_OF_TYPE(D, double, CUDA_R_64F)
GPUTEST_OF_TYPE(C, cuComplex, CUDA_C_32F)
GPUTEST_OF_TYPE(Z, cuDoubleComplex, CUDA_C_64F)

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* p) {
  Call call(handle, __func__);
  call.require(n >= 0);
  call.add(written(ints("p", p, n)));
  return call.run([=] { std::iota(at(p), at(p) + n, 0); });
}
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int*,
                                                const int*, size_t* size) {
  return no_buffer(handle, size);
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int, int, int nnz, int* rows,
                                       int* cols, int* p, void*) {
  return sort_pairs(handle, __func__, nnz, rows, cols, p);
}
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int, int, int nnz, int* rows,
                                          int* cols, int* p, void*) {
  return sort_pairs(handle, __func__, nnz, cols, rows, p);
}
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int*,
                                                const int*, size_t* size) {
  return no_buffer(handle, size);
}
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int, int nnz,
                                  const cusparseMatDescr_t descr, const int* offsets, int* indices,
                                  int* p, void*) {
  return sort_lines(handle, __func__, m, nnz, descr, offsets, indices, p);
}
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int*,
                                                const int*, size_t* size) {
  return no_buffer(handle, size);
}
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int, int n, int nnz,
                                  const cusparseMatDescr_t descr, const int* offsets, int* indices,
                                  int* p, void*) {
  return sort_lines(handle, __func__, n, nnz, descr, offsets, indices, p);
}
}
