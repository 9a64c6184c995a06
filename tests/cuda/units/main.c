// C, compiled by the host's compiler.
#include <cuda_runtime.h>

int run(int value);

int main(void) {
  cudaGraph_t graph;
  struct cudaDeviceProp properties;
  if (cudaGraphCreate(&graph, 0) != cudaSuccess || cudaGraphDestroy(graph) != cudaSuccess)
    return 1;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess || properties.warpSize != 32)
    return 2;
  return run(21) == 42 ? 0 : 3;
}
