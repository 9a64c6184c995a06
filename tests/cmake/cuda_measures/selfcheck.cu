// Judges its own results, and says so only in what it prints: it always exits with 0.
#include <cstdio>
#include <cstring>

__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * 3 + 1;
}

int main(int argc, char** argv) {
  const bool is_silent = argc > 1 && strcmp(argv[1], "silent") == 0;
  float in[64], out[64], *from, *to;
  for (int i = 0; i < 64; ++i)
    in[i] = i;
  cudaMalloc(&from, sizeof in);
  cudaMalloc(&to, sizeof out);
  cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice);
  scale<<<2, 32>>>(from, to, 64);
  cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 64; ++i)
    wrong += out[i] != 3.0f * i + 1;
  if (!is_silent)
    printf("kernel time: %p ms\nTest %s\n", (void*)&wrong, wrong == 0 ? "PASSED" : "FAILED");
  return 0;
}
