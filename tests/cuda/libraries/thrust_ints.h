// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rows of Thrust's algorithms share.
#pragma once

#include "table.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>

using Ints = thrust::device_vector<int>;

inline std::vector<int> on_host(const Ints& values) {
  std::vector<int> result(values.size());
  thrust::copy(values.begin(), values.end(), result.begin());
  return result;
}

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
