// Clusters of blocks: they are there at once, wait for each other, and use each other's shared memory.
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Each block shows its number to the next ones of its cluster, again and again.
__global__ void __cluster_dims__(4, 1, 1) pass_on(int* out, int rounds) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 || defined(__GPUTEST_CUDA__)
  __shared__ double before; // so that `mine` does not begin the memory
  __shared__ int mine[32];
  extern __shared__ int dynamic[];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
  if (threadIdx.x == 0)
    before = 0;
  mine[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    cluster.sync();
    const int got = cluster.map_shared_rank(mine, next)[threadIdx.x];
    cluster.sync();
    mine[threadIdx.x] = got;
  }
  *cluster.map_shared_rank(&dynamic[threadIdx.x], next) = mine[threadIdx.x];
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] = mine[threadIdx.x] + (int)before;
  out[256 + blockIdx.x * 32 + threadIdx.x] = dynamic[threadIdx.x];
#endif
}

#define REGISTER(name)                                                                             \
  [] {                                                                                             \
    unsigned value;                                                                                \
    asm volatile("mov.u32 %0, %%" name ";" : "=r"(value));                                         \
    return value;                                                                                  \
  }()
// How many of PTX's registers say something else than the cluster does.
__device__ unsigned wrong_registers(unsigned explicit_cluster) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 || defined(__GPUTEST_CUDA__)
  const dim3 at = cg::this_cluster().block_index(), blocks = cg::this_cluster().dim_blocks();
  unsigned is_explicit;
  asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }"
      : "=r"(is_explicit));
  const bool wrong[] = {REGISTER("cluster_ctaid.x") != at.x,
                        REGISTER("cluster_ctaid.y") != at.y,
                        REGISTER("cluster_ctaid.z") != at.z,
                        REGISTER("cluster_nctaid.x") != blocks.x,
                        REGISTER("cluster_nctaid.y") != blocks.y,
                        REGISTER("cluster_nctaid.z") != blocks.z,
                        REGISTER("clusterid.x") != blockIdx.x / blocks.x,
                        REGISTER("clusterid.y") != blockIdx.y / blocks.y,
                        REGISTER("nclusterid.x") != gridDim.x / blocks.x,
                        REGISTER("nclusterid.y") != gridDim.y / blocks.y,
                        REGISTER("cluster_ctarank") != cg::this_cluster().block_rank(),
                        REGISTER("cluster_nctarank") != cg::this_cluster().num_blocks(),
                        is_explicit != explicit_cluster};
  unsigned all = 0;
  for (const bool one : wrong)
    all += one;
  return all;
#else
  return 0;
#endif
}
__global__ void without_cluster(unsigned* out) {
  *out = wrong_registers(0);
}

__global__ void places(unsigned* out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 || defined(__GPUTEST_CUDA__)
  cg::cluster_group cluster = cg::this_cluster();
  __shared__ unsigned sum;
  sum = 0;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(&sum, 0), 1 + cluster.block_rank());
  cluster.sync();
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  const dim3 at = cluster.block_index(), blocks = cluster.dim_blocks();
  out[3 * block] = sum + 1000 * wrong_registers(cg::this_cluster().num_blocks() > 1);
  out[3 * block + 1] = at.x + 10 * at.y + 100 * blocks.x + 1000 * blocks.y;
  out[3 * block + 2] = cluster.thread_rank() + 100 * cluster.num_threads();
#endif
}

static cudaError_t launch_places(unsigned* out, dim3 grid, unsigned x, unsigned y) {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = x;
  attribute[0].val.clusterDim.y = y;
  attribute[0].val.clusterDim.z = 1;
  config.gridDim = grid;
  config.blockDim = dim3(1);
  config.attrs = attribute;
  config.numAttrs = 1;
  int clusters = 0;
  if (x * y <= 8 && grid.x % x == 0) {
    EXPECT(cudaOccupancyMaxPotentialClusterSize(&clusters, places, &config) == cudaSuccess && clusters >= 8);
    EXPECT(cudaOccupancyMaxActiveClusters(&clusters, places, &config) == cudaSuccess && clusters > 0);
  }
  return cudaLaunchKernelEx(&config, places, out);
}

int main() {
  int* out;
  EXPECT(cudaMallocManaged(&out, 512 * sizeof *out) == cudaSuccess);
  pass_on<<<8, 32, 128>>>(out, 3);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 256; ++i) {
    const int block = i / 32, first = block / 4 * 4;
    EXPECT(out[i] == (first + (block + 3) % 4) * 100 + i % 32);
    EXPECT(out[256 + i] == (first + (block + 2) % 4) * 100 + i % 32); // what the block before has written
  }
  without_cluster<<<1, 1>>>(reinterpret_cast<unsigned*>(out));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && *out == 0);
  unsigned* of_places = reinterpret_cast<unsigned*>(out);
  EXPECT(launch_places(of_places, dim3(4, 2), 2, 2) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned block = 0; block < 8; ++block) {
    const unsigned x = block % 4 % 2, y = block / 4;
    EXPECT(of_places[3 * block] == (x + y == 0 ? 10u : 0u));
    EXPECT(of_places[3 * block + 1] == x + 10 * y + 2200 && of_places[3 * block + 2] == x + 2 * y + 400);
  }
  EXPECT(launch_places(of_places, dim3(3, 2), 1, 1) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(of_places[15] == 1 && of_places[16] == 1100);
  EXPECT(launch_places(of_places, dim3(3, 2), 2, 1) == cudaErrorInvalidClusterSize && cudaGetLastError() == cudaErrorInvalidClusterSize);
  EXPECT(launch_places(of_places, dim3(64), 64, 1) == cudaErrorInvalidClusterSize && cudaGetLastError() == cudaErrorInvalidClusterSize);
  cudaFuncAttributes attributes;
  EXPECT(cudaFuncGetAttributes(&attributes, pass_on) == cudaSuccess && attributes.requiredClusterWidth == 4 && attributes.clusterDimMustBeSet == 1 && attributes.requiredClusterHeight == 1);
  pass_on<<<6, 32, 128>>>(out, 1); // 4 do not divide 6
  EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize);
  return wrong;
}
