#include <omp.h>

__global__ void count(int* p) {
  atomicAdd(p, 1);
}

int main() {
  int *p = nullptr, threads = 0;
  cudaMallocManaged(&p, sizeof *p);
  *p = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0)
      threads = omp_get_num_threads();
    count<<<1, 1>>>(p);
  }
  return cudaDeviceSynchronize() == cudaSuccess && *p == threads ? 0 : 1;
}
