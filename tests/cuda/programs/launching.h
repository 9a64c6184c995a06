// A header with a launch by a kernel.
#pragma once

template <typename T> __global__ void set(T* values, T value) {
  values[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

template <typename T> __global__ void set_all(T* values, T value, unsigned blocks) {
  if (threadIdx.x == 0)
    set<T><<<blocks, blockDim.x>>>(values, value);
}
