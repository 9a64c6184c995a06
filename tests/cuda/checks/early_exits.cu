// Threads that leave before a barrier of others: a note for each barrier, whatever the number of blocks and launches.
// CHECK: early_exits.cu:8:{{[0-9]+}}: note: the threads of block (0, 0, 0) go on behind this barrier without 24 of 64, which have left the kernel (first (40, 0, 0)); CUDA's guide forbids it, and GPUs since Volta allow it; the check 'exits' makes this a finding
__global__ void in_a_branch(const int* in, int* out, int n) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  if (t < n) {
    part[t] = in[t];
    __syncthreads();
    out[t] = part[n - 1 - t];
  }
}
// All threads come to the first barrier, and to the last one those that are left.
__global__ void in_a_loop(int* out) {
  __shared__ int next;
  if (threadIdx.x == 0)
    next = 0;
  __syncthreads();
  for (int i = 0; i < 3; ++i) {
    if (i == 1 && threadIdx.x == 32)
      return;
    __syncthreads();
    if (threadIdx.x == 0)
      ++next;
  }
  if (threadIdx.x == 0)
    *out = next;
}
int main() {
  int *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  for (int n = 40; n <= 64; n += 24)
    in_a_branch<<<1, 64>>>(in, out, n);
  in_a_loop<<<1, 33>>>(out);
  in_a_loop<<<1, 33>>>(out);
  return cudaDeviceSynchronize();
}
// CHECK-NEXT: early_exits.cu:21:{{[0-9]+}}: note: the threads of block (0, 0, 0) go on behind this barrier without 1 of 33, which have left the kernel (first (32, 0, 0)); CUDA's guide forbids it, and GPUs since Volta allow it; the check 'exits' makes this a finding
// CHECK-NOT: {{.}}
