// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Controls of profilers. They do nothing.
#pragma once
#include "cuda_runtime_api.h"
#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
#ifdef __cplusplus
}
#endif
