// CHECK-DAG: inline_ptx.cu:3:{{[0-9]+}}: error: inline PTX, which the simulator does not run: ret
__global__ void k(unsigned* p) {
  asm volatile("ret;");
}
int main() {
  unsigned* p = nullptr;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  return cudaGetLastError() == cudaErrorNotSupported ? 0 : 1;
}
