// Uses a function of the other unit, which has nothing else.
__device__ int twice(int x);
extern __device__ int calls; // also the host's name for it
extern __device__ int internal_linkonce; // a name like a word of the compiler's
extern __constant__ int bias;
template <typename T> __device__ T thrice(T x);
extern template __device__ int thrice<int>(int);

__global__ void double_it(int* p) {
  *p = twice(*p) + thrice(*p) - 3 * *p;
}

extern "C" int run(int value) {
  int* p = nullptr;
  cudaMalloc(&p, sizeof value);
  cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
  double_it<<<1, 1>>>(p);
  cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
  cudaFree(p);
  int called = 0, zero = 0;
  cudaMemcpyFromSymbol(&called, calls, sizeof called);
  int linked = 0;
  cudaMemcpyFromSymbol(&linked, internal_linkonce, sizeof linked);
  if (called != 1 || linked != 7 || cudaMemcpyToSymbol(bias, &zero, sizeof zero) != cudaSuccess)
    return -called;
  return value;
}
