namespace shapes {
template <typename T> __host__ __device__ T clamped(T x, T low, T high) {
  return x < low ? low : x > high ? high : x;
}
} // namespace shapes

__device__ void split(float x, int* whole, float& rest) {
  *whole = static_cast<int>(x);
  rest += x - *whole;
}

static __device__ float dot(const float* a, const float* b, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}
