// __shared__ objects of classes with constructors or destructors, which are not called, as in nvcc's
// code; and code that Clang refuses behind a precompiled header.
#include "check.h"

struct Made {
  int value;
  __device__ Made() : value(-1) {}
  __device__ Made(int v) : value(v) {}
  __device__ Made operator+(const Made& other) const { return Made(value + other.value); }
};
struct Left {
  int value;
  __device__ ~Left() { value = -2; }
};
struct Initialized {
  int value = -3;
};
struct Both {
  Made made;
  Left left;
};
template <typename T, int n = 2> struct Several {
  T all[n];
  __device__ Several() {}
};
#define LENGTH 8

template <typename T> __device__ int reversed(int i, int count) {
  __shared__ T line[LENGTH]; // T is known with its instance
  line[i] = T(i);
  __syncthreads();
  const auto other = [=](int at) { return line[count - 1 - at].value; };
  const int result = other(i);
  __syncthreads();
  return result;
}

__global__ void all(int* out) {
  __shared__ Made one, two[3][2];
  __shared__ Left left;
  static __shared__ Initialized initialized;
  alignas(128) __shared__ Both both;
  /* ; */ __shared__ __align__(64)
      Several<Made, (3 > 2 ? 4 : 5)> several, others[2];
  Left __shared__ last; __shared__ int plain;
  const int i = threadIdx.x;
  if (i == 0) {
    one.value = 1;
    for (auto& row : two)
      for (Made& made : row)
        made.value = 2;
    left.value = 3;
    initialized.value = 4;
    both.made = Made(5);
    both.left.value = 6;
    several.all[3].value = 7;
    others[1].all[0].value = 8;
    last.value = 9;
    plain = 10;
  }
  __syncthreads();
  out[i] = (one + two[2][1]).value + left.value + initialized.value + both.made.value +
           both.left.value + several.all[3].value + others[1].all[0].value + last.value + plain +
           reversed<Made>(i, LENGTH) + (reinterpret_cast<size_t>(&both) % 128 ? 1000 : 0) +
           (reinterpret_cast<size_t>(&several) % 64 ? 1000 : 0) +
           static_cast<int>(sizeof two - sizeof(Made[3][2]));
}

// Both lambdas are generic, and one is in the other.
__host__ __device__ inline int twice(int value) {
  int sum = 0;
  const auto outer = [&](auto x) {
    const auto inner = [&](auto y) { return sum += x + y; };
    return inner(x);
  };
  return outer(value);
}
__global__ void nested(int* out) { out[threadIdx.x] = twice(threadIdx.x); }

int main() {
  Device<int> out(LENGTH);
  all<<<1, LENGTH>>>(out.data);
  for (int i = 0; i < LENGTH; ++i)
    EXPECT(out[i] == 55 + LENGTH - 1 - i);
  nested<<<1, LENGTH>>>(out.data);
  for (int i = 0; i < LENGTH; ++i)
    EXPECT(out[i] == 2 * i && twice(i) == 2 * i);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return wrong;
}
