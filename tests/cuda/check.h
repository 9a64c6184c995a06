// For programs that test themselves: EXPECT counts what is wrong, and main() returns how much.
#pragma once

#include <cstdio>

static int wrong = 0; // NOLINT

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                  \
      ++wrong;                                                                                     \
    }                                                                                              \
  } while (0)

// Memory of the device with the values of an array, and back.
template <typename T> struct Device {
  T* data = nullptr;
  int count;
  explicit Device(int n, const T* values = nullptr) : count(n) {
    cudaMalloc(&data, n * sizeof(T));
    if (values)
      cudaMemcpy(data, values, n * sizeof(T), cudaMemcpyHostToDevice);
    else {
      cudaMemset(data, 0, n * sizeof(T));
      cudaStreamSynchronize(nullptr); // for streams that do not wait for the default one
    }
  }
  ~Device() { cudaFree(data); }
  T operator[](int i) const {
    T value{};
    cudaMemcpy(&value, data + i, sizeof(T), cudaMemcpyDeviceToHost);
    return value;
  }
};
