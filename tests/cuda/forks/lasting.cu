// What device code keeps is not in a variable that the host knows.
__global__ void count(int* out) {
  static int next = 5;
  *out = ++next;
}

int main() {
  int *out, host = 0;
  cudaMalloc(&out, sizeof *out);
  count<<<1, 1>>>(out);
  cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost);
  return host == 6 ? 0 : 1;
}
