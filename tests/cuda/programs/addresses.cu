// Variables that begin with addresses of others: those that a kernel uses, and those that it does
// not.
#include "check.h"

__device__ int counter = 5;
__device__ int* pointer = &counter;
__device__ int values[4] = {1, 2, 3, 4};
__constant__ int* table[2] = {values + 1, &counter};
struct Link {
  Link* next;
  int value;
};
__device__ Link last = {nullptr, 30}, first = {&last, 12};
__device__ int* unused = values + 3;

__global__ void only_counter() { // `pointer` and `table`, which have its address, are not used
  counter += 1;
}
__global__ void by_address(int* sum) {
  *pointer += 10;
  *sum = *table[0] + *table[1] + first.next->value + first.value;
}
__global__ void by_constant(int* sum, int which) {
  static const int* const both[2] = {&counter, values + 2};
  static const int* const* const all[1] = {both};
  *sum = *both[which] * 100 + *all[0][1 - which];
}

int main() {
  Device<int> sum(1);
  only_counter<<<1, 1>>>();
  by_address<<<1, 1>>>(sum.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(sum[0] == 2 + 16 + 30 + 12);
  by_constant<<<1, 1>>>(sum.data, 1);
  EXPECT(sum[0] == 316);
  return wrong;
}
