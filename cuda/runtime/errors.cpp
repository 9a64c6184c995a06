// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors and their names.
#include "cuda/runtime/call.h"

using namespace gputest::cuda;

extern "C" {
cudaError_t cudaGetLastError(void) {
  return State::get().take_last_error();
}
cudaError_t cudaPeekAtLastError(void) {
  return State::get().last_error();
}
const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define GPUTEST_CUDA_ERROR(name, driver, number, text)                                             \
  case cudaError##name:                                                                            \
    return (number) == 0 ? "cudaSuccess" : "cudaError" #name;
#include "cuda/include/gputest_cuda/errors.def"
  default:
    return "unrecognized error code";
  }
}
const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define GPUTEST_CUDA_ERROR(name, driver, number, text)                                             \
  case cudaError##name:                                                                            \
    return text;
#include "cuda/include/gputest_cuda/errors.def"
  default:
    return "unrecognized error code";
  }
}
}
