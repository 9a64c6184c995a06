// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of cusolverDn.h whose types are parameters, and those that refine. cusolverDn.h
// includes this in extern "C".
typedef struct cusolverDnParams* cusolverDnParams_t;
typedef enum { CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1 } cusolverDnFunction_t;
typedef enum { CUSOLVER_ALG_0 = 0, CUSOLVER_ALG_1 = 1, CUSOLVER_ALG_2 = 2 } cusolverAlgMode_t;
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
// There is one algorithm: this changes nothing.
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algo);

#define GPUTEST_SIZES size_t *workspaceInBytesOnDevice, size_t *workspaceInBytesOnHost
#define GPUTEST_WORK                                                                               \
  void *bufferOnDevice, size_t workspaceInBytesOnDevice, void *bufferOnHost,                       \
      size_t workspaceInBytesOnHost, int *info
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cublasFillMode_t uplo, int64_t n,
                                             cudaDataType dataTypeA, const void* A, int64_t lda,
                                             cudaDataType computeType, GPUTEST_SIZES);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, void* A,
                                  int64_t lda, cudaDataType computeType, GPUTEST_WORK);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                                  cudaDataType dataTypeA, const void* A, int64_t lda,
                                  cudaDataType dataTypeB, void* B, int64_t ldb, int* info);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             int64_t m, int64_t n, cudaDataType dataTypeA,
                                             const void* A, int64_t lda, cudaDataType computeType,
                                             GPUTEST_SIZES);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                  int64_t* ipiv, cudaDataType computeType, GPUTEST_WORK);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cublasOperation_t trans, int64_t n, int64_t nrhs,
                                  cudaDataType dataTypeA, const void* A, int64_t lda,
                                  const int64_t* ipiv, cudaDataType dataTypeB, void* B, int64_t ldb,
                                  int* info);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             int64_t m, int64_t n, cudaDataType dataTypeA,
                                             const void* A, int64_t lda, cudaDataType dataTypeTau,
                                             const void* tau, cudaDataType computeType,
                                             GPUTEST_SIZES);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t params, int64_t m,
                                  int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                  cudaDataType dataTypeTau, void* tau, cudaDataType computeType,
                                  GPUTEST_WORK);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int64_t n, cudaDataType dataTypeA, const void* A,
                                             int64_t lda, cudaDataType dataTypeW, const void* W,
                                             cudaDataType computeType, GPUTEST_SIZES);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType dataTypeA, void* A, int64_t lda,
                                  cudaDataType dataTypeW, void* W, cudaDataType computeType,
                                  GPUTEST_WORK);
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                             signed char jobu, signed char jobvt, int64_t m,
                                             int64_t n, cudaDataType dataTypeA, const void* A,
                                             int64_t lda, cudaDataType dataTypeS, const void* S,
                                             cudaDataType dataTypeU, const void* U, int64_t ldu,
                                             cudaDataType dataTypeVT, const void* VT, int64_t ldvt,
                                             cudaDataType computeType, GPUTEST_SIZES);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t params,
                                  signed char jobu, signed char jobvt, int64_t m, int64_t n,
                                  cudaDataType dataTypeA, void* A, int64_t lda,
                                  cudaDataType dataTypeS, void* S, cudaDataType dataTypeU, void* U,
                                  int64_t ldu, cudaDataType dataTypeVT, void* VT, int64_t ldvt,
                                  cudaDataType computeType, GPUTEST_WORK);
cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             cublasDiagType_t diag, int64_t n,
                                             cudaDataType dataTypeA, void* A, int64_t lda,
                                             GPUTEST_SIZES);
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                  cublasDiagType_t diag, int64_t n, cudaDataType dataTypeA, void* A,
                                  int64_t lda, GPUTEST_WORK);
#undef GPUTEST_SIZES
#undef GPUTEST_WORK

// A and B stay what they are. niter: of the host; 1 here, where nothing is refined.
// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_REFINED(P, Q, T)                                                                   \
  cusolverStatus_t cusolverDn##P##Q##gesv_bufferSize(                                              \
      cusolverDnHandle_t handle, int n, int nrhs, T* dA, int ldda, int* dipiv, T* dB, int lddb,    \
      T* dX, int lddx, void* dWorkspace, size_t* lwork_bytes);                                     \
  cusolverStatus_t cusolverDn##P##Q##gesv(                                                         \
      cusolverDnHandle_t handle, int n, int nrhs, T* dA, int ldda, int* dipiv, T* dB, int lddb,    \
      T* dX, int lddx, void* dWorkspace, size_t lwork_bytes, int* iter, int* d_info);              \
  cusolverStatus_t cusolverDn##P##Q##gels_bufferSize(                                              \
      cusolverDnHandle_t handle, int m, int n, int nrhs, T* dA, int ldda, T* dB, int lddb, T* dX,  \
      int lddx, void* dWorkspace, size_t* lwork_bytes);                                            \
  cusolverStatus_t cusolverDn##P##Q##gels(                                                         \
      cusolverDnHandle_t handle, int m, int n, int nrhs, T* dA, int ldda, T* dB, int lddb, T* dX,  \
      int lddx, void* dWorkspace, size_t lwork_bytes, int* iter, int* d_info);
// NOLINTEND(bugprone-macro-parentheses)
#include "gputest_cuda/cusolver_refined.def"
