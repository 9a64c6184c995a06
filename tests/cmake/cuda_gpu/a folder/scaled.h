#pragma once
#include <cmath>
#include <cstdint>

__host__ __device__ inline float scaled(float x) {
  return std::fabs(SCALED(x));
}
constexpr std::int32_t first() {
  return 0;
}
