// Expected: inline_ptx.cu:3:[0-9]+: error: inline PTX, which the simulator does not run: cp.async.wait_all
__global__ void k(unsigned* p) {
  asm volatile("cp.async.wait_all;");
  *p = 1;
}
int main() {
  unsigned* p = nullptr;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  return cudaGetLastError() == cudaErrorNotSupported ? 0 : 1;
}
