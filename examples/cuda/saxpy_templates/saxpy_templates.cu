// y = a x + y for several types: a kernel template, a functor and a lambda of the host's.
#include <cstdio>
#include <vector>

template <typename T> struct Saxpy {
  T a;
  __host__ __device__ T operator()(T x, T y) const { return a * x + y; }
};

template <typename T, typename Operation>
__global__ void transform(int n, Operation operation, const T* x, T* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = operation(x[i], y[i]);
}

template <typename T> bool test(int n) {
  std::vector<T> x(n), y(n), expected(n);
  const Saxpy<T> saxpy{T(3)};
  for (int i = 0; i < n; ++i) {
    x[i] = T(i % 100);
    y[i] = T(i % 7);
    expected[i] = saxpy(x[i], y[i]);
  }
  T *device_x = nullptr, *device_y = nullptr;
  cudaMalloc(&device_x, n * sizeof(T));
  cudaMalloc(&device_y, n * sizeof(T));
  cudaMemcpy(device_x, x.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  transform<<<4, 64>>>(n, saxpy, device_x, device_y);
  cudaMemcpy(y.data(), device_y, n * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(device_x);
  cudaFree(device_y);
  return cudaGetLastError() == cudaSuccess && y == expected;
}

int main() {
  const bool right = test<float>(1000) && test<double>(1) && test<int>(257);
  std::printf("%s\n", right ? "passed" : "failed");
  return right ? 0 : 1;
}
