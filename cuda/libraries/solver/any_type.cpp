// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of cuSOLVER whose types are parameters (cusolverDnX…), and solvers that refine what
// they find in a type of less precision (cusolverDn<t1><t2>gesv): here all is computed in the
// first type.
#include "cuda/libraries/solver/call.h"

#include <limits>

using namespace gputest::cuda;
using namespace gputest::cuda::libraries;
using namespace gputest::cuda::libraries::solver;

struct cusolverDnParams {};

namespace {

constexpr int kTooLarge = -1; // refused by all functions

// Sizes of 64 bits for LAPACK's of 32.
int narrow(std::int64_t size) {
  return size < 0 || size > std::numeric_limits<int>::max() ? kTooLarge : static_cast<int>(size);
}

// Calls what(T*) with null of the type, for the function `name`.
template <typename F>
cusolverStatus_t of_type(cusolverDnHandle_t handle, const char* name, cudaDataType type, F what) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  const auto call = [&]<typename T>(T* null) {
    asked_as = name;
    const cusolverStatus_t status = what(null);
    asked_as = nullptr;
    return status;
  };
  switch (type) {
  case CUDA_R_32F:
    return call(static_cast<float*>(nullptr));
  case CUDA_R_64F:
    return call(static_cast<double*>(nullptr));
  case CUDA_C_32F:
    return call(static_cast<cuComplex*>(nullptr));
  case CUDA_C_64F:
    return call(static_cast<cuDoubleComplex*>(nullptr));
  default:
    return CUSOLVER_STATUS_INVALID_VALUE;
  }
}
cudaDataType real_of(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

// LAPACKE needs no memory of the program's; programs can allocate what is told.
cusolverStatus_t sizes(cusolverDnHandle_t handle, cudaDataType type, cudaDataType compute,
                       bool is_right, size_t* on_device, size_t* on_host) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!is_right || type != compute || !on_device || !on_host)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *on_device = 1;
  *on_host = 0;
  return of_type(handle, "", type, [](auto*) { return CUSOLVER_STATUS_SUCCESS; });
}

// The functions of one type.
#define GPUTEST_NAMES(name, of_complex)                                                            \
  constexpr auto* name##_of(float*) {                                                              \
    return &cusolverDnS##name;                                                                     \
  }                                                                                                \
  constexpr auto* name##_of(double*) {                                                             \
    return &cusolverDnD##name;                                                                     \
  }                                                                                                \
  constexpr auto* name##_of(cuComplex*) {                                                          \
    return &cusolverDnC##of_complex;                                                               \
  }                                                                                                \
  constexpr auto* name##_of(cuDoubleComplex*) {                                                    \
    return &cusolverDnZ##of_complex;                                                               \
  }
GPUTEST_NAMES(potrf, potrf)
GPUTEST_NAMES(potrs, potrs)
GPUTEST_NAMES(geqrf, geqrf)
GPUTEST_NAMES(gesvd, gesvd)
GPUTEST_NAMES(syevd, heevd)
#undef GPUTEST_NAMES

template <typename T> struct RealOf {
  using Type = T;
};
template <> struct RealOf<cuComplex> {
  using Type = float;
};
template <> struct RealOf<cuDoubleComplex> {
  using Type = double;
};

} // namespace

extern "C" {
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params) {
  if (!params)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *params = new cusolverDnParams;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  delete params;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t,
                                         cusolverAlgMode_t) {
  return params ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             cublasFillMode_t uplo, int64_t n, cudaDataType type,
                                             const void*, int64_t lda, cudaDataType compute,
                                             size_t* on_device, size_t* on_host) {
  return sizes(handle, type, compute, is_valid(uplo) && n >= 0 && lda >= n, on_device, on_host);
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType type, void* A,
                                  int64_t lda, cudaDataType compute, void*, size_t, void*, size_t,
                                  int* info) {
  if (handle && compute != type)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return of_type(handle, __func__, type, [&]<typename T>(T* null) {
    return potrf_of(null)(handle, uplo, narrow(n), static_cast<T*>(A), narrow(lda), nullptr, 0,
                          info);
  });
}
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasFillMode_t uplo, int64_t n, int64_t nrhs, cudaDataType type,
                                  const void* A, int64_t lda, cudaDataType typeB, void* B,
                                  int64_t ldb, int* info) {
  if (handle && type != typeB)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return of_type(handle, __func__, type, [&]<typename T>(T* null) {
    return potrs_of(null)(handle, uplo, narrow(n), narrow(nrhs), static_cast<const T*>(A),
                          narrow(lda), static_cast<T*>(B), narrow(ldb), info);
  });
}
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             int64_t m, int64_t n, cudaDataType type, const void*,
                                             int64_t lda, cudaDataType compute, size_t* on_device,
                                             size_t* on_host) {
  return sizes(handle, type, compute, m >= 0 && n >= 0 && lda >= m, on_device, on_host);
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m,
                                  int64_t n, cudaDataType type, void* A, int64_t lda,
                                  int64_t* pivots, cudaDataType compute, void*, size_t, void*,
                                  size_t, int* info) {
  if (handle && compute != type)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return of_type(handle, __func__, type, [&]<typename T>(T*) {
    return lu_of_wide(handle, "", narrow(m), narrow(n), static_cast<T*>(A), narrow(lda), pivots,
                      info);
  });
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasOperation_t trans, int64_t n, int64_t nrhs,
                                  cudaDataType type, const void* A, int64_t lda,
                                  const int64_t* pivots, cudaDataType typeB, void* B, int64_t ldb,
                                  int* info) {
  if (handle && type != typeB)
    return CUSOLVER_STATUS_INVALID_VALUE;
  return of_type(handle, __func__, type, [&]<typename T>(T*) {
    return solve_of_wide(handle, "", trans, narrow(n), narrow(nrhs), static_cast<const T*>(A),
                         narrow(lda), pivots, static_cast<T*>(B), narrow(ldb), info);
  });
}
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             int64_t m, int64_t n, cudaDataType type, const void*,
                                             int64_t lda, cudaDataType tau_type, const void*,
                                             cudaDataType compute, size_t* on_device,
                                             size_t* on_host) {
  return sizes(handle, type, compute, m >= 0 && n >= 0 && lda >= m && tau_type == type, on_device,
               on_host);
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m,
                                  int64_t n, cudaDataType type, void* A, int64_t lda,
                                  cudaDataType tau_type, void* tau, cudaDataType compute, void*,
                                  size_t, void*, size_t, int* info) {
  if (handle && (type != tau_type || compute != type))
    return CUSOLVER_STATUS_INVALID_VALUE;
  return of_type(handle, __func__, type, [&]<typename T>(T* null) {
    return geqrf_of(null)(handle, narrow(m), narrow(n), static_cast<T*>(A), narrow(lda),
                          static_cast<T*>(tau), nullptr, 0, info);
  });
}
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             cusolverEigMode_t, cublasFillMode_t uplo, int64_t n,
                                             cudaDataType type, const void*, int64_t lda,
                                             cudaDataType of_values, const void*,
                                             cudaDataType compute, size_t* on_device,
                                             size_t* on_host) {
  return sizes(handle, type, compute,
               is_valid(uplo) && n >= 0 && lda >= n && of_values == real_of(type), on_device,
               on_host);
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType type, void* A, int64_t lda, cudaDataType of_values,
                                  void* W, cudaDataType compute, void*, size_t, void*, size_t,
                                  int* info) {
  if (handle && (of_values != real_of(type) || compute != type))
    return CUSOLVER_STATUS_INVALID_VALUE;
  return of_type(handle, __func__, type, [&]<typename T>(T* null) {
    return syevd_of(null)(handle, jobz, uplo, narrow(n), static_cast<T*>(A), narrow(lda),
                          static_cast<typename RealOf<T>::Type*>(W), nullptr, 0, info);
  });
}
cusolverStatus_t
cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t, signed char, signed char,
                            int64_t m, int64_t n, cudaDataType type, const void*, int64_t lda,
                            cudaDataType of_values, const void*, cudaDataType of_left, const void*,
                            int64_t, cudaDataType of_right, const void*, int64_t,
                            cudaDataType compute, size_t* on_device, size_t* on_host) {
  return sizes(handle, type, compute,
               m >= n && n >= 0 && lda >= m && of_values == real_of(type) && of_left == type &&
                   of_right == type,
               on_device, on_host);
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType type,
                                  void* A, int64_t lda, cudaDataType of_values, void* S,
                                  cudaDataType of_left, void* U, int64_t ldu, cudaDataType of_right,
                                  void* VT, int64_t ldvt, cudaDataType compute, void*, size_t,
                                  void*, size_t, int* info) {
  if (handle &&
      (of_values != real_of(type) || of_left != type || of_right != type || compute != type))
    return CUSOLVER_STATUS_INVALID_VALUE;
  return of_type(handle, __func__, type, [&]<typename T>(T* null) {
    using R = typename RealOf<T>::Type;
    return gesvd_of(null)(handle, jobu, jobvt, narrow(m), narrow(n), static_cast<T*>(A),
                          narrow(lda), static_cast<R*>(S), static_cast<T*>(U), narrow(ldu),
                          static_cast<T*>(VT), narrow(ldvt), nullptr, 0, nullptr, info);
  });
}
cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             cublasDiagType_t, int64_t n, cudaDataType type, void*,
                                             int64_t lda, size_t* on_device, size_t* on_host) {
  return sizes(handle, type, type, is_valid(uplo) && n >= 0 && lda >= n, on_device, on_host);
}
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                  cublasDiagType_t diag, int64_t n, cudaDataType type, void* A,
                                  int64_t lda, void*, size_t, void*, size_t, int* info) {
  return of_type(handle, __func__, type, [&]<typename T>(T*) {
    return invert_triangle(handle, "", uplo, diag, narrow(n), static_cast<T*>(A), narrow(lda),
                           info);
  });
}

// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_REFINED(P, Q, T)                                                                   \
  cusolverStatus_t cusolverDn##P##Q##gesv_bufferSize(cusolverDnHandle_t handle, int n, int nrhs,   \
                                                     T*, int ldda, int*, T*, int lddb, T*,         \
                                                     int lddx, void*, size_t* size) {              \
    size_t none = 0;                                                                               \
    return sizes(handle, CUDA_R_32F, CUDA_R_32F,                                                   \
                 n >= 0 && nrhs >= 0 && ldda >= n && lddb >= n && lddx >= n, size, &none);         \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##Q##gesv(cusolverDnHandle_t handle, int n, int nrhs, T* A,        \
                                          int ldda, int* pivots, T* B, int lddb, T* X, int lddx,   \
                                          void*, size_t, int* iterations, int* info) {             \
    return solve_system(handle, __func__, n, nrhs, A, ldda, pivots, B, lddb, X, lddx, iterations,  \
                        info);                                                                     \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##Q##gels_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                     int nrhs, T*, int ldda, T*, int lddb, T*,     \
                                                     int lddx, void*, size_t* size) {              \
    size_t none = 0;                                                                               \
    return sizes(handle, CUDA_R_32F, CUDA_R_32F,                                                   \
                 m >= n && n >= 0 && nrhs >= 0 && ldda >= m && lddb >= m && lddx >= n, size,       \
                 &none);                                                                           \
  }                                                                                                \
  cusolverStatus_t cusolverDn##P##Q##gels(cusolverDnHandle_t handle, int m, int n, int nrhs, T* A, \
                                          int ldda, T* B, int lddb, T* X, int lddx, void*, size_t, \
                                          int* iterations, int* info) {                            \
    return solve_least_squares(handle, __func__, m, n, nrhs, A, ldda, B, lddb, X, lddx,            \
                               iterations, info);                                                  \
  }
// NOLINTEND(bugprone-macro-parentheses)
#include "gputest_cuda/cusolver_refined.def"
}
