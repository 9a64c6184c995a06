// CHECK-DAG: wmma.cu:8:{{[0-9]+}}: error: data race
#include <mma.h>
namespace wmma = nvcuda::wmma;
__global__ void k(float* out) {
  __shared__ float tile[256];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 1.f);
  wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
  // __syncwarp() is missing.
  out[threadIdx.x] = tile[8 * threadIdx.x + 7];
}
int main() {
  float* out = nullptr;
  cudaMalloc(&out, 32 * sizeof(float));
  k<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
