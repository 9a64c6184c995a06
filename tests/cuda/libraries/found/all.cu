#include <cublasLt.h>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <nvml.h>

__global__ void twice(float* x) { x[threadIdx.x] *= 2; }

// Each library once, and a kernel before and behind a call of one.
int main() {
  cublasHandle_t blas = nullptr;
  cublasLtHandle_t light = nullptr;
  curandGenerator_t numbers = nullptr;
  cusparseHandle_t sparse = nullptr;
  cusolverDnHandle_t solver = nullptr;
  cufftHandle plan = 0;
  if (cublasCreate(&blas) || cublasLtCreate(&light) || cusparseCreate(&sparse) || cusolverDnCreate(&solver) ||
      curandCreateGenerator(&numbers, CURAND_RNG_PSEUDO_DEFAULT) || cufftPlan1d(&plan, 8, CUFFT_C2C, 1) || nvmlInit())
    return 1;
  float host[] = {1, 2, 3, 4}, *x = nullptr;
  const float three = 3;
  cudaMalloc(&x, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  twice<<<1, 4>>>(x);
  if (cublasSscal(blas, 4, &three, x, 1))
    return 2;
  twice<<<1, 4>>>(x);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  return host[3] == 48 && cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
