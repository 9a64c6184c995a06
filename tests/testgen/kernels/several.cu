// Several kernels in one file. Some of them cannot be run by themselves.
template <typename T> __global__ void choose(T which, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = which ? i : 2;
}
template __global__ void choose<int>(int, int*);
template __global__ void choose<int*>(int*, int*);

__device__ int* piece(int size) {
  return static_cast<int*>(malloc(size));
}

__global__ void allocates(int* data) {
  data[threadIdx.x] = *piece(4);
}

__global__ void asks_for_the_time(long long* data) {
  data[threadIdx.x] = clock64();
}

__global__ void samples(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, 0);
}

namespace halves {
struct Half {
  bool upper;
};

__global__ void take(int* data, Half half) {
  extern __shared__ int part[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = data[i];
  __syncthreads();
  if (half.upper)
    data[i] = part[blockDim.x - 1 - threadIdx.x] + 1;
}
} // namespace halves
