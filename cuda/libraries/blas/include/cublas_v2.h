// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS, with the declarations of its documentation (docs/reference/cuda-libraries.md).
#ifndef GPUTEST_CUDA_CUBLAS_V2_H
#define GPUTEST_CUDA_CUBLAS_V2_H
#ifdef GPUTEST_CUDA_CUBLAS_H
#error "cublas.h and cublas_v2.h declare the same names for other functions: include one of them"
#endif
#define CUBLAS_V2_H_ // programs ask whether it was included

#include "gputest_cuda/cublas_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GPUTEST_F(name, parameters)                                                                \
  cublasStatus_t name parameters;                                                                  \
  cublasStatus_t name##_v2 parameters __asm__(#name);
#include "gputest_cuda/cublas.def"
#define GPUTEST_F(name, parameters)                                                                \
  cublasStatus_t name parameters;                                                                  \
  cublasStatus_t name##_v2 parameters __asm__(#name);
GPUTEST_F(cublasCreate, (cublasHandle_t * handle))
GPUTEST_F(cublasDestroy, (cublasHandle_t handle))
GPUTEST_F(cublasGetVersion, (cublasHandle_t handle, int* version))
GPUTEST_F(cublasSetStream, (cublasHandle_t handle, cudaStream_t stream))
GPUTEST_F(cublasGetStream, (cublasHandle_t handle, cudaStream_t* stream))
GPUTEST_F(cublasSetPointerMode, (cublasHandle_t handle, cublasPointerMode_t mode))
GPUTEST_F(cublasGetPointerMode, (cublasHandle_t handle, cublasPointerMode_t* mode))
GPUTEST_F(cublasSetWorkspace, (cublasHandle_t handle, void* workspace, size_t bytes))
#undef GPUTEST_F

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                           int incx, const void* y, cudaDataType yType, int incy, void* result,
                           cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                            int incx, const void* y, cudaDataType yType, int incy, void* result,
                            cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, cudaDataType xType,
                            int incx, void* result, cudaDataType resultType,
                            cudaDataType executionType);
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType,
                            const void* x, cudaDataType xType, int incx, void* y,
                            cudaDataType yType, int incy, cudaDataType executionType);
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType,
                            void* x, cudaDataType xType, int incx, cudaDataType executionType);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void* alpha,
                            const void* A, cudaDataType Atype, int lda, const void* B,
                            cudaDataType Btype, int ldb, const void* beta, void* C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                   const void* const Aarray[], cudaDataType Atype, int lda,
                                   const void* const Barray[], cudaDataType Btype, int ldb,
                                   const void* beta, void* const Carray[], cudaDataType Ctype,
                                   int ldc, int batchCount, cublasComputeType_t computeType,
                                   cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void* alpha, const void* A, cudaDataType Atype,
                                          int lda, long long strideA, const void* B,
                                          cudaDataType Btype, int ldb, long long strideB,
                                          const void* beta, void* C, cudaDataType Ctype, int ldc,
                                          long long strideC, int batchCount,
                                          cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, int m, int n, int k, const float* alpha,
                             const void* A, cudaDataType Atype, int lda, const void* B,
                             cudaDataType Btype, int ldb, const float* beta, void* C,
                             cudaDataType Ctype, int ldc);
#ifdef GPUTEST_CUBLAS_HALF
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const __half* alpha,
                           const __half* A, int lda, const __half* B, int ldb, const __half* beta,
                           __half* C, int ldc);
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa,
                                  cublasOperation_t transb, int m, int n, int k,
                                  const __half* alpha, const __half* const Aarray[], int lda,
                                  const __half* const Barray[], int ldb, const __half* beta,
                                  __half* const Carray[], int ldc, int batchCount);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k,
                                         const __half* alpha, const __half* A, int lda,
                                         long long strideA, const __half* B, int ldb,
                                         long long strideB, const __half* beta, __half* C, int ldc,
                                         long long strideC, int batchCount);
#endif

#ifdef __cplusplus
}

// nvcc has these for programs that name the type of the computation as one of values, as before
// CUDA 11.
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                   const void* A, cudaDataType Atype, int lda, const void* B,
                                   cudaDataType Btype, int ldb, const void* beta, void* C,
                                   cudaDataType Ctype, int ldc, cudaDataType computeType,
                                   cublasGemmAlgo_t algo) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C,
                      Ctype, ldc, gputest_cublas_compute_type(computeType), algo);
}
inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* A, cudaDataType Atype, int lda, long long strideA, const void* B,
    cudaDataType Btype, int ldb, long long strideB, const void* beta, void* C, cudaDataType Ctype,
    int ldc, long long strideC, int batchCount, cudaDataType computeType, cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA,
                                    B, Btype, ldb, strideB, beta, C, Ctype, ldc, strideC,
                                    batchCount, gputest_cublas_compute_type(computeType), algo);
}
#endif

#endif
