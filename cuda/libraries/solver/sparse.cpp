// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse systems of cuSOLVER, as band matrices: rows are put into an order of Cuthill and McKee
// (Reducing the Bandwidth of Sparse Symmetric Matrices, 1969), and LAPACK factorises the band.
#include "cuda/libraries/solver/include/cusolverSp.h"

#include "cuda/libraries/solver/call.h"
#include "cuda/libraries/sparse/sparse.h"

#include <cmath>
#include <cstdio>

struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;

namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 30; // of a band

// Each row's neighbours in the pattern of A + A^T.
using Graph = std::vector<std::vector<int>>;

Graph graph_of(int n, const std::vector<sparse::Entry>& entries) {
  Graph graph(static_cast<std::size_t>(n));
  for (const sparse::Entry& entry : entries)
    if (entry.row != entry.col) {
      graph[static_cast<std::size_t>(entry.row)].push_back(static_cast<int>(entry.col));
      graph[static_cast<std::size_t>(entry.col)].push_back(static_cast<int>(entry.row));
    }
  for (std::vector<int>& row : graph) {
    std::ranges::sort(row);
    row.erase(std::ranges::unique(row).begin(), row.end());
  }
  return graph;
}

// Visits what `first` is connected to, nearest first, of equally near ones those of least degree
// first. Appends them to `order`; `is_seen` marks them.
void visit(const Graph& graph, int first, std::vector<bool>& is_seen, std::vector<int>& order) {
  const auto degree = [&](int row) { return graph[static_cast<std::size_t>(row)].size(); };
  is_seen[static_cast<std::size_t>(first)] = true;
  std::size_t next = order.size();
  order.push_back(first);
  for (; next < order.size(); ++next) {
    std::vector<int> neighbours;
    for (const int row : graph[static_cast<std::size_t>(order[next])])
      if (!is_seen[static_cast<std::size_t>(row)]) {
        is_seen[static_cast<std::size_t>(row)] = true;
        neighbours.push_back(row);
      }
    std::ranges::stable_sort(neighbours, {}, degree);
    order.insert(order.end(), neighbours.begin(), neighbours.end());
  }
}

// The reverse order of Cuthill and McKee: result[i] is the row that comes at place i.
std::vector<int> small_band(const Graph& graph) {
  std::vector<int> order;
  std::vector<bool> is_seen(graph.size());
  for (int row = 0; row < static_cast<int>(graph.size()); ++row) {
    if (is_seen[static_cast<std::size_t>(row)])
      continue;
    std::vector<int> part; // its last row is far from the first one: a good beginning
    std::vector<bool> seen = is_seen;
    visit(graph, row, seen, part);
    visit(graph, part.back(), is_seen, order);
  }
  std::ranges::reverse(order);
  return order;
}

// LAPACK's results: 0, or the number, from 1 on, of the first row without a pivot.
// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_BAND(N, letter)                                                                    \
  int solve_lu(int n, int below, int above, N* band, int ld, int* rows, N* x) {                    \
    return GPUTEST_SYSTEM_FUNCTION(solver::lapack, LAPACKE_##letter##gbsv)(                        \
        LAPACK_COL_MAJOR, n, below, above, 1, band, ld, rows, x, n);                               \
  }                                                                                                \
  int solve_cholesky(int n, int below, N* band, int ld, N* x) {                                    \
    return GPUTEST_SYSTEM_FUNCTION(solver::lapack, LAPACKE_##letter##pbsv)(                        \
        LAPACK_COL_MAJOR, 'L', n, below, 1, band, ld, x, n);                                       \
  }
// NOLINTEND(bugprone-macro-parentheses)
GPUTEST_BAND(float, s)
GPUTEST_BAND(double, d)
GPUTEST_BAND(std::complex<float>, c)
GPUTEST_BAND(std::complex<double>, z)
#undef GPUTEST_BAND

template <typename N> N narrow(const sparse::Value& value) {
  if constexpr (std::is_arithmetic_v<N>)
    return static_cast<N>(value.real());
  else
    return N(value);
}

// Solves A x = right. Returns the row with a pivot of at most `tolerance`, or -1. Rows that are too
// far apart for the memory leave x as it is, with a message.
template <typename N>
int solve(const sparse::Matrix& matrix, const std::string& call, bool is_cholesky, const N* right,
          double tolerance, N* x) {
  const int n = static_cast<int>(matrix.rows);
  if (n == 0)
    return -1;
  const std::vector<sparse::Entry> entries = sparse::entries_of(matrix, call);
  const std::vector<int> order = small_band(graph_of(n, entries));
  std::vector<int> place(order.size());
  for (int i = 0; i < n; ++i)
    place[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = i;
  const auto at_place = [&](std::int64_t row) { return place[static_cast<std::size_t>(row)]; };
  int below = 0, above = 0;
  for (const sparse::Entry& entry : entries) {
    below = std::max(below, at_place(entry.row) - at_place(entry.col));
    above = std::max(above, at_place(entry.col) - at_place(entry.row));
  }
  // LAPACK's layouts of bands: the diagonal is in row `diagonal`. LU's rows above it take what
  // pivoting moves there; Cholesky's factorisation has the lower triangle alone.
  const std::size_t diagonal = is_cholesky ? 0 : static_cast<std::size_t>(below + above);
  const std::size_t ld = diagonal + static_cast<std::size_t>(below) + 1;
  if (ld * static_cast<std::size_t>(n) * sizeof(N) > kMostBytes) {
    std::fprintf(stderr,
                 "gputest-cuda: error: %s: the band of this matrix of %d rows is too wide\n",
                 call.c_str(), n);
    return 0;
  }
  std::vector<N> band(ld * static_cast<std::size_t>(n)), solution;
  for (const sparse::Entry& entry : entries) {
    const int row = at_place(entry.row), col = at_place(entry.col);
    if (!is_cholesky || row >= col)
      band[static_cast<std::size_t>(col) * ld + diagonal + static_cast<std::size_t>(row - col)] +=
          narrow<N>(entry.value);
  }
  for (const int row : order)
    solution.push_back(right[row]);
  std::vector<int> pivots(static_cast<std::size_t>(std::max(1, n)));
  const int info =
      is_cholesky ? solve_cholesky(n, below, band.data(), static_cast<int>(ld), solution.data())
                  : solve_lu(n, below, above, band.data(), static_cast<int>(ld), pivots.data(),
                             solution.data());
  for (int i = 0; i < n; ++i)
    if (info == i + 1 || std::abs(band[static_cast<std::size_t>(i) * ld + diagonal]) <= tolerance)
      return order[static_cast<std::size_t>(i)];
  for (int i = 0; i < n; ++i)
    x[order[static_cast<std::size_t>(i)]] = solution[static_cast<std::size_t>(i)];
  return -1;
}

template <typename T, typename R>
cusolverStatus_t solve(cusolverSpHandle_t handle, const char* name, int m, int nnz,
                       const cusparseMatDescr_t descr, cudaDataType type, const T* values,
                       const int* offsets, const int* indices, const T* b, R tolerance, T* x,
                       int* singularity, bool is_on_host, bool is_cholesky) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!descr || m < 1 || nnz < 0 || !singularity) // an H200 refuses an empty matrix, too
    return CUSOLVER_STATUS_INVALID_VALUE;
  if (descr->type != CUSPARSE_MATRIX_TYPE_GENERAL)
    return CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
  const sparse::Matrix matrix =
      sparse::square_of(m, nnz, descr, type, const_cast<T*>(values), offsets, indices);
  const std::string call = std::string(name) + "()";
  const auto run = [=] {
    *singularity = solve<Number<T>>(matrix, call, is_cholesky, solver::numbers(b),
                                    static_cast<double>(tolerance), solver::numbers(x));
  };
  if (is_on_host) {
    run();
    return CUSOLVER_STATUS_SUCCESS;
  }
  HostWork work{.call = call, .operands = {}, .find_more = {}, .run = run};
  const auto count = static_cast<std::int64_t>(nnz);
  work.operands.push_back(read(vector_of("csrRowPtr", offsets, m + 1, 1, sizeof(int))));
  work.operands.push_back(read(vector_of("csrColInd", indices, count, 1, sizeof(int))));
  work.operands.push_back(read(vector_of("csrVal", values, count, 1, sizeof(T))));
  work.operands.push_back(read(vector_of("b", b, m, 1, sizeof(T))));
  work.operands.push_back(written(vector_of("x", x, m, 1, sizeof(T))));
  return gputest_cuda_host_work(handle->stream, work) == cudaSuccess &&
                 cudaStreamSynchronize(handle->stream) == cudaSuccess
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_EXECUTION_FAILED;
}

} // namespace

extern "C" {
cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle) {
  if (!handle)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (!solver::open_lapack() || cudaFree(nullptr) != cudaSuccess)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  *handle = new cusolverSpContext;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle) {
  delete handle;
  return handle ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_INITIALIZED;
}
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* stream) {
  if (!handle || !stream)
    return handle ? CUSOLVER_STATUS_INVALID_VALUE : CUSOLVER_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t handle, int n, int nnz,
                                          const cusparseMatDescr_t descr, const int* offsets,
                                          const int* indices, int* p) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!descr || n < 0 || nnz < 0 || !offsets || !indices || !p)
    return CUSOLVER_STATUS_INVALID_VALUE;
  const sparse::Matrix matrix =
      sparse::square_of(n, nnz, descr, CUDA_R_32F, nullptr, offsets, indices);
  const std::vector<sparse::Entry> entries =
      sparse::entries_of(matrix, std::string(__func__) + "()");
  std::ranges::copy(small_band(graph_of(n, entries)), p);
  return CUSOLVER_STATUS_SUCCESS;
}

// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_SOLVER(P, T, R, data_type, name, is_on_host, is_cholesky)                          \
  cusolverStatus_t cusolverSp##P##name(                                                            \
      cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t descr, const T* values,  \
      const int* offsets, const int* indices, const T* b, R tol, int, T* x, int* singularity) {    \
    return solve(handle, __func__, m, nnz, descr, data_type, values, offsets, indices, b, tol, x,  \
                 singularity, is_on_host, is_cholesky);                                            \
  }
#define GPUTEST_SOLVERS(P, T, R, data_type)                                                        \
  GPUTEST_SOLVER(P, T, R, data_type, csrlsvluHost, true, false)                                    \
  GPUTEST_SOLVER(P, T, R, data_type, csrlsvqrHost, true, false)                                    \
  GPUTEST_SOLVER(P, T, R, data_type, csrlsvqr, false, false)                                       \
  GPUTEST_SOLVER(P, T, R, data_type, csrlsvcholHost, true, true)                                   \
  GPUTEST_SOLVER(P, T, R, data_type, csrlsvchol, false, true)
// NOLINTEND(bugprone-macro-parentheses)
GPUTEST_SOLVERS(S, float, float, CUDA_R_32F)
GPUTEST_SOLVERS(D, double, double, CUDA_R_64F)
GPUTEST_SOLVERS(C, cuComplex, float, CUDA_C_32F)
GPUTEST_SOLVERS(Z, cuDoubleComplex, double, CUDA_C_64F)
}
