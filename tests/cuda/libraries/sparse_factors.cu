// cuSPARSE against dense loops: incomplete factorisations, SpGEMMreuse, and the formats of ELL.
// Link: -lcusparse
#include "matrices.h"

#include <algorithm>

static cusparseHandle_t handle;
constexpr cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

#define FUNCTIONS(P)                                                                               \
  static constexpr auto lu_size = cusparse##P##csrilu02_bufferSize;                                \
  static constexpr auto lu_analysis = cusparse##P##csrilu02_analysis;                              \
  static constexpr auto lu = cusparse##P##csrilu02;                                                \
  static constexpr auto boost = cusparse##P##csrilu02_numericBoost;                                \
  static constexpr auto cholesky_size = cusparse##P##csric02_bufferSize;                           \
  static constexpr auto cholesky_analysis = cusparse##P##csric02_analysis;                         \
  static constexpr auto cholesky = cusparse##P##csric02;
struct Single {
  using N = float;
  using T = float;
  FUNCTIONS(S)
};
struct DoublePrecision {
  using N = double;
  using T = double;
  FUNCTIONS(D)
};
struct SingleComplex {
  using N = std::complex<float>;
  using T = cuComplex;
  FUNCTIONS(C)
};
struct DoubleComplex {
  using N = std::complex<double>;
  using T = cuDoubleComplex;
  FUNCTIONS(Z)
};

// The textbook's loops, on a dense matrix, where the pattern has elements.
template <typename N> static void incomplete_lu(Dense<N>& a, const Dense<N>& pattern) {
  for (int i = 1; i < a.rows; ++i)
    for (int k = 0; k < i; ++k)
      if (pattern(i, k) != N(0)) {
        a(i, k) /= a(k, k);
        for (int j = k + 1; j < a.cols; ++j)
          if (pattern(i, j) != N(0))
            a(i, j) -= a(i, k) * a(k, j);
      }
}
template <typename N> static void incomplete_cholesky(Dense<N>& a, const Dense<N>& pattern) {
  for (int k = 0; k < a.rows; ++k) {
    a(k, k) = std::sqrt(a(k, k));
    for (int i = k + 1; i < a.rows; ++i)
      if (pattern(i, k) != N(0))
        a(i, k) /= a(k, k);
    for (int j = k + 1; j < a.rows; ++j)
      for (int i = j; i < a.rows; ++i)
        if (pattern(i, j) != N(0))
          a(i, j) -= a(i, k) * conjugate(a(j, k));
  }
}

template <typename L> static void factorisations() {
  using N = typename L::N;
  using T = typename L::T;
  const int n = random_int(1, 10), base = random_int(0, 1);
  Dense<N> a(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j)
      a(i, j) = conjugate(a(j, i));
    a(i, i) = N(n + 1);
  }
  for (const bool is_lu : {true, false}) {
    const Csr<N> square(a, base);
    const int nnz = int(square.values.size());
    const Both<int> offsets(square.offsets), indices(square.indices);
    const Both<N, T> values(square.values);
    csrilu02Info_t lu = nullptr;
    csric02Info_t cholesky = nullptr;
    PASSES(cusparseCreateCsrilu02Info(&lu));
    PASSES(cusparseCreateCsric02Info(&cholesky));
    int size = 0, where = 7;
    Buffer buffer;
    const auto policy = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
    if (is_lu) {
      PASSES(L::lu_size(handle, n, nnz, square.descr, values.device, offsets.device, indices.device, lu, &size));
      buffer.size = size_t(size);
      PASSES(L::lu_analysis(handle, n, nnz, square.descr, values.device, offsets.device, indices.device, lu, policy,
                            buffer.get()));
      PASSES(cusparseXcsrilu02_zeroPivot(handle, lu, &where));
      EXPECT(where == -1);
      PASSES(L::lu(handle, n, nnz, square.descr, values.device, offsets.device, indices.device, lu, policy, buffer.data));
      PASSES(cusparseXcsrilu02_zeroPivot(handle, lu, &where));
    } else {
      PASSES(L::cholesky_size(handle, n, nnz, square.descr, values.device, offsets.device, indices.device, cholesky,
                              &size));
      buffer.size = size_t(size);
      PASSES(L::cholesky_analysis(handle, n, nnz, square.descr, values.device, offsets.device, indices.device, cholesky,
                                  policy, buffer.get()));
      PASSES(L::cholesky(handle, n, nnz, square.descr, values.device, offsets.device, indices.device, cholesky, policy,
                         buffer.data));
      PASSES(cusparseXcsric02_zeroPivot(handle, cholesky, &where));
    }
    EXPECT(where == -1);
    Dense<N> factor = a;
    is_lu ? incomplete_lu(factor, a) : incomplete_cholesky(factor, a);
    std::vector<N> got = values.get(), want, compared;
    size_t k = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (a(i, j) != N(0)) {
          if (is_lu || j <= i) // of Cholesky's the other triangle is of no use
            want.push_back(factor(i, j)), compared.push_back(got[k]);
          ++k;
        }
    EXPECT(is_close(compared, want, 300));
    PASSES(cusparseDestroyCsrilu02Info(lu));
    PASSES(cusparseDestroyCsric02Info(cholesky));
  }
}

// Rows without a pivot, and pivots that are 0.
template <typename L> static void pivots() {
  using N = typename L::N;
  using T = typename L::T;
  const auto where_of = [](std::vector<N> all, bool boosted, std::vector<N>* result, int base = 0) {
    Dense<N> a(2, 2, false);
    a.values = all;
    const Csr<N> square(a, base);
    const int nnz = int(square.values.size());
    const Both<int> offsets(square.offsets), indices(square.indices);
    const Both<N, T> values(square.values);
    Both<char> buffer(std::vector<char>(1 << 16));
    csrilu02Info_t info = nullptr;
    PASSES(cusparseCreateCsrilu02Info(&info));
    double tolerance = 1e-3;
    T instead{};
    reinterpret_cast<Real<N>&>(instead) = 2;
    PASSES(L::boost(handle, info, boosted, &tolerance, &instead));
    const auto policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
    PASSES(L::lu_analysis(handle, 2, nnz, square.descr, values.device, offsets.device, indices.device, info, policy,
                          buffer.device));
    int first = 7, second = 7;
    const bool missing = cusparseXcsrilu02_zeroPivot(handle, info, &first) == CUSPARSE_STATUS_ZERO_PIVOT;
    EXPECT(missing == (first != -1));
    PASSES(L::lu(handle, 2, nnz, square.descr, values.device, offsets.device, indices.device, info, policy,
                 buffer.device));
    const bool zero = cusparseXcsrilu02_zeroPivot(handle, info, &second) == CUSPARSE_STATUS_ZERO_PIVOT;
    EXPECT(zero == (second != -1));
    *result = values.get();
    PASSES(cusparseDestroyCsrilu02Info(info));
    return std::vector<int>{first, second};
  };
  std::vector<N> result;
  EXPECT(where_of({N(1), N(2), N(3), N(0)}, false, &result)[0] == 1);
  EXPECT((where_of({N(1), N(2), N(2), N(4)}, false, &result) == std::vector<int>{-1, 1}));
  EXPECT((where_of({N(1), N(2), N(2), N(4)}, false, &result, 1) == std::vector<int>{-1, 2}));
  EXPECT((where_of({N(1), N(2), N(2), N(4)}, true, &result) == std::vector<int>{-1, -1}));
  EXPECT(result[3] == N(2));
}

// C = alpha A B + beta C, whose pattern is computed once.
template <typename N> static void reused() {
  const int m = random_int(1, 9), n = random_int(1, 9), k = random_int(1, 9), base = random_int(0, 1);
  const cudaDataType type = TypeOf<N>::value;
  const Dense<N> a(m, k), b(k, n);
  const Sparse<N> left(a, CUSPARSE_FORMAT_CSR, base), right(b, CUSPARSE_FORMAT_CSR, base);
  Both<int> offsets(std::vector<int>(size_t(m) + 1));
  cusparseSpMatDescr_t c = nullptr;
  PASSES(cusparseCreateCsr(&c, m, n, 0, offsets.device, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO, type));
  cusparseSpGEMMDescr_t descr = nullptr;
  PASSES(cusparseSpGEMM_createDescr(&descr));
  const auto way = CUSPARSE_SPGEMM_DEFAULT;
  Buffer one, two, three, four, five;
  PASSES(cusparseSpGEMMreuse_workEstimation(handle, plain, plain, left.descr, right.descr, c, way, descr, &one.size,
                                            nullptr));
  PASSES(cusparseSpGEMMreuse_workEstimation(handle, plain, plain, left.descr, right.descr, c, way, descr, &one.size,
                                            one.get()));
  PASSES(cusparseSpGEMMreuse_nnz(handle, plain, plain, left.descr, right.descr, c, way, descr, &two.size, nullptr,
                                 &three.size, nullptr, &four.size, nullptr));
  PASSES(cusparseSpGEMMreuse_nnz(handle, plain, plain, left.descr, right.descr, c, way, descr, &two.size, two.get(),
                                 &three.size, three.get(), &four.size, four.get()));
  int64_t rows = 0, cols = 0, nnz = 0;
  PASSES(cusparseSpMatGetSize(c, &rows, &cols, &nnz));
  std::vector<int> want_offsets{base}, want_indices;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l)
        if (a(i, l) != N(0) && b(l, j) != N(0)) {
          want_indices.push_back(j + base);
          break;
        }
    want_offsets.push_back(int(want_indices.size()) + base);
  }
  EXPECT(rows == m && cols == n && nnz == int64_t(want_indices.size()));
  Both<int> indices(std::vector<int>(size_t(nnz), 0));
  Both<N> values(random_numbers<N>(nnz));
  PASSES(cusparseCsrSetPointers(c, offsets.device, indices.device, values.device));
  PASSES(cusparseSpGEMMreuse_copy(handle, plain, plain, left.descr, right.descr, c, way, descr, &five.size, nullptr));
  PASSES(cusparseSpGEMMreuse_copy(handle, plain, plain, left.descr, right.descr, c, way, descr, &five.size, five.get()));
  EXPECT(offsets.get() == want_offsets && indices.get() == want_indices);
  for (const N beta : {N(0), random_number<N>()}) {
    const N alpha = random_number<N>();
    const std::vector<N> old = values.get();
    PASSES(cusparseSpGEMMreuse_compute(handle, plain, plain, &alpha, left.descr, right.descr, &beta, c, type, way, descr));
    const Dense<N> whole = product(a, b);
    std::vector<N> want;
    for (int i = 0, at = 0; i < m; ++i)
      for (; at < want_offsets[size_t(i) + 1] - base; ++at)
        want.push_back(alpha * whole(i, want_indices[size_t(at)] - base) + (beta == N(0) ? N(0) : beta * old[size_t(at)]));
    EXPECT(is_close(values.get(), want, k));
  }
  PASSES(cusparseSpGEMM_destroyDescr(descr));
  cusparseDestroySpMat(c);
}

template <typename N> static void ell() {
  const cudaDataType type = TypeOf<N>::value;
  const N alpha = random_number<N>(), beta = random_number<N>();
  const int base = random_int(0, 1);
  const auto of_base = base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
  { // Blocks
    const int block = 1 << random_int(1, 2), down = random_int(1, 4), across = random_int(1, 4), width = random_int(1, across);
    Dense<N> a(down * block, across * block, false);
    std::vector<int> columns;
    std::vector<N> values(size_t(a.rows) * width * block);
    for (int r = 0; r < down; ++r) {
      const int filled = random_int(0, width);
      std::vector<int> which(static_cast<size_t>(across));
      for (int c = 0; c < across; ++c)
        which[size_t(c)] = c;
      std::shuffle(which.begin(), which.end(), generator());
      std::sort(which.begin(), which.begin() + filled);
      for (int w = 0; w < width; ++w) {
        columns.push_back(w < filled ? which[size_t(w)] + base : -1);
        for (int i = 0; i < block; ++i)
          for (int j = 0; j < block; ++j) {
            N& value = values[size_t(r * block + i) * width * block + w * block + j];
            value = w < filled ? random_number<N>() : N(0);
            if (w < filled)
              a(r * block + i, which[size_t(w)] * block + j) = value;
          }
      }
    }
    const Both<int> of_columns(columns);
    const Both<N> of_values(values);
    cusparseSpMatDescr_t matrix = nullptr;
    PASSES(cusparseCreateBlockedEll(&matrix, a.rows, a.cols, block, width * block, of_columns.device, of_values.device,
                                    CUSPARSE_INDEX_32I, of_base, type));
    const int n = random_int(1, 5);
    const DenseOnDevice<N> b(Dense<N>(a.cols, n)), c(Dense<N>(a.rows, n));
    Buffer buffer;
    PASSES(cusparseSpMM_bufferSize(handle, plain, plain, &alpha, matrix, b.descr, &beta, c.descr, type,
                                   CUSPARSE_SPMM_BLOCKED_ELL_ALG1, &buffer.size));
    PASSES(cusparseSpMM(handle, plain, plain, &alpha, matrix, b.descr, &beta, c.descr, type, CUSPARSE_SPMM_BLOCKED_ELL_ALG1,
                        buffer.get()));
    Dense<N> want = product(a, b.host);
    for (size_t i = 0; i < want.values.size(); ++i)
      want.values[i] = alpha * want.values[i] + beta * c.host.values[i];
    EXPECT(is_close(c.values.get(), c.ordered(want), 100 * a.cols)); // by tensor cores
    // The same values from a dense matrix; formats that others do not take.
    const DenseOnDevice<N> dense(a);
    const Both<N> copied(std::vector<N>(values.size(), N(7)));
    cusparseSpMatDescr_t copy = nullptr;
    PASSES(cusparseCreateBlockedEll(&copy, a.rows, a.cols, block, width * block, of_columns.device, copied.device,
                                    CUSPARSE_INDEX_32I, of_base, type));
    Buffer converting;
    PASSES(cusparseDenseToSparse_bufferSize(handle, dense.descr, copy, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &converting.size));
    PASSES(cusparseDenseToSparse_analysis(handle, dense.descr, copy, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, converting.get()));
    PASSES(cusparseDenseToSparse_convert(handle, dense.descr, copy, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, converting.data));
    EXPECT(copied.get() == values);
    EXPECT(cusparseSparseToDense(handle, matrix, dense.descr, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, converting.data) ==
           CUSPARSE_STATUS_NOT_SUPPORTED);
    cusparseDestroySpMat(copy);
    int64_t got_block = 0, got_width = 0, rows = 0, cols = 0;
    void *got_columns = nullptr, *got_values = nullptr;
    cusparseIndexType_t index{};
    cusparseIndexBase_t got_base{};
    cudaDataType got_type{};
    PASSES(cusparseBlockedEllGet(matrix, &rows, &cols, &got_block, &got_width, &got_columns, &got_values, &index, &got_base,
                                 &got_type));
    EXPECT(rows == a.rows && cols == a.cols && got_block == block && got_width == width * block &&
           got_columns == of_columns.device && got_values == of_values.device && got_base == of_base && got_type == type);
    cusparseDestroySpMat(matrix);
  }
  // Slices
  const Dense<N> a(random_int(1, 9), random_int(1, 9));
  const int slice = random_int(1, 4), slices = (a.rows + slice - 1) / slice;
  std::vector<int> offsets{base}, columns;
  std::vector<N> values;
  int64_t nnz = 0;
  for (int s = 0; s < slices; ++s) {
    std::vector<std::vector<int>> of_row(static_cast<size_t>(slice));
    size_t width = 0;
    for (int i = 0; i < slice && s * slice + i < a.rows; ++i) {
      for (int j = 0; j < a.cols; ++j)
        if (a(s * slice + i, j) != N(0))
          of_row[size_t(i)].push_back(j), ++nnz;
      width = std::max(width, of_row[size_t(i)].size());
    }
    for (size_t w = 0; w < width; ++w)
      for (int i = 0; i < slice; ++i) {
        const bool is_there = w < of_row[size_t(i)].size();
        columns.push_back(is_there ? of_row[size_t(i)][w] + base : -1);
        values.push_back(is_there ? a(s * slice + i, of_row[size_t(i)][w]) : N(0));
      }
    offsets.push_back(int(values.size()) + base);
  }
  const Both<int> of_offsets(offsets), of_columns(columns);
  const Both<N> of_values(values), x(random_numbers<N>(a.cols)), y(random_numbers<N>(a.rows));
  cusparseSpMatDescr_t matrix = nullptr;
  PASSES(cusparseCreateSlicedEll(&matrix, a.rows, a.cols, nnz, int64_t(values.size()), slice, of_offsets.device,
                                 of_columns.device, of_values.device, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, of_base, type));
  cusparseDnVecDescr_t of_x = nullptr, of_y = nullptr;
  PASSES(cusparseCreateDnVec(&of_x, a.cols, x.device, type));
  PASSES(cusparseCreateDnVec(&of_y, a.rows, y.device, type));
  Buffer buffer;
  PASSES(cusparseSpMV_bufferSize(handle, plain, &alpha, matrix, of_x, &beta, of_y, type, CUSPARSE_SPMV_ALG_DEFAULT,
                                 &buffer.size));
  PASSES(cusparseSpMV(handle, plain, &alpha, matrix, of_x, &beta, of_y, type, CUSPARSE_SPMV_ALG_DEFAULT, buffer.get()));
  std::vector<N> want;
  for (int i = 0; i < a.rows; ++i) {
    N sum{};
    for (int j = 0; j < a.cols; ++j)
      sum += a(i, j) * x.host[size_t(j)];
    want.push_back(alpha * sum + beta * y.host[size_t(i)]);
  }
  EXPECT(is_close(y.get(), want, a.cols));
  cusparseDestroyDnVec(of_x);
  cusparseDestroyDnVec(of_y);
  cusparseDestroySpMat(matrix);
}

static void mistakes() {
  cusparseSpMatDescr_t matrix = nullptr;
  EXPECT(cusparseCreateBlockedEll(&matrix, 4, 4, 3, 3, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                  CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
}

int main() {
  PASSES(cusparseCreate(&handle));
  for (int i = 0; i < 2 * repeats(); ++i) {
    factorisations<Single>(), factorisations<DoublePrecision>();
    factorisations<SingleComplex>(), factorisations<DoubleComplex>();
    reused<float>(), reused<std::complex<double>>();
    ell<float>(), ell<double>();
  }
  pivots<Single>(), pivots<DoublePrecision>(), pivots<SingleComplex>(), pivots<DoubleComplex>();
  mistakes();
  PASSES(cusparseDestroy(handle));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
