// Expected: inline_ptx.cu:4:[0-9]+: error: inline PTX, which the simulator does not run: popc
__global__ void k(unsigned* p) {
  unsigned n;
  asm("popc.b32 %0, %1;" : "=r"(n) : "r"(*p));
  *p = n;
}
int main() {
  unsigned* p = nullptr;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  return cudaGetLastError() == cudaErrorNotSupported ? 0 : 1;
}
