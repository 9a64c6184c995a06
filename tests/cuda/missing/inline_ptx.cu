// Expected: inline_ptx.cu:4:[0-9]+: error: inline PTX, which the simulator does not run: ldmatrix.sync.aligned
__global__ void k(unsigned* p) {
  unsigned r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(0));
  *p = r;
}
int main() {
  unsigned* p = nullptr;
  cudaMalloc(&p, 4);
  k<<<1, 1>>>(p);
  return cudaGetLastError() == cudaErrorNotSupported ? 0 : 1;
}
