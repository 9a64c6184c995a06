// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tridiagonal systems of cusparse.h, which includes this in extern "C".
// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_SOLVER(P, T, name)                                                                 \
  cusparseStatus_t cusparse##P##name##_bufferSizeExt(                                              \
      cusparseHandle_t handle, int m, int n, const T* dl, const T* d, const T* du, const T* B,     \
      int ldb, size_t* bufferSizeInBytes);                                                         \
  cusparseStatus_t cusparse##P##name(cusparseHandle_t handle, int m, int n, const T* dl,           \
                                     const T* d, const T* du, T* B, int ldb, void* pBuffer);
#define GPUTEST_SOLVERS(P, T)                                                                      \
  GPUTEST_SOLVER(P, T, gtsv2)                                                                      \
  GPUTEST_SOLVER(P, T, gtsv2_nopivot)                                                              \
  cusparseStatus_t cusparse##P##gtsv2StridedBatch_bufferSizeExt(                                   \
      cusparseHandle_t handle, int m, const T* dl, const T* d, const T* du, const T* x,            \
      int batchCount, int batchStride, size_t* bufferSizeInBytes);                                 \
  cusparseStatus_t cusparse##P##gtsv2StridedBatch(cusparseHandle_t handle, int m, const T* dl,     \
                                                  const T* d, const T* du, T* x, int batchCount,   \
                                                  int batchStride, void* pBuffer);                 \
  cusparseStatus_t cusparse##P##gtsvInterleavedBatch_bufferSizeExt(                                \
      cusparseHandle_t handle, int algo, int m, const T* dl, const T* d, const T* du, const T* x,  \
      int batchCount, size_t* pBufferSizeInBytes);                                                 \
  cusparseStatus_t cusparse##P##gtsvInterleavedBatch(cusparseHandle_t handle, int algo, int m,     \
                                                     T* dl, T* d, T* du, T* x, int batchCount,     \
                                                     void* pBuffer);
// NOLINTEND(bugprone-macro-parentheses)
GPUTEST_SOLVERS(S, float)
GPUTEST_SOLVERS(D, double)
GPUTEST_SOLVERS(C, cuComplex)
GPUTEST_SOLVERS(Z, cuDoubleComplex)
#undef GPUTEST_SOLVERS
#undef GPUTEST_SOLVER
