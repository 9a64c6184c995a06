__device__ int calls;
__device__ int internal_linkonce = 7;
__constant__ int bias = 0;

__device__ int twice(int x) {
  atomicAdd(&calls, 1);
  return 2 * x + bias;
}

template <typename T> __device__ T thrice(T x) {
  return 3 * x;
}
template __device__ int thrice<int>(int);
