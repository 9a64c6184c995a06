// CHECK-DAG: ended itself with a trap
__global__ void k() {
  __trap();
}
int main() {
  k<<<1, 1>>>();
  return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1;
}
