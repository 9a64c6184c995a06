namespace shapes {
struct Pair {
  float a, b;
};
__device__ float area(Pair p) {
  return p.a * p.b;
}
static __device__ bool wide(const Pair& p) {
  return p.a > p.b;
}
} // namespace shapes

template <typename T> __host__ __device__ T clamped(T x, T low, T high) {
  return x < low ? low : x > high ? high : x;
}
__device__ int scaled(int x) {
  return 2 * x;
}
__device__ float scaled(float x) {
  return 3 * x;
}
__host__ __device__ void both(float, float* twice, int& whole) {
  *twice = 2;
  whole += 1;
}
__device__ float dot(const float* a, const float* b, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}
__device__ int after(int result) {
  return result + 1;
}
struct Counter {
  int n;
  __device__ int next() { return ++n; }
  static __device__ int twice(int x) { return 2 * x; }
};
__global__ void k(float* out) {
  out[0] = 1;
}
