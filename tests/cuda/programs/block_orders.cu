// Other orders of blocks, one of which faults and writes where it should not: the program notices
// nothing, and the orders of other kernels are still tried.
// Orders: 1 1 reverse 0
// CHECK-DAG: "kernel": "faults"{{.*}}the kernel fails in this order
// CHECK-DAG: "kernel": "depends"{{.*}}blocks depend on each other's order
#include "check.h"

// In the reverse order block 1 finds nothing to add to.
__global__ void faults(unsigned** to, unsigned* first) {
  if (blockIdx.x == 0)
    *to = first;
  else
    atomicAdd(*to, 1);
}

__global__ void depends(unsigned* last) {
  atomicExch(last, blockIdx.x);
}

int main() {
  Device<unsigned*> to(1);
  Device<unsigned> values(2);
  faults<<<2, 1>>>(to.data, values.data);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(values[0] == 1);
  depends<<<3, 1>>>(values.data + 1);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(values[1] == 2 && values[0] == 1);
  return wrong;
}
