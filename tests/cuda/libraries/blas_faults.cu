// Operands that are not all in the device's memory, values that nobody has written, and two streams.
// Link: -lcublas
// CHECK-DAG: blas_faults.cu:18:{{[0-9]+}}: error: cublasSgemm() reads A up to byte 67 of 64 bytes of memory [out_of_bounds
// CHECK-DAG: blas_faults.cu:20:{{[0-9]+}}: error: cublasSaxpy() reads x, whose pointer is not one to memory of the device
// CHECK-DAG: blas_faults.cu:24:{{[0-9]+}}: error: cublasSdot() reads byte 4 of 64 bytes of memory, in y, which nobody has written [uninitialized
// CHECK-DAG: blas_faults.cu:30:{{[0-9]+}}: error: cublasSscal() in stream 2 reads byte 0 of 64 bytes of device memory, which cublasSaxpy() in stream 1 writes {{.*}}blas_faults.cu:28{{.*}}stream_race
#include <cublas_v2.h>
#include <cstdio>
int main() {
  cublasHandle_t handle = nullptr;
  cublasCreate(&handle);
  float *a = nullptr, *b = nullptr, host[16] = {}, one = 1, result = 0;
  cudaMalloc(&a, 64);
  cudaMalloc(&b, 64);
  cudaMemset(a, 0, 64);
  cudaMemset(b, 0, 4);
  // The last column of A ends behind its allocation.
  if (cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 4, &one, a, 5, a, 4, &one, b, 2) != CUBLAS_STATUS_EXECUTION_FAILED)
    return 1;
  if (cublasSaxpy(handle, 4, &one, host, 1, a, 1) != CUBLAS_STATUS_EXECUTION_FAILED)
    return 2;
  cudaStream_t first = nullptr, second = nullptr;
  // Only the first element of b has a value.
  if (cublasSdot(handle, 4, a, 1, b, 1, &result))
    return 3;
  cudaStreamCreate(&first); cudaStreamCreate(&second);
  cublasSetStream(handle, first);
  cublasSaxpy(handle, 16, &one, a, 1, b, 1);
  cublasSetStream(handle, second);
  cublasSscal(handle, 16, &one, b, 1);
  cublasDestroy(handle);
  return cudaDeviceSynchronize();
}
