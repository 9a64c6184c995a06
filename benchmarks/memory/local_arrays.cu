// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private arrays of an NVIDIA GPU: which ones are in memory (the stack frames that ptxas prints),
// and how many sectors their accesses are.
//
//     nvcc -O3 -arch=native -Xptxas -v local_arrays.cu -o local_arrays
//     metrics=l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum
//     metrics=$metrics,smsp__inst_executed_op_local_ld.sum,smsp__inst_executed_op_local_st.sum
//     ncu --metrics $metrics local_arrays
#define I (blockIdx.x * blockDim.x + threadIdx.x)

// One read by an index that a run shows.
template <int N> __global__ void read(const int* in, int* out) {
  int own[N];
#pragma unroll
  for (int i = 0; i < N; ++i)
    own[i] = in[(I + 65 * i) & 2047];
  out[I] = own[in[I] % N];
}

// Writes by such indices.
template <int N> __global__ void count(const int* in, int* out) {
  int own[N] = {};
  for (int i = 0; i < 64; ++i)
    ++own[in[(I + 65 * i) & 2047] % N];
  int sum = 0;
#pragma unroll
  for (int i = 0; i < N; ++i)
    sum = sum * 3 + own[i];
  out[I] = sum;
}

// The index is the same in all threads of a warp: a word of the array is 4 sectors.
__global__ void together(const int* in, int* out, int n) {
  int own[64];
  for (int i = 0; i < 64; ++i)
    own[i] = in[(I + 65 * i) & 2047];
  for (int i = 0; i < 256; ++i)
    own[(i * n) & 63] += own[(i * n + 7) & 63];
  out[I] = own[n & 63];
}

// Counters of loops that are unrolled.
__global__ void unrolled(const int* in, int* out) {
  int own[32];
  for (int i = 0; i < 32; ++i)
    own[i] = in[(I + i) & 2047];
  int sum = 0;
  for (int i = 0; i < 32; ++i)
    sum = sum * 3 + own[31 - i];
  out[I] = sum;
}

template <int N> void run(const int* in, int* out) {
  read<N><<<8, 256>>>(in, out);
  count<N><<<8, 256>>>(in, out);
}

int main() {
  int *in, *out, host[2048];
  for (int i = 0; i < 2048; ++i)
    host[i] = i * 7;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  run<4>(in, out);
  run<8>(in, out);
  run<16>(in, out);
  run<32>(in, out);
  run<64>(in, out);
  run<128>(in, out);
  together<<<8, 256>>>(in, out, 5);
  unrolled<<<8, 256>>>(in, out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
