// CHECK-DAG: nobody_writes.cu:6:10: error: the kernel never ends: thread (1, 0, 0) of block (2, 0, 0) waits here
__global__ void k(volatile int* flag) {
  if (blockIdx.x < 2 || threadIdx.x == 0)
    return;
  __syncthreads();
  while (flag[1] == 0) // and the host writes another one
    ;
}
int main() {
  int* flag = nullptr;
  cudaMallocHost(&flag, 8);
  flag[0] = flag[1] = 0;
  k<<<4, 32>>>(flag);
  if (cudaGetLastError() != cudaSuccess || cudaStreamQuery(0) != cudaErrorNotReady)
    return 1;
  *(volatile int*)flag = 1;
  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 0 : 2;
}
