// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuSPARSE's generic API and its conversions, with the declarations of its documentation
// (docs/reference/cuda-libraries.md).
#ifndef GPUTEST_CUDA_CUSPARSE_H
#define GPUTEST_CUDA_CUSPARSE_H
#define CUSPARSE_H_ // programs ask whether it was included

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "gputest_cuda/cusparse_types.h"
#include "library_types.h"

#include <stddef.h>
#include <stdint.h>

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 5
#define CUSPARSE_VER_PATCH 1
#define CUSPARSE_VER_BUILD 0
#define CUSPARSE_VERSION (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)
#define CUSPARSEAPI

#ifdef __cplusplus
extern "C" {
#endif

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version);
cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value);
const char* cusparseGetErrorName(cusparseStatus_t status);
const char* cusparseGetErrorString(cusparseStatus_t status);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode);

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descr);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descr, cusparseMatrixType_t type);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descr, cusparseIndexBase_t base);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descr, cusparseFillMode_t mode);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descr);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descr, cusparseDiagType_t type);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descr);

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* spVecDescr, int64_t size, int64_t nnz,
                                     void* indices, void* values, cusparseIndexType_t idxType,
                                     cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t* spVecDescr, int64_t size,
                                          int64_t nnz, const void* indices, const void* values,
                                          cusparseIndexType_t idxType, cusparseIndexBase_t idxBase,
                                          cudaDataType valueType);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t spVecDescr);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* dnVecDescr, int64_t size, void* values,
                                     cudaDataType valueType);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* dnVecDescr, int64_t size,
                                          const void* values, cudaDataType valueType);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t dnVecDescr);
cusparseStatus_t cusparseDnVecGet(const cusparseDnVecDescr_t dnVecDescr, int64_t* size,
                                  void** values, cudaDataType* valueType);
cusparseStatus_t cusparseDnVecGetValues(const cusparseDnVecDescr_t dnVecDescr, void** values);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t dnVecDescr, void* values);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* dnMatDescr, int64_t rows, int64_t cols,
                                     int64_t ld, void* values, cudaDataType valueType,
                                     cusparseOrder_t order);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* dnMatDescr, int64_t rows,
                                          int64_t cols, int64_t ld, const void* values,
                                          cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t dnMatDescr);
cusparseStatus_t cusparseDnMatGet(const cusparseDnMatDescr_t dnMatDescr, int64_t* rows,
                                  int64_t* cols, int64_t* ld, void** values, cudaDataType* type,
                                  cusparseOrder_t* order);
cusparseStatus_t cusparseDnMatGetValues(const cusparseDnMatDescr_t dnMatDescr, void** values);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t dnMatDescr, void* values);
#define GPUTEST_COMPRESSED(Csr)                                                                    \
  cusparseStatus_t cusparseCreate##Csr(                                                            \
      cusparseSpMatDescr_t* spMatDescr, int64_t rows, int64_t cols, int64_t nnz, void* offsets,    \
      void* indices, void* values, cusparseIndexType_t offsetsType,                                \
      cusparseIndexType_t indicesType, cusparseIndexBase_t idxBase, cudaDataType valueType);       \
  cusparseStatus_t cusparseCreateConst##Csr(                                                       \
      cusparseConstSpMatDescr_t* spMatDescr, int64_t rows, int64_t cols, int64_t nnz,              \
      const void* offsets, const void* indices, const void* values,                                \
      cusparseIndexType_t offsetsType, cusparseIndexType_t indicesType,                            \
      cusparseIndexBase_t idxBase, cudaDataType valueType);                                        \
  cusparseStatus_t cusparse##Csr##Get(                                                             \
      const cusparseSpMatDescr_t spMatDescr, int64_t* rows, int64_t* cols, int64_t* nnz,           \
      void** offsets, void** indices, void** values, cusparseIndexType_t* offsetsType,             \
      cusparseIndexType_t* indicesType, cusparseIndexBase_t* idxBase, cudaDataType* valueType);    \
  cusparseStatus_t cusparse##Csr##SetPointers(cusparseSpMatDescr_t spMatDescr, void* offsets,      \
                                              void* indices, void* values);
GPUTEST_COMPRESSED(Csr)
GPUTEST_COMPRESSED(Csc)
#undef GPUTEST_COMPRESSED
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* spMatDescr, int64_t rows, int64_t cols,
                                   int64_t nnz, void* cooRowInd, void* cooColInd, void* cooValues,
                                   cusparseIndexType_t cooIdxType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t* spMatDescr, int64_t rows,
                                        int64_t cols, int64_t nnz, const void* cooRowInd,
                                        const void* cooColInd, const void* cooValues,
                                        cusparseIndexType_t cooIdxType, cusparseIndexBase_t idxBase,
                                        cudaDataType valueType);
// Columns of blocks are negative where a row has fewer blocks. Values are row by row, each of
// ellCols values.
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t* spMatDescr, int64_t rows,
                                          int64_t cols, int64_t ellBlockSize, int64_t ellCols,
                                          void* ellColInd, void* ellValue,
                                          cusparseIndexType_t ellIdxType,
                                          cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t* spMatDescr, int64_t rows,
                                               int64_t cols, int64_t ellBlockSize, int64_t ellCols,
                                               const void* ellColInd, const void* ellValue,
                                               cusparseIndexType_t ellIdxType,
                                               cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t spMatDescr, int64_t* rows,
                                       int64_t* cols, int64_t* ellBlockSize, int64_t* ellCols,
                                       void** ellColInd, void** ellValue,
                                       cusparseIndexType_t* ellIdxType,
                                       cusparseIndexBase_t* idxBase, cudaDataType* valueType);
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t* spMatDescr, int64_t rows,
                                         int64_t cols, int64_t nnz, int64_t sellValuesSize,
                                         int64_t sliceSize, void* sellSliceOffsets,
                                         void* sellColInd, void* sellValues,
                                         cusparseIndexType_t sellSliceOffsetsType,
                                         cusparseIndexType_t sellColIndType,
                                         cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateConstSlicedEll(cusparseConstSpMatDescr_t* spMatDescr, int64_t rows,
                                              int64_t cols, int64_t nnz, int64_t sellValuesSize,
                                              int64_t sliceSize, const void* sellSliceOffsets,
                                              const void* sellColInd, const void* sellValues,
                                              cusparseIndexType_t sellSliceOffsetsType,
                                              cusparseIndexType_t sellColIndType,
                                              cusparseIndexBase_t idxBase, cudaDataType valueType);
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t* spMatDescr, int64_t brows, int64_t bcols,
                                   int64_t bnnz, int64_t rowBlockSize, int64_t colBlockSize,
                                   void* bsrRowOffsets, void* bsrColInd, void* bsrValues,
                                   cusparseIndexType_t bsrRowOffsetsType,
                                   cusparseIndexType_t bsrColIndType, cusparseIndexBase_t idxBase,
                                   cudaDataType valueType, cusparseOrder_t order);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t spMatDescr);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t spMatDescr, int64_t* rows,
                                      int64_t* cols, int64_t* nnz);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t spMatDescr,
                                        cusparseFormat_t* format);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t spMatDescr, void** values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t spMatDescr, void* values);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t spMatDescr,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t dataSize);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t spMatDescr, void* cooRows,
                                        void* cooColumns, void* cooValues);

#define GPUTEST_PRODUCT(name, ...)                                                                 \
  cusparseStatus_t cusparse##name##_bufferSize(__VA_ARGS__, size_t* bufferSize);                   \
  cusparseStatus_t cusparse##name##_preprocess(__VA_ARGS__, void* externalBuffer);                 \
  cusparseStatus_t cusparse##name(__VA_ARGS__, void* externalBuffer);
GPUTEST_PRODUCT(SpMV, cusparseHandle_t handle, cusparseOperation_t opA, const void* alpha,
                cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX, const void* beta,
                cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpMVAlg_t alg)
GPUTEST_PRODUCT(SpMM, cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                const void* alpha, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                const void* beta, cusparseDnMatDescr_t matC, cudaDataType computeType,
                cusparseSpMMAlg_t alg)
GPUTEST_PRODUCT(SDDMM, cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                const void* alpha, cusparseConstDnMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                const void* beta, cusparseSpMatDescr_t matC, cudaDataType computeType,
                cusparseSDDMMAlg_t alg)
#undef GPUTEST_PRODUCT
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* descr);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descr);
cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha,
    cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB, const void* beta,
    cusparseSpMatDescr_t matC, cudaDataType computeType, cusparseSpGEMMAlg_t alg,
    cusparseSpGEMMDescr_t spgemmDescr, size_t* bufferSize1, void* externalBuffer1);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                        cusparseOperation_t opB, const void* alpha,
                                        cusparseConstSpMatDescr_t matA,
                                        cusparseConstSpMatDescr_t matB, const void* beta,
                                        cusparseSpMatDescr_t matC, cudaDataType computeType,
                                        cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr,
                                        size_t* bufferSize2, void* externalBuffer2);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                     cusparseOperation_t opB, const void* alpha,
                                     cusparseConstSpMatDescr_t matA, cusparseConstSpMatDescr_t matB,
                                     const void* beta, cusparseSpMatDescr_t matC,
                                     cudaDataType computeType, cusparseSpGEMMAlg_t alg,
                                     cusparseSpGEMMDescr_t spgemmDescr);
cusparseStatus_t
cusparseSpGEMMreuse_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA,
                                   cusparseOperation_t opB, cusparseConstSpMatDescr_t matA,
                                   cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
                                   cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr,
                                   size_t* bufferSize1, void* externalBuffer1);
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t opA,
                                         cusparseOperation_t opB, cusparseConstSpMatDescr_t matA,
                                         cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
                                         cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t spgemmDescr,
                                         size_t* bufferSize2, void* externalBuffer2,
                                         size_t* bufferSize3, void* externalBuffer3,
                                         size_t* bufferSize4, void* externalBuffer4);
cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t opA,
                                          cusparseOperation_t opB, cusparseConstSpMatDescr_t matA,
                                          cusparseConstSpMatDescr_t matB, cusparseSpMatDescr_t matC,
                                          cusparseSpGEMMAlg_t alg,
                                          cusparseSpGEMMDescr_t spgemmDescr, size_t* bufferSize5,
                                          void* externalBuffer5);
cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t handle, cusparseOperation_t opA,
                                             cusparseOperation_t opB, const void* alpha,
                                             cusparseConstSpMatDescr_t matA,
                                             cusparseConstSpMatDescr_t matB, const void* beta,
                                             cusparseSpMatDescr_t matC, cudaDataType computeType,
                                             cusparseSpGEMMAlg_t alg,
                                             cusparseSpGEMMDescr_t spgemmDescr);
#define GPUTEST_SOLUTION(name, ...)                                                                \
  cusparseStatus_t cusparse##name##_createDescr(cusparse##name##Descr_t* descr);                   \
  cusparseStatus_t cusparse##name##_destroyDescr(cusparse##name##Descr_t descr);                   \
  cusparseStatus_t cusparse##name##_bufferSize(__VA_ARGS__, size_t* bufferSize);                   \
  cusparseStatus_t cusparse##name##_analysis(__VA_ARGS__, void* externalBuffer);                   \
  cusparseStatus_t cusparse##name##_solve(__VA_ARGS__);
GPUTEST_SOLUTION(SpSV, cusparseHandle_t handle, cusparseOperation_t opA, const void* alpha,
                 cusparseConstSpMatDescr_t matA, cusparseConstDnVecDescr_t vecX,
                 cusparseDnVecDescr_t vecY, cudaDataType computeType, cusparseSpSVAlg_t alg,
                 cusparseSpSVDescr_t spsvDescr)
GPUTEST_SOLUTION(SpSM, cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB,
                 const void* alpha, cusparseConstSpMatDescr_t matA, cusparseConstDnMatDescr_t matB,
                 cusparseDnMatDescr_t matC, cudaDataType computeType, cusparseSpSMAlg_t alg,
                 cusparseSpSMDescr_t spsmDescr)
#undef GPUTEST_SOLUTION
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t matA,
                                                  cusparseDnMatDescr_t matB,
                                                  cusparseSparseToDenseAlg_t alg,
                                                  size_t* bufferSize);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                       cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t alg,
                                       void* externalBuffer);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t matA,
                                                  cusparseSpMatDescr_t matB,
                                                  cusparseDenseToSparseAlg_t alg,
                                                  size_t* bufferSize);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t matA,
                                                cusparseSpMatDescr_t matB,
                                                cusparseDenseToSparseAlg_t alg,
                                                void* externalBuffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                               cusparseConstDnMatDescr_t matA,
                                               cusparseSpMatDescr_t matB,
                                               cusparseDenseToSparseAlg_t alg,
                                               void* externalBuffer);
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha,
                               cusparseConstSpVecDescr_t vecX, const void* beta,
                               cusparseDnVecDescr_t vecY);
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY,
                                cusparseSpVecDescr_t vecX);
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX,
                                 cusparseDnVecDescr_t vecY);
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t opX,
                                         cusparseConstSpVecDescr_t vecX,
                                         cusparseConstDnVecDescr_t vecY, void* result,
                                         cudaDataType computeType, size_t* bufferSize);
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX,
                              cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                              void* result, cudaDataType computeType, void* externalBuffer);

cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t dnMatDescr, int batchCount,
                                              int64_t batchStride);
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t dnMatDescr, int* batchCount,
                                              int64_t* batchStride);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t spMatDescr, int batchCount,
                                            int64_t offsetsBatchStride,
                                            int64_t columnsValuesBatchStride);
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t spMatDescr, int batchCount,
                                            int64_t batchStride);
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t spMatDescr,
                                              int* batchCount);
cusparseStatus_t cusparseCooGet(const cusparseSpMatDescr_t spMatDescr, int64_t* rows, int64_t* cols,
                                int64_t* nnz, void** cooRowInd, void** cooColInd, void** cooValues,
                                cusparseIndexType_t* idxType, cusparseIndexBase_t* idxBase,
                                cudaDataType* valueType);

cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n,
                                      const cusparseMatDescr_t descrA, int nnzA,
                                      const int* csrSortedRowPtrA, const int* csrSortedColIndA,
                                      const cusparseMatDescr_t descrB, int nnzB,
                                      const int* csrSortedRowPtrB, const int* csrSortedColIndB,
                                      const cusparseMatDescr_t descrC, int* csrSortedRowPtrC,
                                      int* nnzTotalDevHostPtr, void* workspace);
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* p);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* cooRowsA, const int* cooColsA,
                                                size_t* pBufferSizeInBytes);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz,
                                       int* cooRowsA, int* cooColsA, int* P, void* pBuffer);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz,
                                          int* cooRowsA, int* cooColsA, int* P, void* pBuffer);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* csrRowPtrA, const int* csrColIndA,
                                                size_t* pBufferSizeInBytes);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                  int* csrColIndA, int* P, void* pBuffer);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int* cscColPtrA, const int* cscRowIndA,
                                                size_t* pBufferSizeInBytes);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  const cusparseMatDescr_t descrA, const int* cscColPtrA,
                                  int* cscRowIndA, int* P, void* pBuffer);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* cooRowInd, int nnz, int m,
                                  int* csrSortedRowPtr, cusparseIndexBase_t idxBase);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* csrSortedRowPtr, int nnz,
                                  int m, int* cooRowInd, cusparseIndexBase_t idxBase);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz,
                                               const void* csrVal, const int* csrRowPtr,
                                               const int* csrColInd, void* cscVal, int* cscColPtr,
                                               int* cscRowInd, cudaDataType valType,
                                               cusparseAction_t copyValues,
                                               cusparseIndexBase_t idxBase,
                                               cusparseCsr2CscAlg_t alg, size_t* bufferSize);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void* csrVal, const int* csrRowPtr, const int* csrColInd,
                                    void* cscVal, int* cscColPtr, int* cscRowInd,
                                    cudaDataType valType, cusparseAction_t copyValues,
                                    cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t alg,
                                    void* buffer);
cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t dirA, int m,
                                     int n, const cusparseMatDescr_t descrA,
                                     const int* csrSortedRowPtrA, const int* csrSortedColIndA,
                                     int blockDim, const cusparseMatDescr_t descrC,
                                     int* bsrSortedRowPtrC, int* nnzTotalDevHostPtr);
// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_OF_TYPE(P, T)                                                                      \
  cusparseStatus_t cusparse##P##nnz(cusparseHandle_t handle, cusparseDirection_t dirA, int m,      \
                                    int n, const cusparseMatDescr_t descrA, const T* A, int lda,   \
                                    int* nnzPerRowCol, int* nnzTotalDevHostPtr);                   \
  cusparseStatus_t cusparse##P##csrgeam2_bufferSizeExt(                                            \
      cusparseHandle_t handle, int m, int n, const T* alpha, const cusparseMatDescr_t descrA,      \
      int nnzA, const T* csrSortedValA, const int* csrSortedRowPtrA, const int* csrSortedColIndA,  \
      const T* beta, const cusparseMatDescr_t descrB, int nnzB, const T* csrSortedValB,            \
      const int* csrSortedRowPtrB, const int* csrSortedColIndB, const cusparseMatDescr_t descrC,   \
      const T* csrSortedValC, const int* csrSortedRowPtrC, const int* csrSortedColIndC,            \
      size_t* pBufferSizeInBytes);                                                                 \
  cusparseStatus_t cusparse##P##csrgeam2(                                                          \
      cusparseHandle_t handle, int m, int n, const T* alpha, const cusparseMatDescr_t descrA,      \
      int nnzA, const T* csrSortedValA, const int* csrSortedRowPtrA, const int* csrSortedColIndA,  \
      const T* beta, const cusparseMatDescr_t descrB, int nnzB, const T* csrSortedValB,            \
      const int* csrSortedRowPtrB, const int* csrSortedColIndB, const cusparseMatDescr_t descrC,   \
      T* csrSortedValC, int* csrSortedRowPtrC, int* csrSortedColIndC, void* pBuffer);              \
  cusparseStatus_t cusparse##P##csr2bsr(                                                           \
      cusparseHandle_t handle, cusparseDirection_t dirA, int m, int n,                             \
      const cusparseMatDescr_t descrA, const T* csrSortedValA, const int* csrSortedRowPtrA,        \
      const int* csrSortedColIndA, int blockDim, const cusparseMatDescr_t descrC,                  \
      T* bsrSortedValC, int* bsrSortedRowPtrC, int* bsrSortedColIndC);                             \
  cusparseStatus_t cusparse##P##bsrmv(                                                             \
      cusparseHandle_t handle, cusparseDirection_t dirA, cusparseOperation_t transA, int mb,       \
      int nb, int nnzb, const T* alpha, const cusparseMatDescr_t descrA, const T* bsrSortedValA,   \
      const int* bsrSortedRowPtrA, const int* bsrSortedColIndA, int blockDim, const T* x,          \
      const T* beta, T* y);
// NOLINTEND(bugprone-macro-parentheses)
GPUTEST_OF_TYPE(S, float)
GPUTEST_OF_TYPE(D, double)
GPUTEST_OF_TYPE(C, cuComplex)
GPUTEST_OF_TYPE(Z, cuDoubleComplex)
#undef GPUTEST_OF_TYPE
#include "gputest_cuda/cusparse_factorisations.h"
#include "gputest_cuda/cusparse_tridiagonal.h"

#ifdef __cplusplus
}
#endif

#endif
