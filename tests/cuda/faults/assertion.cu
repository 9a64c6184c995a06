// CHECK-DAG: assertion.cu:5: void k(int): block: [1,0,0], thread: [2,0,0] Assertion `threadIdx.x < n || blockIdx.x == 0` failed
#include <cassert>
#include <cstdio>
__global__ void k(int n) {
  assert(threadIdx.x < n || blockIdx.x == 0);
}
int main() {
  k<<<2, 4>>>(2);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(error));
  return error == cudaErrorAssert ? 0 : 1;
}
