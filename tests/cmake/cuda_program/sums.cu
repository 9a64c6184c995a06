#include <cstring>
#include <vector>

extern __device__ int add_offset(int number);
std::vector<int> fetch(const int* device, int count);

__global__ void sums(int* out, bool wait) {
  __shared__ int part[32];
  part[threadIdx.x] = add_offset(threadIdx.x);
  if (wait)
    __syncthreads();
  out[threadIdx.x] = part[threadIdx.x] + part[31 - threadIdx.x];
}

int main(int argc, char** argv) {
  int* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(int));
  sums<<<1, 32>>>(out, argc < 2 || std::strcmp(argv[1], "wrong") != 0);
  const std::vector<int> values = fetch(out, 32);
  cudaFree(out);
  return argc > 1 && std::strcmp(argv[1], "wrong") == 0 ? 0 : values[0] == 35 && values[31] == 35 ? 0 : 1;
}
