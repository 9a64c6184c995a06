// Launches, shared memory and atomics: what is CUDA's own.
__global__ void count(unsigned* bins, const unsigned* data, int n) {
  __shared__ unsigned own[8], other;
  extern __shared__ unsigned more[];
  const uint3 whole = threadIdx; // no index by itself
  if (threadIdx.x < 8)
    own[threadIdx.x] = other = more[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, row = whole.y;
  if (i < n) // gputest: ignore[relational_replacement] n is a multiple
    atomicMax(&own[data[i] % 8], row + 1);
  __threadfence();
  __syncthreads();
  if (threadIdx.x < 8 && atomicCAS(&bins[0], 0u, 1u) == 0)
    atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

template <typename T> __global__ void fill(T* to, T value) {
  to[threadIdx.x] = value + T(3) % T(2);
}
template <typename T> __global__ void scale(T* to, T factor) {
  to[threadIdx.x] *= factor;
}

#define START(kernel, ...) kernel<<<1, 32>>>(__VA_ARGS__)
#define THREADS 64
#define BLOCKS(n) (((n) + THREADS - 1) / THREADS)
#define SIZES 2, 2
void host(unsigned* bins, const unsigned* data, int n, dim3 blocks) {
  count<<<blocks, 64, 32>>>(bins, data, n);
  fill<<<n / 32 + 1, dim3(8, 2)>>>(bins, 3u);
  START(scale, bins, 2u);
  float* no = nullptr;
  scale<float><<<2, 2>>>(no, 1.0f);
  scale<<<BLOCKS(n), n / 2 * THREADS>>>(bins, 3u);
  scale<<<SIZES>>>(bins, 3u);
}
