// A function that no other process calls for this one.
__global__ void put(cudaPitchedPtr out) { static_cast<int*>(out.ptr)[threadIdx.x] = 2 * threadIdx.x; }

int main() {
  int host[16];
  cudaPitchedPtr memory;
  cudaMalloc3D(&memory, make_cudaExtent(64, 1, 1));
  put<<<1, 16>>>(memory);
  cudaMemcpy(host, memory.ptr, sizeof host, cudaMemcpyDeviceToHost);
  return host[3] == 6 ? 0 : 1;
}
