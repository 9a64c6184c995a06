// Uses a function of the other unit, which has nothing else.
__device__ int twice(int x);

__global__ void double_it(int* p) {
  *p = twice(*p);
}

extern "C" int run(int value) {
  int* p = nullptr;
  cudaMalloc(&p, sizeof value);
  cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
  double_it<<<1, 1>>>(p);
  cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return value;
}
