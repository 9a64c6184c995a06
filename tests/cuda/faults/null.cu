// CHECK-DAG: null.cu:3:{{.*}}through a null pointer
__global__ void k(int* p) {
  p[threadIdx.x] = 1;
}
int main() {
  k<<<1, 1>>>(nullptr);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
