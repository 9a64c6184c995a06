// CHECK-DAG: recursion.cu:4:{{.*}}error: 'f' calls itself; the simulator runs no recursion in which a thread waits, unless
__device__ int f(int n) {
  __syncthreads();
  return n < 2 ? n : f(n - 1) + f(n - 2);
}
__global__ void k(int* p) {
  *p = f(*p);
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  return cudaGetLastError() == cudaErrorNotSupported ? 0 : 1;
}
