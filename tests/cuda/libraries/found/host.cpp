#include <cublas_v2.h>
#include <cuda_runtime.h>

int main() {
  cublasHandle_t handle = nullptr;
  const float from[] = {3, 4};
  float *x = nullptr, norm = 0;
  if (cublasCreate(&handle) || cudaMalloc(&x, sizeof from) ||
      cublasSetVector(2, sizeof(float), from, 1, x, 1))
    return 1;
  return cublasSnrm2(handle, 2, x, 1, &norm) || norm != 5 || cublasDestroy(handle) ? 2 : 0;
}
