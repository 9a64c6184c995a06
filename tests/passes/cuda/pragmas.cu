// Pragmas in front of loops, with what follows them, and pragmas that belong to nothing.
constexpr int kTile = 8;

__device__ float dot(const float* a, const float* b) {
  float sum = 0; // of all
#pragma unroll
  for (int i = 0; i < kTile; ++i)
    sum += a[i] * b[i];
#pragma unroll 4

  for (int i = 0; i < kTile; ++i) {
    #pragma unroll (2)
    for (int k = 0; k < 2; ++k)
      sum += a[i] > b[k] ? a[i] : b[k];
  }
  return sum;
}

template <int N> __global__ void dots(const float* a, const float* b, float* out) {
  const int t = threadIdx.x;
  if (t < N)
#pragma unroll N
    for (int i = 0; i < N; ++i) {
      if (a[i] > 0)
#pragma nounroll
        while (out[t] < 0)
          ++out[t];
    }
#ifdef UNSEEN
#pragma unroll
#else
#pragma unroll \
    2
#pragma clang loop vectorize(disable)
#endif
  for (int i = 0; i < N; ++i)
    out[t] += dot(a + i, b);
  for (int i = 0; i < 2; ++i) {
    out[t] += i;
#if defined(__CUDA_ARCH__) // for the device alone
#if 1
#pragma unroll
    // twice
#endif
#endif
    for (int k = 0; k < N; ++k)
      out[t] += k;
#if 1
#pragma unroll
    for (int k = 0; k < N; ++k)
      out[t] -= k;
#endif
  }
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int k = 0; k < N; ++k)
      out[t] -= i * k;
  do // without braces, too
#pragma unroll
    for (int k = 0; k < N; ++k)
      out[t] += k;
  while (out[t] < 0);
  _Pragma("unroll") for (int i = 0; i < 2; ++i) out[t] += i;
}

void launch(const float* a, const float* b, float* out) {
  dots<4><<<1, 4>>>(a, b, out);
}
