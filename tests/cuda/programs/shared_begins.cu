// Shared memory begins with bytes that are no zeros, in each block anew, unless zeros are asked for.
// Any argument: they are.
// Checked with: --check bounds --zero-shared -- zeros
// Checked with: --zero-shared --check bounds -- zeros
// Checked with: --check bounds --
#include "check.h"

#include <cstdlib>
#include <string>

__global__ void begins(unsigned* out) {
  __shared__ unsigned fixed[32];
  extern __shared__ unsigned dynamic[];
  const unsigned at = 64 * blockIdx.x + threadIdx.x;
  out[at] = fixed[threadIdx.x];
  out[at + 32] = dynamic[threadIdx.x];
  fixed[threadIdx.x] = dynamic[threadIdx.x] = 7;
}

int main(int argc, char** argv) {
  Device<unsigned> out(128);
  begins<<<2, 32, 128>>>(out.data);
  for (int i = 0; i < 128; ++i)
    EXPECT(out[i] == (argc > 1 ? 0 : 0xcbcbcbcb));
  if (argc == 1) {
    setenv("GPUTEST_CUDA_ZERO_SHARED", "1", 1); // for a process of its own
    EXPECT(std::system((std::string(argv[0]) + " zeros").c_str()) == 0);
  }
  return wrong;
}
