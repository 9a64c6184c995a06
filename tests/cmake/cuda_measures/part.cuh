#pragma once

template <typename T> __device__ T positive(T x) {
  return x < T(0) ? T(0) : x;
}
