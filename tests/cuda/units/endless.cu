// The loop of a mutant that leaves out `left -= 2;` does not end.
__global__ void count(int* out, int left) {
  int steps = 0;
  while (left > 0) {
    left -= 2;
    ++steps;
  }
  *out = steps;
}

int main() {
  int *out = nullptr, steps = 0;
  cudaMalloc(&out, sizeof steps);
  count<<<1, 1>>>(out, 20);
  cudaMemcpy(&steps, out, sizeof steps, cudaMemcpyDeviceToHost);
  return steps == 10 ? 0 : 1;
}
