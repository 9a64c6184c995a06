// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/solver/jacobi.h"

namespace {

template <typename Info> cusolverStatus_t create(Info** info) {
  if (!info)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *info = new Info;
  return CUSOLVER_STATUS_SUCCESS;
}
template <typename Info> cusolverStatus_t destroy(Info* info) {
  delete info;
  return info ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}
cusolverStatus_t set(const gputest::cuda::libraries::solver::Jacobi* info, bool is_valid) {
  return info && is_valid ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}
template <typename T>
cusolverStatus_t tell(cusolverDnHandle_t handle,
                      const gputest::cuda::libraries::solver::Jacobi* info, T* result,
                      double gputest::cuda::libraries::solver::Outcome::* what) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!info || !result)
    return CUSOLVER_STATUS_INVALID_VALUE;
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  if (info->outcome->is_of_batch)
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  *result = static_cast<T>((*info->outcome).*what);
  return CUSOLVER_STATUS_SUCCESS;
}

} // namespace

using gputest::cuda::libraries::solver::Outcome;

extern "C" {
#define GPUTEST_INFO(Kind, kind)                                                                   \
  cusolverStatus_t cusolverDnCreate##Kind##Info(kind##Info_t* info) {                              \
    return create(info);                                                                           \
  }                                                                                                \
  cusolverStatus_t cusolverDnDestroy##Kind##Info(kind##Info_t info) {                              \
    return destroy(info);                                                                          \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##kind##SetTolerance(kind##Info_t info, double tolerance) {          \
    return set(info, tolerance >= 0);                                                              \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##kind##SetMaxSweeps(kind##Info_t info, int max_sweeps) {            \
    return set(info, max_sweeps > 0);                                                              \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##kind##SetSortEig(kind##Info_t info, int) {                         \
    return set(info, true);                                                                        \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##kind##GetResidual(cusolverDnHandle_t handle, kind##Info_t info,    \
                                                  double* residual) {                              \
    return tell(handle, info, residual, &Outcome::residual);                                       \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##kind##GetSweeps(cusolverDnHandle_t handle, kind##Info_t info,      \
                                                int* executed_sweeps) {                            \
    return tell(handle, info, executed_sweeps, &Outcome::sweeps);                                  \
  }
GPUTEST_INFO(Syevj, syevj)
GPUTEST_INFO(Gesvdj, gesvdj)
}
