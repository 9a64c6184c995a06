// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/solver/call.h"

namespace gputest::cuda::libraries::solver {
SystemLibrary lapack("liblapacke.so.3", "liblapacke"); // NOLINT

bool open_lapack() {
  if (!lapack.open("cuSOLVER"))
    return false;
  // Matrices with values that are no numbers are no errors.
  GPUTEST_SYSTEM_FUNCTION(lapack, LAPACKE_set_nancheck)(0);
  return true;
}
} // namespace gputest::cuda::libraries::solver

using namespace gputest::cuda::libraries;

extern "C" {
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  if (!handle)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (!solver::open_lapack() || cudaFree(nullptr) != cudaSuccess)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  *handle = new cusolverDnContext;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream) {
  if (!handle)
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetVersion(int* version) {
  if (!version)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value) {
  if (!value)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION   ? CUSOLVER_VER_MAJOR
           : type == MINOR_VERSION ? CUSOLVER_VER_MINOR
                                   : CUSOLVER_VER_PATCH;
  return CUSOLVER_STATUS_SUCCESS;
}
}
