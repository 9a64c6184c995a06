// A product of matrices of half precision, by the matrices of warps.
#include "check.h"

#include <mma.h>
#include <vector>

namespace wmma = nvcuda::wmma;

// As programs do it: a warp for each tile of 16 rows and columns, tiles of A in shared memory, what comes out is scaled.
__global__ void product(const half* a, const half* b, float* d, int n, float alpha) {
  __shared__ half tile[4][16 * 16];
  const int warp = threadIdx.x / 32, row = blockIdx.y * 16, column = (blockIdx.x * 4 + warp) * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> of_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> of_b;
    for (int i = threadIdx.x % 32; i < 256; i += 32)
      tile[warp][i] = a[(row + i / 16) * n + k + i % 16];
    __syncwarp();
    wmma::load_matrix_sync(of_a, tile[warp], 16);
    wmma::load_matrix_sync(of_b, b + k * n + column, n);
    wmma::mma_sync(sum, of_a, of_b, sum);
    __syncwarp();
  }
  for (int i = 0; i < sum.num_elements; ++i)
    sum.x[i] *= alpha;
  wmma::store_matrix_sync(d + row * n + column, sum, n, wmma::mem_row_major);
}
int main() {
  const int n = 64;
  std::vector<half> a(n * n), b(n * n);
  std::vector<float> d(n * n);
  for (int i = 0; i < n * n; ++i)
    a[i] = half(static_cast<float>(i * 7 % 17 - 8)), b[i] = half(static_cast<float>(i * 5 % 13 - 6));
  const Device<half> of_a(n * n, a.data()), of_b(n * n, b.data());
  const Device<float> of_d(n * n);
  product<<<dim3(1, 4), 128>>>(of_a.data, of_b.data, of_d.data, n, 2.f);
  EXPECT(cudaMemcpy(d.data(), of_d.data, sizeof(float) * n * n, cudaMemcpyDeviceToHost) == cudaSuccess);
  int differ = 0;
  for (int i = 0; i < n * n; ++i) {
    float sum = 0;
    for (int k = 0; k < n; ++k)
      sum += static_cast<float>(a[i / n * n + k]) * static_cast<float>(b[k * n + i % n]);
    differ += d[i] != 2 * sum;
  }
  EXPECT(differ == 0);
  return wrong;
}

