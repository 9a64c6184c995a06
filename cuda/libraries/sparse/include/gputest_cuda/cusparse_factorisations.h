// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete factorisations of cusparse.h, which includes this in extern "C".
typedef struct csrilu02Info* csrilu02Info_t;
typedef struct csric02Info* csric02Info_t;
typedef enum {
  CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
  CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
} cusparseSolvePolicy_t;

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
// Waits for the work before. Returns CUSPARSE_STATUS_ZERO_PIVOT and the row, or -1.
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int* position);
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* info);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info,
                                            int* position);

// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_FACTORISATION(P, T, name)                                                          \
  cusparseStatus_t cusparse##P##name##_bufferSize(                                                 \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA, T* csrSortedValA,  \
      const int* csrSortedRowPtrA, const int* csrSortedColIndA, name##Info_t info,                 \
      int* pBufferSizeInBytes);                                                                    \
  cusparseStatus_t cusparse##P##name##_analysis(                                                   \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,                    \
      const T* csrSortedValA, const int* csrSortedRowPtrA, const int* csrSortedColIndA,            \
      name##Info_t info, cusparseSolvePolicy_t policy, void* pBuffer);                             \
  cusparseStatus_t cusparse##P##name(                                                              \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t descrA,                    \
      T* csrSortedValA_valM, const int* csrSortedRowPtrA, const int* csrSortedColIndA,             \
      name##Info_t info, cusparseSolvePolicy_t policy, void* pBuffer);
#define GPUTEST_FACTORISATIONS(P, T)                                                               \
  GPUTEST_FACTORISATION(P, T, csrilu02)                                                            \
  GPUTEST_FACTORISATION(P, T, csric02)                                                             \
  cusparseStatus_t cusparse##P##csrilu02_numericBoost(                                             \
      cusparseHandle_t handle, csrilu02Info_t info, int enable_boost, double* tol, T* boost_val);
// NOLINTEND(bugprone-macro-parentheses)
GPUTEST_FACTORISATIONS(S, float)
GPUTEST_FACTORISATIONS(D, double)
GPUTEST_FACTORISATIONS(C, cuComplex)
GPUTEST_FACTORISATIONS(Z, cuDoubleComplex)
#undef GPUTEST_FACTORISATIONS
#undef GPUTEST_FACTORISATION
