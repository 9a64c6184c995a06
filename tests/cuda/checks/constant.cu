// Writes to constants of the device: by name, through a pointer that may point to something else, through one from the
// host, and by an atomic operation.
// CHECK-DAG: constant.cu:13:{{[0-9]+}}: error: thread (0, 0, 0) of block (0, 0, 0) writes 4 bytes of 'table', which is constant [write_to_read_only]
// CHECK-DAG: constant.cu:14:{{[0-9]+}}: error: thread (0, 0, 0) of block (0, 0, 0) writes 4 bytes of 'table', which is constant [write_to_read_only]
// CHECK-DAG: constant.cu:15:{{[0-9]+}}: error: thread (0, 0, 0) of block (0, 0, 0) writes 4 bytes of '{{[a-z]+}}', which is constant [write_to_read_only]
// CHECK-DAG: constant.cu:16:{{[0-9]+}}: error: thread (0, 0, 0) of block (0, 0, 0) writes 4 bytes of 'table', which is constant [write_to_read_only]
#include "check.h"

__constant__ int table[4] = {1, 2, 3, 4};
__constant__ int other[4];
struct Pointers { int* a[2]; };
__global__ void write(int* out, Pointers pointers, int which) {
  table[threadIdx.x] = 7;
  *(which ? table + 1 : out) = 8;
  pointers.a[which][2] = 9;
  atomicAdd(table + 3, 1);
  pointers.a[0][0] = table[1] + other[1];
}

int main() {
  Device<int> out(4);
  void* of_host = nullptr;
  EXPECT(cudaGetSymbolAddress(&of_host, other) == cudaSuccess);
  write<<<1, 1>>>(out.data, {out.data, static_cast<int*>(of_host)}, 1);
  EXPECT(out[0] == 2); // nothing was written
  const int values[] = {5, 6, 7, 8};
  EXPECT(cudaMemcpyToSymbol(table, values, sizeof values) == cudaSuccess);
  return wrong;
}
