// Deduction guides, in front of code in their line: places are those of the author's text.
#include <array>

template <typename T> struct Wide {
  T value;
  __device__ Wide(T x) : value(x) {}
};
/* double, */ Wide(float)->Wide<double>; template <typename T> __device__ T twice(T x) { return x > T(0) ? x + x : x; }

__global__ void fill(int* out) {
  const Wide wide(1.0f);
  const std::array two{1, twice(2)};
  out[0] = sizeof(wide.value) > 4 ? two[1] : two[0];
}
