#pragma once
#define HALF(x) ((x) / 2)

template <typename T> __device__ T scaled(T x) {
  if (x > T(8) || x < T(-8))
    return HALF(x);
  return x;
}
