struct Range {
  int first, last;
};
struct Weighted : Range {
  float weight;
  bool inverted;
};

template <typename T, int N> __device__ T times(T value) {
  return value * N;
}

template <typename T, int N> __global__ void scaled(const T* in, T* out) {
  const int i = blockIdx.y * blockDim.x + threadIdx.x;
  if (i < N)
    out[i] = times<T, N>(in[i]);
}

namespace blur {
__global__ void rows(float* out, float4 color, Weighted range) {
  for (int i = range.first; i < range.last; ++i)
    out[i] += color.x * range.weight;
}
} // namespace blur

namespace {
__global__ void __launch_bounds__(3 * 32) hidden(bool flag, unsigned char* flags) {
  flags[threadIdx.x] = flag;
}
} // namespace

__global__ void over(float* x) {
  *x = 1;
}
__global__ void over(int* x, int n) {
  *x = n;
}
