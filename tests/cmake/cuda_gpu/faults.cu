// Each goes wrong if it is told so.
#include <cassert>

__global__ void behind(int wrong, int* data) {
  data[threadIdx.x + (wrong ? 4 : 0)] = 1;
}
__global__ void outside(int wrong, int* data) {
  if (wrong)
    data = reinterpret_cast<int*>(8);
  data[threadIdx.x % 4] = 1;
}
__global__ void asserts(int wrong, int* data) {
  assert(!wrong);
  data[threadIdx.x] = 1;
}
__global__ void traps(int wrong, int* data) {
  if (wrong)
    __trap();
  data[threadIdx.x] = 1;
}
__global__ void endless(int wrong, int* data) {
  volatile int* const rounds = data;
  for (int odd = 1; wrong && odd != 0; odd = static_cast<int>(odd + 2u))
    rounds[threadIdx.x] = odd;
  data[threadIdx.x] = 1;
}
