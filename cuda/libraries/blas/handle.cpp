// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuBLAS does besides arithmetic: handles, copies, names of errors.
#include "cuda/libraries/blas/call.h"

#include <cstdio>

namespace gputest::cuda::libraries::blas {

SystemLibrary open_blas("libopenblas.so.0", "libopenblas0"); // NOLINT

namespace {

cublasStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess             ? CUBLAS_STATUS_SUCCESS
         : error == cudaErrorInvalidValue ? CUBLAS_STATUS_MAPPING_ERROR
                                          : CUBLAS_STATUS_EXECUTION_FAILED;
}

// Columns of one element are rows of a vector with an increment.
cublasStatus_t copy(int rows, int columns, int size, const void* from, int from_ld, void* to,
                    int to_ld, cudaMemcpyKind kind, const cudaStream_t* stream) {
  if (rows < 0 || columns < 0 || size <= 0 || from_ld < std::max(1, rows) ||
      to_ld < std::max(1, rows))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0)
    return CUBLAS_STATUS_SUCCESS;
  const auto bytes = [&](int count) {
    return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
  };
  const auto height = static_cast<std::size_t>(columns);
  if (from_ld == rows && to_ld == rows) // one piece
    return status_of(stream ? cudaMemcpyAsync(to, from, bytes(rows) * height, kind, *stream)
                            : cudaMemcpy(to, from, bytes(rows) * height, kind));
  return status_of(
      stream ? cudaMemcpy2DAsync(to, bytes(to_ld), from, bytes(from_ld), bytes(rows), height, kind,
                                 *stream)
             : cudaMemcpy2D(to, bytes(to_ld), from, bytes(from_ld), bytes(rows), height, kind));
}

} // namespace
} // namespace gputest::cuda::libraries::blas

using namespace gputest::cuda::libraries::blas;

// Sets `place` to a value of the handle.
template <typename T>
static cublasStatus_t get(cublasHandle_t handle, T cublasContext::* member, T* place) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!place)
    return CUBLAS_STATUS_INVALID_VALUE;
  *place = handle->*member;
  return CUBLAS_STATUS_SUCCESS;
}
template <typename T>
static cublasStatus_t set(cublasHandle_t handle, T cublasContext::* member, T value,
                          bool is_valid = true) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_valid)
    return CUBLAS_STATUS_INVALID_VALUE;
  handle->*member = value;
  return CUBLAS_STATUS_SUCCESS;
}

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  *handle = nullptr;
  if (!open_blas.open("cuBLAS") || cudaFree(nullptr) != cudaSuccess)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  if (!value)
    return CUBLAS_STATUS_INVALID_VALUE;
  *value = type == MAJOR_VERSION   ? CUBLAS_VER_MAJOR
           : type == MINOR_VERSION ? CUBLAS_VER_MINOR
                                   : CUBLAS_VER_PATCH;
  return CUBLAS_STATUS_SUCCESS;
}
size_t cublasGetCudartVersion(void) {
  return CUDART_VERSION;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return set(handle, &cublasContext::stream, stream);
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  return get(handle, &cublasContext::stream, stream);
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  return set(handle, &cublasContext::pointer_mode, mode,
             mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return get(handle, &cublasContext::pointer_mode, mode);
}
// The host needs no memory of the device.
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return set(handle, &cublasContext::atomics, mode);
}
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return get(handle, &cublasContext::atomics, mode);
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return set(handle, &cublasContext::math, mode);
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return get(handle, &cublasContext::math, mode);
}
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count) {
  return set(handle, &cublasContext::multiprocessors, count, count >= 0);
}
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count) {
  return get(handle, &cublasContext::multiprocessors, count);
}

cublasStatus_t cublasSetVector(int n, int size, const void* x, int incx, void* device, int incy) {
  return copy(1, n, size, x, incx, device, incy, cudaMemcpyHostToDevice, nullptr);
}
cublasStatus_t cublasGetVector(int n, int size, const void* device, int incx, void* y, int incy) {
  return copy(1, n, size, device, incx, y, incy, cudaMemcpyDeviceToHost, nullptr);
}
cublasStatus_t cublasSetMatrix(int rows, int cols, int size, const void* A, int lda, void* B,
                               int ldb) {
  return copy(rows, cols, size, A, lda, B, ldb, cudaMemcpyHostToDevice, nullptr);
}
cublasStatus_t cublasGetMatrix(int rows, int cols, int size, const void* A, int lda, void* B,
                               int ldb) {
  return copy(rows, cols, size, A, lda, B, ldb, cudaMemcpyDeviceToHost, nullptr);
}
cublasStatus_t cublasSetVectorAsync(int n, int size, const void* x, int incx, void* device,
                                    int incy, cudaStream_t stream) {
  return copy(1, n, size, x, incx, device, incy, cudaMemcpyHostToDevice, &stream);
}
cublasStatus_t cublasGetVectorAsync(int n, int size, const void* device, int incx, void* y,
                                    int incy, cudaStream_t stream) {
  return copy(1, n, size, device, incx, y, incy, cudaMemcpyDeviceToHost, &stream);
}
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int size, const void* A, int lda, void* B,
                                    int ldb, cudaStream_t stream) {
  return copy(rows, cols, size, A, lda, B, ldb, cudaMemcpyHostToDevice, &stream);
}
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int size, const void* A, int lda, void* B,
                                    int ldb, cudaStream_t stream) {
  return copy(rows, cols, size, A, lda, B, ldb, cudaMemcpyDeviceToHost, &stream);
}
void cublasXerbla(const char* name, int parameter) {
  std::fprintf(stderr, "%s: parameter %d has an invalid value\n", name, parameter);
}

#define GPUTEST_STATUSES(S)                                                                        \
  S(SUCCESS, "success")                                                                            \
  S(NOT_INITIALIZED, "the library was not initialized")                                            \
  S(ALLOC_FAILED, "the resource allocation failed")                                                \
  S(INVALID_VALUE, "an invalid value was used as an argument")                                     \
  S(ARCH_MISMATCH, "an absent device architectural feature is required")                           \
  S(MAPPING_ERROR, "an access to GPU memory space failed")                                         \
  S(EXECUTION_FAILED, "the GPU program failed to execute")                                         \
  S(INTERNAL_ERROR, "an internal operation failed")                                                \
  S(NOT_SUPPORTED, "the functionality is not supported")                                           \
  S(LICENSE_ERROR, "the functionality requires a license")
const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define GPUTEST_STATUS(name, text)                                                                 \
  case CUBLAS_STATUS_##name:                                                                       \
    return "CUBLAS_STATUS_" #name;
    GPUTEST_STATUSES(GPUTEST_STATUS)
#undef GPUTEST_STATUS
  }
  return "unknown status";
}
const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
#define GPUTEST_STATUS(name, text)                                                                 \
  case CUBLAS_STATUS_##name:                                                                       \
    return text;
    GPUTEST_STATUSES(GPUTEST_STATUS)
#undef GPUTEST_STATUS
  }
  return "unknown status";
}
}
