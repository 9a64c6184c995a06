// What is shifted by a masked amount is right, whatever the amount was.
#include "check.h"

__global__ void shift(const unsigned* by, unsigned* out) {
  out[threadIdx.x] = 3u << (by[threadIdx.x] & 31);
}

int main() {
  const unsigned by[] = {1, 31, 32, 77};
  Device<unsigned> amounts(4, by), out(4);
  shift<<<1, 4>>>(amounts.data, out.data);
  EXPECT(out[0] == 6 && out[1] == 0x80000000u && out[2] == 3 && out[3] == 3u << 13);
  return wrong;
}
