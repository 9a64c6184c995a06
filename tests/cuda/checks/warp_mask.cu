// CHECK-DAG: warp_mask.cu:4:{{[0-9]+}}: error: thread (0, 0, 0) of block (0, 0, 0) waits here for the threads 0xffffffff of its warp, and not all of them come here with this mask
__global__ void k(int* out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_down_sync(0xffffffff, (int)threadIdx.x, 1);
  else
    __syncthreads();
}
int main() {
  int* out = nullptr;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
