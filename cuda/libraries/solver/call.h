// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of cuSOLVER: its operands, and its work by LAPACK.
#pragma once

#include "cuda/libraries/host.h"
#include "cuda/libraries/solver/include/cusolverDn.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#define LAPACK_COMPLEX_CUSTOM
#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapacke.h>

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
};

namespace gputest::cuda::libraries::solver {

extern SystemLibrary lapack;
// Opens LAPACK. Returns false, with a message, if it is missing.
bool open_lapack();

// As LAPACK takes matrices: it writes none of those that are const here.
template <typename T> Number<T>* numbers(T* pointer) {
  return reinterpret_cast<Number<T>*>(const_cast<std::remove_const_t<T>*>(at(pointer)));
}

inline char letter(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L';
}
template <typename T> char letter(cublasOperation_t op) { // real matrices have no conjugates
  return op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_T || std::is_arithmetic_v<T> ? 'T' : 'C';
}
inline char letter(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? 'L' : 'R';
}
inline char letter(cusolverEigMode_t mode) {
  return mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N';
}
inline bool is_valid(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_LOWER || fill == CUBLAS_FILL_MODE_UPPER;
}
inline bool is_upper(cublasFillMode_t fill) {
  return fill == CUBLAS_FILL_MODE_UPPER;
}

// What the program calls, where the function that does it has another name.
inline thread_local const char* asked_as = nullptr; // NOLINT

class Call {
public:
  Call(cusolverDnHandle_t handle, const char* name)
      : handle_(handle), work_{.call = std::string(asked_as ? asked_as : name) + "()",
                               .operands = {},
                               .find_more = {},
                               .run = {}} {
    if (!handle)
      status_ = CUSOLVER_STATUS_NOT_INITIALIZED;
  }
  void require(bool is_met) {
    if (!is_met && status_ == CUSOLVER_STATUS_SUCCESS)
      status_ = CUSOLVER_STATUS_INVALID_VALUE;
  }
  void add(Operand operand) { work_.operands.push_back(std::move(operand)); }
  void find_more(std::function<void(std::vector<Operand>&)> find) {
    work_.find_more = std::move(find);
  }
  // `what` returns LAPACK's result, which goes to `info`. Work areas are LAPACKE's own.
  cusolverStatus_t run(int* info, const std::function<int()>& what) {
    require(info != nullptr);
    add(written(array_of("devInfo", info, sizeof(int))));
    return run([=] { *at(info) = what(); });
  }
  cusolverStatus_t run(std::function<void()> what) {
    if (status_ != CUSOLVER_STATUS_SUCCESS)
      return status_;
    work_.run = std::move(what);
    return gputest_cuda_host_work(handle_->stream, work_) == cudaSuccess
               ? CUSOLVER_STATUS_SUCCESS
               : CUSOLVER_STATUS_EXECUTION_FAILED;
  }
  // Of functions that tell how large the work area is: as many values as a row, which programs can
  // allocate. It is not used.
  cusolverStatus_t size(int rows, int* size) {
    require(size != nullptr && rows >= 0);
    if (status_ == CUSOLVER_STATUS_SUCCESS)
      *size = std::max(1, rows);
    return status_;
  }

private:
  cusolverDnHandle_t handle_;
  HostWork work_;
  cusolverStatus_t status_ = CUSOLVER_STATUS_SUCCESS;
};

// A matrix by columns without gaps.
template <typename N> std::vector<N> packed(const N* a, int rows, int cols, int lda) {
  std::vector<N> result;
  for (int j = 0; j < cols; ++j)
    result.insert(result.end(), a + std::ptrdiff_t{j} * lda, a + std::ptrdiff_t{j} * lda + rows);
  return result;
}
template <typename N> void unpack(const std::vector<N>& from, N* to, int rows, int cols, int ldt) {
  for (int j = 0; j < cols; ++j)
    std::copy_n(from.begin() + std::ptrdiff_t{j} * rows, rows, to + std::ptrdiff_t{j} * ldt);
}

// LU factorisation without pivoting, which LAPACK does not have.
template <typename N> int factorise(int m, int n, N* a, int lda) {
  int info = 0;
  const auto entry = [&](int i, int j) -> N& { return a[i + std::ptrdiff_t{j} * lda]; };
  for (int k = 0; k < std::min(m, n); ++k) {
    if (entry(k, k) == N{}) {
      info = info == 0 ? k + 1 : info;
      continue;
    }
    for (int i = k + 1; i < m; ++i) {
      entry(i, k) /= entry(k, k);
      for (int j = k + 1; j < n; ++j)
        entry(i, j) -= entry(i, k) * entry(k, j);
    }
  }
  return info;
}

// What the functions whose types are parameters do for one type. types.def defines these.
#define GPUTEST_OF_ONE_TYPE(T)                                                                     \
  cusolverStatus_t lu_of_wide(cusolverDnHandle_t handle, const char* name, int m, int n, T* A,     \
                              int lda, std::int64_t* pivots, int* info);                           \
  cusolverStatus_t solve_of_wide(cusolverDnHandle_t handle, const char* name,                      \
                                 cublasOperation_t trans, int n, int nrhs, const T* A, int lda,    \
                                 const std::int64_t* pivots, T* B, int ldb, int* info);            \
  cusolverStatus_t solve_system(cusolverDnHandle_t handle, const char* name, int n, int nrhs,      \
                                const T* A, int lda, int* pivots, const T* B, int ldb, T* X,       \
                                int ldx, int* iterations, int* info);                              \
  cusolverStatus_t solve_least_squares(cusolverDnHandle_t handle, const char* name, int m, int n,  \
                                       int nrhs, const T* A, int lda, const T* B, int ldb, T* X,   \
                                       int ldx, int* iterations, int* info);                       \
  cusolverStatus_t invert_triangle(cusolverDnHandle_t handle, const char* name,                    \
                                   cublasFillMode_t uplo, cublasDiagType_t diag, int n, T* A,      \
                                   int lda, int* info);
GPUTEST_OF_ONE_TYPE(float)
GPUTEST_OF_ONE_TYPE(double)
GPUTEST_OF_ONE_TYPE(cuComplex)
GPUTEST_OF_ONE_TYPE(cuDoubleComplex)
#undef GPUTEST_OF_ONE_TYPE

} // namespace gputest::cuda::libraries::solver
