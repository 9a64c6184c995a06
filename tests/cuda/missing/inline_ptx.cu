// Expected: inline_ptx.cu:4:[0-9]+: error: inline PTX, which the simulator does not run: movmatrix.sync.aligned
__global__ void k(unsigned* p) {
  unsigned r;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(0));
  *p = r;
}
int main() {
  unsigned* p = nullptr;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  return cudaGetLastError() == cudaErrorNotSupported ? 0 : 1;
}
