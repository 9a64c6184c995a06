// cuSPARSE against dense loops: products, triangular systems, and conversions between formats.
// Link: -lcusparse
#include "matrices.h"

#include <algorithm>
#include <numeric>

static cusparseHandle_t handle;

template <typename N> static void products() {
  const int m = random_int(1, 12), n = random_int(1, 12), k = random_int(1, 8);
  const auto operation = static_cast<cusparseOperation_t>(random_int(0, kIsComplex<N> ? 2 : 1));
  const cudaDataType type = TypeOf<N>::value;
  const N alpha = random_number<N>(), beta = random_int(0, 1) ? random_number<N>() : N(0);
  const Dense<N> a(m, n);
  const Sparse<N> sparse(a, random_format());
  const Dense<N> whole = op(a, operation);
  Both<N> x(random_numbers<N>(whole.cols)), y(random_numbers<N>(whole.rows));
  cusparseDnVecDescr_t of_x = nullptr, of_y = nullptr;
  PASSES(cusparseCreateDnVec(&of_x, whole.cols, x.device, type));
  PASSES(cusparseCreateDnVec(&of_y, whole.rows, y.device, type));
  Buffer buffer;
  PASSES(cusparseSpMV_bufferSize(handle, operation, &alpha, sparse.descr, of_x, &beta, of_y, type,
                                 CUSPARSE_SPMV_ALG_DEFAULT, &buffer.size));
  PASSES(cusparseSpMV(handle, operation, &alpha, sparse.descr, of_x, &beta, of_y, type,
                      CUSPARSE_SPMV_ALG_DEFAULT, buffer.get()));
  for (int i = 0; i < whole.rows; ++i) {
    N sum{};
    for (int j = 0; j < whole.cols; ++j)
      sum += whole(i, j) * x.host[size_t(j)];
    y.host[size_t(i)] = alpha * sum + beta * y.host[size_t(i)];
  }
  EXPECT(is_close(y.get(), y.host, n + m));
  cusparseDestroyDnVec(of_x);
  cusparseDestroyDnVec(of_y);

  const auto of_b = static_cast<cusparseOperation_t>(random_int(0, 1));
  Dense<N> b(whole.cols, k), c(whole.rows, k);
  DenseOnDevice<N> right(op(b, of_b)), result(c);
  Buffer work;
  PASSES(cusparseSpMM_bufferSize(handle, operation, of_b, &alpha, sparse.descr, right.descr, &beta,
                                 result.descr, type, CUSPARSE_SPMM_ALG_DEFAULT, &work.size));
  PASSES(cusparseSpMM(handle, operation, of_b, &alpha, sparse.descr, right.descr, &beta,
                      result.descr, type, CUSPARSE_SPMM_ALG_DEFAULT, work.get()));
  const Dense<N> sums = product(whole, b);
  for (size_t i = 0; i < c.values.size(); ++i)
    c.values[i] = alpha * sums.values[i] + beta * c.values[i];
  EXPECT(is_close(result.values.get(), result.ordered(c), n + m));
}

template <typename N> static void sparse_products() {
  const int m = random_int(1, 10), k = random_int(1, 10), n = random_int(1, 10);
  const Dense<N> a(m, k), b(k, n);
  const Sparse<N> left(a, CUSPARSE_FORMAT_CSR, 0), right(b, CUSPARSE_FORMAT_CSR, 0);
  const N alpha = random_number<N>(), beta = N(0);
  const cudaDataType type = TypeOf<N>::value;
  const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const Both<int> offsets(std::vector<int>(size_t(m) + 1));
  cusparseSpMatDescr_t c = nullptr;
  cusparseSpGEMMDescr_t descr = nullptr;
  PASSES(cusparseCreateCsr(&c, m, n, 0, offsets.device, nullptr, nullptr, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
  PASSES(cusparseSpGEMM_createDescr(&descr));
  Buffer first, second;
  PASSES(cusparseSpGEMM_workEstimation(handle, plain, plain, &alpha, left.descr, right.descr, &beta,
                                       c, type, CUSPARSE_SPGEMM_DEFAULT, descr, &first.size,
                                       nullptr));
  PASSES(cusparseSpGEMM_workEstimation(handle, plain, plain, &alpha, left.descr, right.descr, &beta,
                                       c, type, CUSPARSE_SPGEMM_DEFAULT, descr, &first.size,
                                       first.get()));
  PASSES(cusparseSpGEMM_compute(handle, plain, plain, &alpha, left.descr, right.descr, &beta, c,
                                type, CUSPARSE_SPGEMM_DEFAULT, descr, &second.size, nullptr));
  PASSES(cusparseSpGEMM_compute(handle, plain, plain, &alpha, left.descr, right.descr, &beta, c,
                                type, CUSPARSE_SPGEMM_DEFAULT, descr, &second.size, second.get()));
  int64_t rows = 0, cols = 0, count = 0;
  PASSES(cusparseSpMatGetSize(c, &rows, &cols, &count));
  const Both<int> indices{std::vector<int>(size_t(count))};
  const Both<N> values{std::vector<N>(size_t(count))};
  PASSES(cusparseCsrSetPointers(c, offsets.device, indices.device, values.device));
  PASSES(cusparseSpGEMM_copy(handle, plain, plain, &alpha, left.descr, right.descr, &beta, c, type,
                             CUSPARSE_SPGEMM_DEFAULT, descr));
  Dense<N> got(m, n, false);
  const auto ends = offsets.get(), columns = indices.get();
  const auto numbers = values.get();
  for (int i = 0; i < m; ++i)
    for (int q = ends[size_t(i)]; q < ends[size_t(i) + 1]; ++q)
      got(i, columns[size_t(q)]) += numbers[size_t(q)];
  Dense<N> want = product(a, b);
  for (N& value : want.values)
    value *= alpha;
  EXPECT(is_close(got.values, want.values, k));
  cusparseSpGEMM_destroyDescr(descr);
  cusparseDestroySpMat(c);
}

template <typename N> static void triangles() {
  const int n = random_int(1, 10);
  Dense<N> a(n, n);
  for (int i = 0; i < n; ++i)
    a(i, i) = N(4);
  const Sparse<N> sparse(a, CUSPARSE_FORMAT_CSR);
  cusparseFillMode_t fill = random_int(0, 1) ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
  cusparseDiagType_t diagonal =
      random_int(0, 1) ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
  PASSES(cusparseSpMatSetAttribute(sparse.descr, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  PASSES(cusparseSpMatSetAttribute(sparse.descr, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                                   sizeof diagonal));
  const auto operation = static_cast<cusparseOperation_t>(random_int(0, 1));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i == j && diagonal == CUSPARSE_DIAG_TYPE_UNIT)
        a(i, j) = N(1);
      else if (i != j && (i > j) != (fill == CUSPARSE_FILL_MODE_LOWER))
        a(i, j) = N(0);
  const Dense<N> whole = op(a, operation);
  const N alpha = random_number<N>();
  const Both<N> x(random_numbers<N>(n)), y(std::vector<N>(size_t(n), N(0)));
  cusparseDnVecDescr_t of_x = nullptr, of_y = nullptr;
  cusparseSpSVDescr_t descr = nullptr;
  const cudaDataType type = TypeOf<N>::value;
  PASSES(cusparseCreateDnVec(&of_x, n, x.device, type));
  PASSES(cusparseCreateDnVec(&of_y, n, y.device, type));
  PASSES(cusparseSpSV_createDescr(&descr));
  Buffer buffer;
  PASSES(cusparseSpSV_bufferSize(handle, operation, &alpha, sparse.descr, of_x, of_y, type,
                                 CUSPARSE_SPSV_ALG_DEFAULT, descr, &buffer.size));
  PASSES(cusparseSpSV_analysis(handle, operation, &alpha, sparse.descr, of_x, of_y, type,
                               CUSPARSE_SPSV_ALG_DEFAULT, descr, buffer.get()));
  PASSES(cusparseSpSV_solve(handle, operation, &alpha, sparse.descr, of_x, of_y, type,
                            CUSPARSE_SPSV_ALG_DEFAULT, descr));
  const std::vector<N> got = y.get();
  std::vector<N> back, want;
  for (int i = 0; i < n; ++i) {
    back.emplace_back();
    for (int j = 0; j < n; ++j)
      back.back() += whole(i, j) * got[size_t(j)];
    want.push_back(alpha * x.host[size_t(i)]);
  }
  EXPECT(is_close(back, want, 100));
  cusparseSpSV_destroyDescr(descr);
  cusparseDestroyDnVec(of_x);
  cusparseDestroyDnVec(of_y);

  // Several right sides, in a matrix.
  const int k = random_int(1, 4);
  const auto of_b = static_cast<cusparseOperation_t>(random_int(0, 1));
  const Dense<N> b(n, k);
  DenseOnDevice<N> right(op(b, of_b)), result(Dense<N>(n, k));
  cusparseSpSMDescr_t many = nullptr;
  PASSES(cusparseSpSM_createDescr(&many));
  Buffer work;
  PASSES(cusparseSpSM_bufferSize(handle, operation, of_b, &alpha, sparse.descr, right.descr,
                                 result.descr, type, CUSPARSE_SPSM_ALG_DEFAULT, many, &work.size));
  PASSES(cusparseSpSM_analysis(handle, operation, of_b, &alpha, sparse.descr, right.descr,
                               result.descr, type, CUSPARSE_SPSM_ALG_DEFAULT, many, work.get()));
  PASSES(cusparseSpSM_solve(handle, operation, of_b, &alpha, sparse.descr, right.descr,
                            result.descr, type, CUSPARSE_SPSM_ALG_DEFAULT, many));
  Dense<N> solved(n, k, false), scaled = b;
  const std::vector<N> values = result.values.get();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < k; ++j) {
      solved(i, j) = values[size_t(result.order == CUSPARSE_ORDER_ROW ? i * k + j : j * n + i)];
      scaled(i, j) *= alpha;
    }
  EXPECT(is_close(product(whole, solved).values, scaled.values, 100));
  cusparseSpSM_destroyDescr(many);
}

// Dense products where a sparse matrix has elements, for two matrices of each kind.
template <typename N> static void sampled() {
  const int m = random_int(1, 8), n = random_int(1, 8), k = random_int(1, 6);
  const auto of_a = static_cast<cusparseOperation_t>(random_int(0, 1)),
             of_b = static_cast<cusparseOperation_t>(random_int(0, 1));
  const N alpha = random_number<N>(), beta = random_int(0, 1) ? random_number<N>() : N(0);
  const cudaDataType type = TypeOf<N>::value;
  const Dense<N> pattern(m, n);
  const Sparse<N> c(pattern, CUSPARSE_FORMAT_CSR);
  const int nnz = int(c.values.size()), a_rows = of_a ? k : m, a_cols = of_a ? m : k,
            b_rows = of_b ? n : k;
  const Both<N> a(random_numbers<N>(2 * m * k)), b(random_numbers<N>(2 * k * n)),
      values(random_numbers<N>(2 * nnz));
  std::vector<int> columns = c.indices; // both matrices have their own
  columns.insert(columns.end(), c.indices.begin(), c.indices.end());
  const Both<int> offsets(c.offsets), indices(columns);
  cusparseDnMatDescr_t left = nullptr, right = nullptr;
  cusparseSpMatDescr_t result = nullptr;
  PASSES(cusparseCreateDnMat(&left, a_rows, a_cols, a_cols, a.device, type, CUSPARSE_ORDER_ROW));
  PASSES(cusparseCreateDnMat(&right, b_rows, of_b ? k : n, b_rows, b.device, type,
                             CUSPARSE_ORDER_COL));
  PASSES(cusparseCreateCsr(&result, m, n, nnz, offsets.device, indices.device, values.device,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           c.base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO, type));
  PASSES(cusparseDnMatSetStridedBatch(left, 2, m * k));
  PASSES(cusparseDnMatSetStridedBatch(right, 2, k * n));
  PASSES(cusparseCsrSetStridedBatch(result, 2, 0, nnz)); // the rows are those of both
  Buffer buffer;
  PASSES(cusparseSDDMM_bufferSize(handle, of_a, of_b, &alpha, left, right, &beta, result, type,
                                  CUSPARSE_SDDMM_ALG_DEFAULT, &buffer.size));
  PASSES(cusparseSDDMM_preprocess(handle, of_a, of_b, &alpha, left, right, &beta, result, type,
                                  CUSPARSE_SDDMM_ALG_DEFAULT, buffer.get()));
  cusparseStatus_t status = cusparseSDDMM(handle, of_a, of_b, &alpha, left, right, &beta, result,
                                          type, CUSPARSE_SDDMM_ALG_DEFAULT, buffer.data);
  PASSES(status);
  std::vector<N> want;
  for (int which = 0; which < 2; ++which)
    for (int i = 0, q = 0; i < m; ++i)
      for (; q < c.offsets[size_t(i) + 1] - c.base; ++q) {
        const int j = c.indices[size_t(q)] - c.base;
        N sum{};
        for (int l = 0; l < k; ++l)
          sum += a.host[size_t(which * m * k + (of_a ? l * m + i : i * k + l))] *
                 b.host[size_t(which * k * n + (of_b ? l * n + j : j * k + l))];
        want.push_back(alpha * sum + beta * values.host[size_t(which * nnz + q)]);
      }
  EXPECT(is_close(values.get(), want, 2 * k));
  cusparseDestroyDnMat(left);
  cusparseDestroyDnMat(right);
  cusparseDestroySpMat(result);
}

// Sums of two matrices, counts of elements, and sorting.
static void patterns() {
  const int m = random_int(1, 8), n = random_int(1, 8);
  const Dense<float> a(m, n), b(m, n);
  const Sparse<float> left(a, CUSPARSE_FORMAT_CSR), right(b, CUSPARSE_FORMAT_CSR, left.base);
  cusparseMatDescr_t of_a = nullptr, of_b = nullptr, of_c = nullptr; // CUDA 13 wants one base for all
  for (cusparseMatDescr_t* descr : {&of_a, &of_b, &of_c})
    PASSES(cusparseCreateMatDescr(descr));
  const int base = left.base;
  for (const cusparseMatDescr_t descr : {of_a, of_b, of_c})
    PASSES(cusparseSetMatIndexBase(descr, base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO));
  const int nnz_a = int(left.values.size()), nnz_b = int(right.values.size());
  const float alpha = 2, beta = 3;
  Dense<float> sum(m, n, false);
  for (size_t i = 0; i < sum.values.size(); ++i)
    sum.values[i] = alpha * a.values[i] + beta * b.values[i];
  const Both<int> offsets(std::vector<int>(size_t(m) + 1));
  Buffer buffer;
  PASSES(cusparseScsrgeam2_bufferSizeExt(
      handle, m, n, &alpha, of_a, nnz_a, left.of_values.device, left.of_offsets.device,
      left.of_indices.device, &beta, of_b, nnz_b, right.of_values.device, right.of_offsets.device,
      right.of_indices.device, of_c, nullptr, offsets.device, nullptr, &buffer.size));
  int count = -1;
  PASSES(cusparseXcsrgeam2Nnz(handle, m, n, of_a, nnz_a, left.of_offsets.device,
                              left.of_indices.device, of_b, nnz_b, right.of_offsets.device,
                              right.of_indices.device, of_c, offsets.device, &count, buffer.get()));
  const Both<int> indices{std::vector<int>(size_t(count))};
  const Both<float> values{std::vector<float>(size_t(count))};
  PASSES(cusparseScsrgeam2(handle, m, n, &alpha, of_a, nnz_a, left.of_values.device,
                           left.of_offsets.device, left.of_indices.device, &beta, of_b, nnz_b,
                           right.of_values.device, right.of_offsets.device, right.of_indices.device,
                           of_c, values.device, offsets.device, indices.device, buffer.data));
  Dense<float> got(m, n, false);
  const std::vector<int> ends = offsets.get(), columns = indices.get();
  const std::vector<float> numbers = values.get();
  for (int i = 0; i < m && count > 0; ++i) // NVIDIA's writes no offsets where nothing is
    for (int q = ends[size_t(i)] - base; q < ends[size_t(i) + 1] - base; ++q)
      got(i, columns[size_t(q)] - base) = numbers[size_t(q)];
  EXPECT(is_close(got.values, sum.values, 2) && (count == 0 || ends.back() == count + base));

  // A dense matrix by columns: how many of its elements are not zero.
  const Both<float> dense(op(a, CUSPARSE_OPERATION_TRANSPOSE).values);
  const Both<int> of_rows(std::vector<int>(size_t(m), 0)),
      of_columns(std::vector<int>(size_t(n), 0));
  int all = -1, again = -1;
  PASSES(cusparseSnnz(handle, CUSPARSE_DIRECTION_ROW, m, n, of_c, dense.device, m, of_rows.device,
                      &all));
  PASSES(cusparseSnnz(handle, CUSPARSE_DIRECTION_COLUMN, m, n, of_c, dense.device, m,
                      of_columns.device, &again));
  EXPECT(all == nnz_a && again == nnz_a);
  for (int i = 0; i < m; ++i)
    EXPECT(of_rows.get()[size_t(i)] == left.offsets[size_t(i) + 1] - left.offsets[size_t(i)]);
  for (int j = 0; j < n; ++j)
    EXPECT(of_columns.get()[size_t(j)] == std::count_if(dense.host.begin() + j * m,
                                                        dense.host.begin() + (j + 1) * m,
                                                        [](float value) { return value != 0; }));

  // The elements in another order, and back.
  const Sparse<float> coo(a, CUSPARSE_FORMAT_COO);
  std::vector<int> order(size_t(nnz_a), 0);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), generator());
  std::vector<int> rows, cols;
  for (const int from : order) {
    rows.push_back(coo.offsets[size_t(from)]);
    cols.push_back(coo.indices[size_t(from)]);
  }
  const Both<int> mixed_rows(rows), mixed_cols(cols), places(order);
  PASSES(cusparseCreateIdentityPermutation(handle, nnz_a, places.device));
  Buffer work;
  PASSES(cusparseXcoosort_bufferSizeExt(handle, m, n, nnz_a, mixed_rows.device, mixed_cols.device,
                                        &work.size));
  PASSES(cusparseXcoosortByRow(handle, m, n, nnz_a, mixed_rows.device, mixed_cols.device,
                               places.device, work.get()));
  EXPECT(mixed_rows.get() == coo.offsets && mixed_cols.get() == coo.indices);
  const std::vector<int> from = places.get();
  for (int i = 0; i < nnz_a; ++i)
    EXPECT(order[size_t(from[size_t(i)])] == i);
  PASSES(cusparseXcoosortByColumn(handle, m, n, nnz_a, mixed_rows.device, mixed_cols.device,
                                  places.device, work.data));
  const std::vector<int> by_column = mixed_cols.get();
  EXPECT(std::is_sorted(by_column.begin(), by_column.end()));
  std::vector<int> backwards = left.indices;
  for (int i = 0; i < m; ++i)
    std::reverse(backwards.begin() + left.offsets[size_t(i)] - left.base,
                 backwards.begin() + left.offsets[size_t(i) + 1] - left.base);
  const Both<int> reversed(backwards);
  Buffer more;
  PASSES(cusparseXcsrsort_bufferSizeExt(handle, m, n, nnz_a, left.of_offsets.device, reversed.device, &more.size));
  PASSES(cusparseXcsrsort(handle, m, n, nnz_a, of_a, left.of_offsets.device, reversed.device,
                          places.device, more.get()));
  EXPECT(reversed.get() == left.indices);
  for (const cusparseMatDescr_t descr : {of_a, of_b, of_c})
    cusparseDestroyMatDescr(descr);
}

template <typename N> static void conversions() {
  const int m = random_int(1, 10), n = random_int(1, 10);
  const cudaDataType type = TypeOf<N>::value;
  const Dense<N> a(m, n);
  const cusparseFormat_t format = random_format();
  const Sparse<N> sparse(a, format);
  DenseOnDevice<N> dense(Dense<N>(m, n));
  Buffer buffer, work;
  PASSES(cusparseSparseToDense_bufferSize(handle, sparse.descr, dense.descr,
                                          CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &buffer.size));
  PASSES(cusparseSparseToDense(handle, sparse.descr, dense.descr,
                               CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer.get()));
  EXPECT(dense.values.get() == dense.ordered(a));
  // And back, to the same arrays.
  const Sparse<N> wanted(a, format);
  const Both<int> offsets(std::vector<int>(wanted.offsets.size()));
  cusparseSpMatDescr_t made = nullptr;
  const cusparseIndexBase_t base = wanted.base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
  if (format == CUSPARSE_FORMAT_COO)
    PASSES(cusparseCreateCoo(&made, m, n, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I, base,
                             type));
  else
    PASSES((format == CUSPARSE_FORMAT_CSR ? cusparseCreateCsr : cusparseCreateCsc)(
        &made, m, n, 0, offsets.device, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
        base, type));
  PASSES(cusparseDenseToSparse_bufferSize(handle, dense.descr, made,
                                          CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &work.size));
  PASSES(cusparseDenseToSparse_analysis(handle, dense.descr, made,
                                        CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, work.get()));
  int64_t rows = 0, cols = 0, count = 0;
  PASSES(cusparseSpMatGetSize(made, &rows, &cols, &count));
  EXPECT(rows == m && cols == n && count == int64_t(wanted.values.size()));
  const Both<int> indices{std::vector<int>(size_t(count))};
  const Both<N> values{std::vector<N>(size_t(count))};
  PASSES((format == CUSPARSE_FORMAT_COO ? cusparseCooSetPointers
          : format == CUSPARSE_FORMAT_CSR
              ? cusparseCsrSetPointers
              : cusparseCscSetPointers)(made, offsets.device, indices.device, values.device));
  PASSES(cusparseDenseToSparse_convert(handle, dense.descr, made,
                                       CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, work.data));
  EXPECT(offsets.get() == wanted.offsets && indices.get() == wanted.indices &&
         values.get() == wanted.values);
  cusparseDestroySpMat(made);

  // CSR, COO and CSC
  const Sparse<N> csr(a, CUSPARSE_FORMAT_CSR);
  const int nnz = int(csr.values.size());
  const cusparseIndexBase_t of_csr = csr.base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
  const Both<int> coo(std::vector<int>(csr.values.size())),
      again(std::vector<int>(csr.offsets.size()));
  PASSES(cusparseXcsr2coo(handle, csr.of_offsets.device, nnz, m, coo.device, of_csr));
  PASSES(cusparseXcoo2csr(handle, coo.device, nnz, m, again.device, of_csr));
  EXPECT(again.get() == csr.offsets);
  const Both<int> csc_offsets(std::vector<int>(size_t(n) + 1)),
      csc_rows{std::vector<int>(size_t(nnz))};
  const Both<N> csc_values{std::vector<N>(size_t(nnz))};
  Buffer of_csc;
  PASSES(cusparseCsr2cscEx2_bufferSize(
      handle, m, n, nnz, csr.of_values.device, csr.of_offsets.device, csr.of_indices.device,
      csc_values.device, csc_offsets.device, csc_rows.device, type, CUSPARSE_ACTION_NUMERIC, of_csr,
      CUSPARSE_CSR2CSC_ALG_DEFAULT, &of_csc.size));
  PASSES(cusparseCsr2cscEx2(handle, m, n, nnz, csr.of_values.device, csr.of_offsets.device,
                            csr.of_indices.device, csc_values.device, csc_offsets.device,
                            csc_rows.device, type, CUSPARSE_ACTION_NUMERIC, of_csr,
                            CUSPARSE_CSR2CSC_ALG_DEFAULT, of_csc.get()));
  Dense<N> got(m, n, false);
  const auto ends = csc_offsets.get(), of_rows = csc_rows.get();
  const auto numbers = csc_values.get();
  for (int j = 0; j < n; ++j)
    for (int q = ends[size_t(j)] - csr.base; q < ends[size_t(j) + 1] - csr.base; ++q)
      got(of_rows[size_t(q)] - csr.base, j) = numbers[size_t(q)];
  EXPECT(got.values == a.values);
}

// Blocks, and their product with a vector.
static void blocks() {
  const int block = random_int(2, 3), mb = random_int(1, 4), nb = random_int(1, 4), m = mb * block,
            n = nb * block;
  const Dense<float> a(m, n);
  const Sparse<float> csr(a, CUSPARSE_FORMAT_CSR);
  cusparseMatDescr_t from = nullptr, to = nullptr;
  PASSES(cusparseCreateMatDescr(&from));
  PASSES(cusparseCreateMatDescr(&to));
  PASSES(
      cusparseSetMatIndexBase(from, csr.base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO));
  const auto direction = random_int(0, 1) ? CUSPARSE_DIRECTION_ROW : CUSPARSE_DIRECTION_COLUMN;
  const Both<int> offsets(std::vector<int>(size_t(mb) + 1));
  int count = -1;
  PASSES(cusparseXcsr2bsrNnz(handle, direction, m, n, from, csr.of_offsets.device,
                             csr.of_indices.device, block, to, offsets.device, &count));
  const Both<int> indices{std::vector<int>(size_t(count))};
  const Both<float> values(std::vector<float>(size_t(count) * block * block));
  PASSES(cusparseScsr2bsr(handle, direction, m, n, from, csr.of_values.device,
                          csr.of_offsets.device, csr.of_indices.device, block, to, values.device,
                          offsets.device, indices.device));
  const float alpha = 2, beta = 0;
  const Both<float> x(random_numbers<float>(n)), y{std::vector<float>(size_t(m))};
  PASSES(cusparseSbsrmv(handle, direction, CUSPARSE_OPERATION_NON_TRANSPOSE, mb, nb, count, &alpha,
                        to, values.device, offsets.device, indices.device, block, x.device, &beta,
                        y.device));
  std::vector<float> want;
  for (int i = 0; i < m; ++i) {
    want.push_back(0);
    for (int j = 0; j < n; ++j)
      want.back() += alpha * a(i, j) * x.host[size_t(j)];
  }
  EXPECT(is_close(y.get(), want, n));
  cusparseDestroyMatDescr(from);
  cusparseDestroyMatDescr(to);
}

static void vectors() {
  const std::vector<float> values{1, 2, 3};
  const Both<float> x(values), y({10, 20, 30, 40, 50});
  const Both<int> places({0, 2, 4});
  cusparseSpVecDescr_t sparse = nullptr;
  cusparseDnVecDescr_t dense = nullptr;
  PASSES(cusparseCreateSpVec(&sparse, 5, 3, places.device, x.device, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  PASSES(cusparseCreateDnVec(&dense, 5, y.device, CUDA_R_32F));
  const float alpha = 2, beta = 3;
  PASSES(cusparseAxpby(handle, &alpha, sparse, &beta, dense));
  EXPECT(y.get() == (std::vector<float>{32, 60, 94, 120, 156}));
  float dot = 0;
  size_t size = 0;
  PASSES(cusparseSpVV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, sparse, dense, &dot,
                                 CUDA_R_32F, &size));
  Buffer buffer{size};
  PASSES(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, sparse, dense, &dot, CUDA_R_32F,
                      buffer.get()));
  EXPECT(dot == 32 + 2 * 94 + 3 * 156);
  PASSES(cusparseScatter(handle, sparse, dense));
  EXPECT(y.get() == (std::vector<float>{1, 60, 2, 120, 3}));
  const std::vector<float> others{5, 6, 7, 8, 9};
  cudaMemcpy(y.device, others.data(), 5 * sizeof(float), cudaMemcpyHostToDevice);
  PASSES(cusparseGather(handle, dense, sparse));
  EXPECT(x.get() == (std::vector<float>{5, 7, 9}));
  cusparseDestroySpVec(sparse);
  cusparseDestroyDnVec(dense);
}

// Operands that a call only reads, as descriptors of their own, and what descriptors hold.
static void constants() {
  const Both<float> x(std::vector<float>{1, 2, 3}), y(std::vector<float>{0, 0});
  const Both<int> begins({0, 1, 2, 3}), of_columns({0, 1, 0}); // 1 0 3, 0 2 0
  const Both<int> rows({0, 0, 1}), cols({0, 2, 1});
  const Both<float> by_columns(std::vector<float>{1, 2, 3}), by_rows(std::vector<float>{1, 3, 2});
  cusparseConstSpMatDescr_t csc = nullptr, coo = nullptr;
  cusparseConstSpVecDescr_t sparse = nullptr;
  cusparseConstDnVecDescr_t dense = nullptr;
  cusparseDnVecDescr_t result = nullptr;
  const auto k32 = CUSPARSE_INDEX_32I;
  const auto kZero = CUSPARSE_INDEX_BASE_ZERO;
  const auto kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  PASSES(cusparseCreateConstCsc(&csc, 2, 3, 3, begins.device, of_columns.device, by_columns.device,
                                k32, k32, kZero, CUDA_R_32F));
  PASSES(cusparseCreateConstCoo(&coo, 2, 3, 3, rows.device, cols.device, by_rows.device, k32, kZero,
                                CUDA_R_32F));
  PASSES(cusparseCreateConstSpVec(&sparse, 3, 2, cols.device, by_rows.device, k32, kZero,
                                  CUDA_R_32F)); // 1 0 3
  PASSES(cusparseCreateConstDnVec(&dense, 3, x.device, CUDA_R_32F));
  PASSES(cusparseCreateDnVec(&result, 2, y.device, CUDA_R_32F));
  const float one = 1;
  float dot = 0;
  for (cusparseConstSpMatDescr_t matrix : {csc, coo}) { // the second time with the sum so far
    size_t size = 0;
    PASSES(cusparseSpMV_bufferSize(handle, kPlain, &one, matrix, dense, &one, result, CUDA_R_32F,
                                   CUSPARSE_SPMV_ALG_DEFAULT, &size));
    Buffer buffer{size};
    PASSES(cusparseSpMV(handle, kPlain, &one, matrix, dense, &one, result, CUDA_R_32F,
                        CUSPARSE_SPMV_ALG_DEFAULT, buffer.get()));
    PASSES(cusparseSpVV(handle, kPlain, sparse, dense, &dot, CUDA_R_32F, buffer.get()));
    PASSES(cusparseDestroySpMat(matrix));
  }
  EXPECT(y.get() == (std::vector<float>{20, 8}) && dot == 10);
  cusparseSpMatDescr_t changing = nullptr;
  int64_t of[3] = {};
  void* at[3] = {};
  cusparseIndexType_t index = k32;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ONE;
  cudaDataType type = CUDA_R_64F;
  PASSES(cusparseCreateCoo(&changing, 2, 3, 3, rows.device, cols.device, by_rows.device, k32, kZero,
                           CUDA_R_32F));
  PASSES(cusparseCooGet(changing, of, of + 1, of + 2, at, at + 1, at + 2, &index, &base, &type));
  EXPECT(of[0] == 2 && of[1] == 3 && of[2] == 3 && at[0] == rows.device && at[1] == cols.device &&
         at[2] == by_rows.device && base == kZero && type == CUDA_R_32F);
  EXPECT(cusparseCscGet(changing, of, of + 1, of + 2, at, at + 1, at + 2, &index, &index, &base,
                        &type) == CUSPARSE_STATUS_INVALID_VALUE);
  cusparseDestroySpMat(changing);
  cusparseDestroySpVec(sparse);
  cusparseDestroyDnVec(dense);
  cusparseDestroyDnVec(result);
}

// gtsv2 and its like for type T, of which N is the standard library's.
#define TRIDIAGONAL(name, P, N_, T_)                                                               \
  struct name {                                                                                    \
    using N = N_;                                                                                  \
    using T = T_;                                                                                  \
    static constexpr auto size = cusparse##P##gtsv2_bufferSizeExt;                                 \
    static constexpr auto solve = cusparse##P##gtsv2;                                              \
    static constexpr auto size_without = cusparse##P##gtsv2_nopivot_bufferSizeExt;                 \
    static constexpr auto solve_without = cusparse##P##gtsv2_nopivot;                              \
    static constexpr auto batch_size = cusparse##P##gtsv2StridedBatch_bufferSizeExt;               \
    static constexpr auto batch = cusparse##P##gtsv2StridedBatch;                                  \
    static constexpr auto mixed_size = cusparse##P##gtsvInterleavedBatch_bufferSizeExt;            \
    static constexpr auto mixed = cusparse##P##gtsvInterleavedBatch;                               \
  };
TRIDIAGONAL(SingleSystems, S, float, float)
TRIDIAGONAL(DoubleSystems, D, double, double)
TRIDIAGONAL(ComplexSystems, C, std::complex<float>, cuComplex)
TRIDIAGONAL(DoubleComplexSystems, Z, std::complex<double>, cuDoubleComplex)
#undef TRIDIAGONAL

template <typename L> static void tridiagonal() {
  using N = typename L::N;
  using T = typename L::T;
  const int m = random_int(3, 9), n = random_int(1, 3), ld = m + random_int(0, 2);
  for (int way = 0; way < 6; ++way) { // 0: pivots, 1: none, 2: strided, 3 to 5: interleaved
    const bool needs_pivots = way == 0 || way >= 4;
    const auto place = [&](int i, int j) { return size_t(way >= 3 ? i * n + j : j * ld + i); };
    const size_t count = size_t(ld) * n;
    std::vector<N> below = random_numbers<N>(count), on = random_numbers<N>(count),
                   above = random_numbers<N>(count), x = random_numbers<N>(count), b(count);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        if (way < 2 && j > 0) // one matrix for all
          below[place(i, j)] = below[place(i, 0)], on[place(i, j)] = on[place(i, 0)], above[place(i, j)] = above[place(i, 0)];
        else if (!needs_pivots || (i % 2 == 0 && i + 1 == m))
          on[place(i, j)] += N(6);
        else // blocks of two rows whose large numbers are beside the diagonal
          (i % 2 == 0 ? above : below)[place(i, j)] += N(6);
      }
    for (int j = 0; j < n; ++j) {
      below[place(0, j)] = above[place(m - 1, j)] = N(0);
      for (int i = 0; i < m; ++i)
        b[place(i, j)] = on[place(i, j)] * x[place(i, j)] + (i > 0 ? below[place(i, j)] * x[place(i - 1, j)] : N(0)) +
                         (i + 1 < m ? above[place(i, j)] * x[place(i + 1, j)] : N(0));
    }
    const Both<N, T> dl(below), d(on), du(above), side(b);
    Buffer buffer;
    if (way == 0) {
      PASSES(L::size(handle, m, n, dl.device, d.device, du.device, side.device, ld, &buffer.size));
      PASSES(L::solve(handle, m, n, dl.device, d.device, du.device, side.device, ld, buffer.get()));
    } else if (way == 1) {
      PASSES(L::size_without(handle, m, n, dl.device, d.device, du.device, side.device, ld, &buffer.size));
      PASSES(L::solve_without(handle, m, n, dl.device, d.device, du.device, side.device, ld, buffer.get()));
    } else if (way == 2) {
      PASSES(L::batch_size(handle, m, dl.device, d.device, du.device, side.device, n, ld, &buffer.size));
      PASSES(L::batch(handle, m, dl.device, d.device, du.device, side.device, n, ld, buffer.get()));
    } else {
      PASSES(L::mixed_size(handle, way - 3, m, dl.device, d.device, du.device, side.device, n, &buffer.size));
      PASSES(L::mixed(handle, way - 3, m, dl.device, d.device, du.device, side.device, n, buffer.get()));
    }
    const std::vector<N> solved = side.get();
    std::vector<N> got, want;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        got.push_back(solved[place(i, j)]), want.push_back(x[place(i, j)]);
    EXPECT(is_close(got, want, 300));
    EXPECT(L::batch(handle, m, dl.device, d.device, du.device, side.device, n, m - 1, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(L::solve(handle, 2, n, dl.device, d.device, du.device, side.device, ld, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
  }
}

static void mistakes() {
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnMatDescr_t dense = nullptr;
  PASSES(cusparseCreateDnMat(&dense, 2, 2, 2, nullptr, CUDA_R_32F, CUSPARSE_ORDER_COL));
  EXPECT(cusparseDnMatSetStridedBatch(dense, 0, 4) == CUSPARSE_STATUS_INVALID_VALUE);
  int count = 0;
  int64_t stride = -1;
  PASSES(cusparseDnMatGetStridedBatch(dense, &count, &stride));
  EXPECT(count == 1 && stride == 0);
  cusparseDestroyDnMat(dense);
  EXPECT(cusparseSnnz(handle, CUSPARSE_DIRECTION_ROW, 2, 2, nullptr, nullptr, 2, nullptr, &count) ==
         CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(cusparseCreateCsr(&matrix, -1, 2, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                           CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
}

template <typename N> static void all() {
  for (int i = 0; i < 2 * repeats(); ++i) {
    products<N>();
    sparse_products<N>();
    triangles<N>();
    sampled<N>();
    conversions<N>();
  }
}

int main() {
  PASSES(cusparseCreate(&handle));
  all<float>(); // the library looks a value's type up when it reads it, so two types are enough
  all<std::complex<double>>();
  for (int i = 0; i < repeats(); ++i)
    blocks(), patterns();
  tridiagonal<SingleSystems>(), tridiagonal<DoubleSystems>();
  tridiagonal<ComplexSystems>(), tridiagonal<DoubleComplexSystems>();
  vectors();
  constants();
  mistakes();
  PASSES(cusparseDestroy(handle));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
