// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of addresses.cl in CUDA.

__global__ void histogram(const unsigned* keys, unsigned* bins) {
  atomicAdd(&bins[keys[(blockIdx.x * blockDim.x + threadIdx.x)] % 256], 1u);
}

__global__ void histogram_local(const unsigned* keys, unsigned* bins) {
  __shared__ unsigned own[256];
  const unsigned i = threadIdx.x;
  own[i] = 0;
  __syncthreads();
  for (unsigned k = 0; k < 4; ++k)
    atomicAdd(
        &own[keys[k * (gridDim.x * blockDim.x) + (blockIdx.x * blockDim.x + threadIdx.x)] & 255],
        1u);
  __syncthreads();
  atomicAdd(&bins[i], own[i]);
}

__global__ void gather(const unsigned* index, const float* in, float* out) {
  out[(blockIdx.x * blockDim.x + threadIdx.x)] = in[index[(blockIdx.x * blockDim.x + threadIdx.x)]];
}

__global__ void scatter(const unsigned* index, const float* in, float* out) {
  out[index[(blockIdx.x * blockDim.x + threadIdx.x)]] = in[(blockIdx.x * blockDim.x + threadIdx.x)];
}

__global__ void spmv(const unsigned* columns, const float* values, const float* x, float* y) {
  const unsigned row = (blockIdx.x * blockDim.x + threadIdx.x), rows = (gridDim.x * blockDim.x);
  float sum = 0;
  for (unsigned k = 0; k < 4; ++k)
    sum += values[k * rows + row] * x[columns[k * rows + row]];
  y[row] = sum;
}

__global__ void bfs(const unsigned* neighbours, const unsigned char* frontier, unsigned char* seen,
                    unsigned char* next) {
  const unsigned node = (blockIdx.x * blockDim.x + threadIdx.x);
  if (!frontier[node])
    return;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned to = neighbours[node * 4 + k];
    if (!seen[to])
      next[to] = 1;
  }
}

__global__ void hash_table(const unsigned* keys, const unsigned* table, unsigned* found) {
  const unsigned key = keys[(blockIdx.x * blockDim.x + threadIdx.x)];
  unsigned slot = key * 2654435761u >> 22;
  for (unsigned k = 0; k < 4 && table[slot] != 0 && table[slot] != key; ++k)
    slot = (slot + 1) % 1024;
  found[(blockIdx.x * blockDim.x + threadIdx.x)] = slot;
}

__global__ void table_local(const unsigned* index, float* out) {
  __shared__ float table[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x)
    table[i] = i;
  __syncthreads();
  float sum = 0;
  for (unsigned k = 0; k < 4; ++k)
    sum +=
        table[index[k * (gridDim.x * blockDim.x) + (blockIdx.x * blockDim.x + threadIdx.x)] % 1024];
  out[(blockIdx.x * blockDim.x + threadIdx.x)] = sum;
}
