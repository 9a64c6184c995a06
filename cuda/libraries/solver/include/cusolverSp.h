// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuSOLVER for sparse matrices: systems of equations, with the declarations of its documentation
// (docs/reference/cuda-libraries.md).
#ifndef GPUTEST_CUDA_CUSOLVERSP_H
#define GPUTEST_CUDA_CUSOLVERSP_H
#define CUSOLVERSP_H_ // programs ask whether it was included

#include "cuComplex.h"
#include "cusolver_common.h"
#include "cusparse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverSpContext* cusolverSpHandle_t;
cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* stream);

// A permutation with which the matrix has a small band. Memory of the host.
cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t handle, int n, int nnzA,
                                          const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, int* p);

// A x = b. `singularity`, of the host: the first row with a pivot of at most `tol`, or -1. `…Host`:
// all memory is of the host. All reorder as they like, whatever `reorder` says.
// NOLINTBEGIN(bugprone-macro-parentheses): of types
#define GPUTEST_SOLVER(P, T, R, name)                                                              \
  cusolverStatus_t cusolverSp##P##name(cusolverSpHandle_t handle, int m, int nnz,                  \
                                       const cusparseMatDescr_t descrA, const T* csrVal,           \
                                       const int* csrRowPtr, const int* csrColInd, const T* b,     \
                                       R tol, int reorder, T* x, int* singularity);
#define GPUTEST_SOLVERS(P, T, R)                                                                   \
  GPUTEST_SOLVER(P, T, R, csrlsvluHost)                                                            \
  GPUTEST_SOLVER(P, T, R, csrlsvqrHost)                                                            \
  GPUTEST_SOLVER(P, T, R, csrlsvqr)                                                                \
  GPUTEST_SOLVER(P, T, R, csrlsvcholHost)                                                          \
  GPUTEST_SOLVER(P, T, R, csrlsvchol)
// NOLINTEND(bugprone-macro-parentheses)
GPUTEST_SOLVERS(S, float, float)
GPUTEST_SOLVERS(D, double, double)
GPUTEST_SOLVERS(C, cuComplex, float)
GPUTEST_SOLVERS(Z, cuDoubleComplex, double)
#undef GPUTEST_SOLVERS
#undef GPUTEST_SOLVER

#ifdef __cplusplus
}
#endif

#endif
