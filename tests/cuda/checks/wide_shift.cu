// Shifts that C++ leaves undefined, as in a rotation by zero. The kernel goes on as on a GPU.
// CHECK-DAG: wide_shift.cu:9:{{[0-9]+}}: error: thread (3, 0, 0) of block (0, 0, 0) shifts by at least the width of the type [shift]
// CHECK-DAG: wide_shift.cu:10:{{[0-9]+}}: error: thread (0, 0, 0) of block (0, 0, 0) shifts by at least the width of the type [shift]
#include "check.h"

__global__ void shift(const unsigned* by, unsigned* out, long long* wide) {
  const unsigned n = by[threadIdx.x];
  out[threadIdx.x] =
      (1u << n) - 1u;
  out[threadIdx.x] ^= n >> (32 - n);
  wide[threadIdx.x] = -1ll << (n & 63) >> n;
}

int main() {
  const unsigned by[] = {0, 4, 31, 32};
  Device<unsigned> amounts(4, by), out(4);
  Device<long long> wide(4);
  shift<<<1, 4>>>(amounts.data, out.data, wide.data);
  EXPECT(out[0] == 0 && out[1] == 15 && out[2] == (0x7fffffffu ^ 15) && out[3] == (0xffffffffu ^ 32));
  EXPECT(wide[3] == -1);
  return wrong;
}
