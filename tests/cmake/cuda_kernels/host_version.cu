#include <cmath>

// The program that the functions are from: nothing of it is linked with a test of one of them.
void elsewhere();

__global__ void never_launched() {}

int main() {
  elsewhere();
  never_launched<<<1, 1>>>();
}

namespace {
struct Span {
  double from, to;
};
} // namespace

template <typename T> __host__ __device__ T rounded_up(T x, T step) {
#if FAULT && defined(__CUDA_ARCH__)
  return x / step * step;
#else
  return (x + step - 1) / step * step;
#endif
}

// Writes through its arguments, of which one may be null, and reads an array.
__host__ __device__ bool widened(Span& span, const double* margins, int which, float* root) {
  if (root)
#ifdef __CUDA_ARCH__
    *root = sqrtf(*root);
#else
    *root = static_cast<float>(std::sqrt(static_cast<double>(*root)));
#endif
  span.from -= margins[which];
  span.to += margins[which] * (FAULT + 1);
  return span.to > 10;
}

__device__ float of_the_device(float x) {
  return __expf(x);
}
