// Expected: error: a constant of the program has the address of the variable 'a'
__device__ int a = 1, b = 2;
__global__ void k(int* p, int i) {
  static const int* const both[2] = {&a, &b};
  *p = *both[i];
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p, 1);
  return cudaGetLastError() == cudaErrorNotSupported ? 0 : 1;
}
