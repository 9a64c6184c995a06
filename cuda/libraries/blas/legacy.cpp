// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cublas.h: each function calls that with a handle, and keeps its status.
#include "cuda/libraries/blas/call.h"

#include <string_view>

namespace {

// Its stream and modes. As with NVIDIA's, calls before cublasInit() work.
cublasContext first_version;
cublasStatus_t kept = CUBLAS_STATUS_SUCCESS; // the first error since it was asked for

void keep(cublasStatus_t status) {
  if (kept == CUBLAS_STATUS_SUCCESS)
    kept = status;
}
// Letters that name nothing become a value that is refused. Sides and diagonals have none, so
// is_right() is asked before.
cublasOperation_t operation(char letter) {
  return letter == 'N' || letter == 'n'   ? CUBLAS_OP_N
         : letter == 'T' || letter == 't' ? CUBLAS_OP_T
         : letter == 'C' || letter == 'c' ? CUBLAS_OP_C
                                          : CUBLAS_OP_CONJG;
}
cublasFillMode_t fill(char letter) {
  return letter == 'U' || letter == 'u'   ? CUBLAS_FILL_MODE_UPPER
         : letter == 'L' || letter == 'l' ? CUBLAS_FILL_MODE_LOWER
                                          : CUBLAS_FILL_MODE_FULL;
}
cublasSideMode_t on_side(char letter) {
  return letter == 'L' || letter == 'l'   ? CUBLAS_SIDE_LEFT
         : letter == 'R' || letter == 'r' ? CUBLAS_SIDE_RIGHT
                                          : CUBLAS_SIDE_LEFT;
}
cublasDiagType_t diagonal(char letter) {
  return letter == 'U' || letter == 'u'   ? CUBLAS_DIAG_UNIT
         : letter == 'N' || letter == 'n' ? CUBLAS_DIAG_NON_UNIT
                                          : CUBLAS_DIAG_NON_UNIT;
}
bool is_right(char side, char diag) {
  const bool is = std::string_view("LlRr").find(side) != std::string_view::npos &&
                  std::string_view("UuNn").find(diag) != std::string_view::npos;
  if (!is)
    keep(CUBLAS_STATUS_INVALID_VALUE);
  return is;
}
template <typename T, typename What> T result_of(What&& what) {
  T result{};
  keep(what(&result));
  return result;
}

} // namespace

extern "C" {
cublasStatus_t cublasInit(void) {
  cublasHandle_t handle = nullptr;
  const cublasStatus_t status = cublasCreate(&handle);
  if (handle)
    cublasDestroy(handle);
  keep(status);
  return status;
}
cublasStatus_t cublasShutdown(void) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetError(void) {
  return std::exchange(kept, CUBLAS_STATUS_SUCCESS);
}
cublasStatus_t cublasAlloc(int n, int size, void** device) {
  if (n <= 0 || size <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  return cudaMalloc(device, static_cast<std::size_t>(n) * static_cast<std::size_t>(size)) ==
                 cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasFree(void* device) {
  return cudaFree(device) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}
cublasStatus_t cublasSetKernelStream(cudaStream_t stream) {
  first_version.stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

#define NAME(name) gputest_legacy_##name
#define HANDLE (&first_version)
#define GPUTEST_OF_ALL(P, T)                                                                       \
  void NAME(cublas##P##axpy)(int n, T alpha, const T* x, int incx, T* y, int incy) {               \
    keep(cublas##P##axpy(HANDLE, n, &alpha, x, incx, y, incy));                                    \
  }                                                                                                \
  void NAME(cublas##P##copy)(int n, const T* x, int incx, T* y, int incy) {                        \
    keep(cublas##P##copy(HANDLE, n, x, incx, y, incy));                                            \
  }                                                                                                \
  void NAME(cublas##P##scal)(int n, T alpha, T* x, int incx) {                                     \
    keep(cublas##P##scal(HANDLE, n, &alpha, x, incx));                                             \
  }                                                                                                \
  void NAME(cublas##P##swap)(int n, T* x, int incx, T* y, int incy) {                              \
    keep(cublas##P##swap(HANDLE, n, x, incx, y, incy));                                            \
  }                                                                                                \
  void NAME(cublas##P##gemv)(char trans, int m, int n, T alpha, const T* A, int lda, const T* x,   \
                             int incx, T beta, T* y, int incy) {                                   \
    keep(                                                                                          \
        cublas##P##gemv(HANDLE, operation(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy)); \
  }                                                                                                \
  void NAME(cublas##P##gemm)(char transa, char transb, int m, int n, int k, T alpha, const T* A,   \
                             int lda, const T* B, int ldb, T beta, T* C, int ldc) {                \
    keep(cublas##P##gemm(HANDLE, operation(transa), operation(transb), m, n, k, &alpha, A, lda, B, \
                         ldb, &beta, C, ldc));                                                     \
  }                                                                                                \
  void NAME(cublas##P##symm)(char side, char uplo, int m, int n, T alpha, const T* A, int lda,     \
                             const T* B, int ldb, T beta, T* C, int ldc) {                         \
    if (!is_right(side, 'N'))                                                                      \
      return;                                                                                      \
    keep(cublas##P##symm(HANDLE, on_side(side), fill(uplo), m, n, &alpha, A, lda, B, ldb, &beta,   \
                         C, ldc));                                                                 \
  }                                                                                                \
  void NAME(cublas##P##syrk)(char uplo, char trans, int n, int k, T alpha, const T* A, int lda,    \
                             T beta, T* C, int ldc) {                                              \
    keep(cublas##P##syrk(HANDLE, fill(uplo), operation(trans), n, k, &alpha, A, lda, &beta, C,     \
                         ldc));                                                                    \
  }                                                                                                \
  void NAME(cublas##P##trmm)(char side, char uplo, char trans, char diag, int m, int n, T alpha,   \
                             const T* A, int lda, T* B, int ldb) {                                 \
    if (!is_right(side, diag))                                                                     \
      return;                                                                                      \
    keep(cublas##P##trmm(HANDLE, on_side(side), fill(uplo), operation(trans), diagonal(diag), m,   \
                         n, &alpha, A, lda, B, ldb, B, ldb));                                      \
  }                                                                                                \
  void NAME(cublas##P##trsm)(char side, char uplo, char trans, char diag, int m, int n, T alpha,   \
                             const T* A, int lda, T* B, int ldb) {                                 \
    if (!is_right(side, diag))                                                                     \
      return;                                                                                      \
    keep(cublas##P##trsm(HANDLE, on_side(side), fill(uplo), operation(trans), diagonal(diag), m,   \
                         n, &alpha, A, lda, B, ldb));                                              \
  }
GPUTEST_OF_ALL(S, float)
GPUTEST_OF_ALL(D, double)
GPUTEST_OF_ALL(C, cuComplex)
GPUTEST_OF_ALL(Z, cuDoubleComplex)

#define GPUTEST_DOT(T, name)                                                                       \
  T NAME(name)(int n, const T* x, int incx, const T* y, int incy) {                                \
    return result_of<T>([&](T* result) { return name(HANDLE, n, x, incx, y, incy, result); });     \
  }
#define GPUTEST_OF_VECTOR(R, name, T)                                                              \
  R NAME(name)(int n, const T* x, int incx) {                                                      \
    return result_of<R>([&](R* result) { return name(HANDLE, n, x, incx, result); });              \
  }
#define GPUTEST_OF_REAL(P, T)                                                                      \
  GPUTEST_DOT(T, cublas##P##dot)                                                                   \
  void NAME(cublas##P##ger)(int m, int n, T alpha, const T* x, int incx, const T* y, int incy,     \
                            T* A, int lda) {                                                       \
    keep(cublas##P##ger(HANDLE, m, n, &alpha, x, incx, y, incy, A, lda));                          \
  }
GPUTEST_OF_REAL(S, float)
GPUTEST_OF_REAL(D, double)
GPUTEST_DOT(cuComplex, cublasCdotu)
GPUTEST_DOT(cuComplex, cublasCdotc)
GPUTEST_DOT(cuDoubleComplex, cublasZdotu)
GPUTEST_DOT(cuDoubleComplex, cublasZdotc)
#define GPUTEST_OF_VECTORS(T, R, index, sum)                                                       \
  GPUTEST_OF_VECTOR(int, cublasI##index##amax, T)                                                  \
  GPUTEST_OF_VECTOR(int, cublasI##index##amin, T)                                                  \
  GPUTEST_OF_VECTOR(R, cublas##sum##asum, T)                                                       \
  GPUTEST_OF_VECTOR(R, cublas##sum##nrm2, T)
GPUTEST_OF_VECTORS(float, float, s, S)
GPUTEST_OF_VECTORS(double, double, d, D)
GPUTEST_OF_VECTORS(cuComplex, float, c, Sc)
GPUTEST_OF_VECTORS(cuDoubleComplex, double, z, Dz)
}
