// What lanes of a warp exchange without __syncwarp(), as before Volta.
// CHECK-DAG: lock_step.cu:14:{{[0-9]+}}: error: data race on byte 64 of 'sums', within a warp: thread (0, 0, 0) of block (0, 0, 0) reads here, and thread (16, 0, 0) of block (0, 0, 0) writes at {{[^ ]*}}lock_step.cu:13:{{[0-9]+}}; nothing but running in step orders the two, which GPUs since Volta do not promise: __syncwarp() orders them [lock_step]
// CHECK-DAG: lock_step.cu:15:{{[0-9]+}}: error: data race on byte 32 of 'sums', within a warp: thread (0, 0, 0) of block (0, 0, 0) reads here, and thread (8, 0, 0) of block (0, 0, 0) writes at {{[^ ]*}}lock_step.cu:14:{{[0-9]+}}; nothing but running in step orders the two, which GPUs since Volta do not promise: __syncwarp() orders them [lock_step]
// CHECK-DAG: lock_step.cu:27:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of 'scanned', within a warp: thread ({{[0-9]+}}, 0, 0) of block (0, 0, 0) writes here, and thread ({{[0-9]+}}, 0, 0) of block (0, 0, 0) reads at {{[^ ]*}}lock_step.cu:26:{{[0-9]+}}; nothing but running in step orders the two, which GPUs since Volta do not promise: __syncwarp() orders them [lock_step]
// CHECK-DAG: lock_step.cu:37:{{[0-9]+}}: error: data race on byte 0 of 'first', within a warp: thread ({{[0-9]+}}, 0, 0) of block (0, 0, 0) reads here, and thread (0, 0, 0) of block (0, 0, 0) writes at {{[^ ]*}}lock_step.cu:36:{{[0-9]+}}; nothing but running in step orders the two, which GPUs since Volta do not promise: __syncwarp() orders them [lock_step]
// CHECK-DAG: lock_step.cu:47:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of 'plain', within a warp: thread ({{[0-9]+}}, 0, 0) of block (0, 0, 0) reads here, and thread ({{[0-9]+}}, 0, 0) of block (0, 0, 0) writes at {{[^ ]*}}lock_step.cu:45:{{[0-9]+}}; nothing but running in step orders the two, which GPUs since Volta do not promise: __syncwarp() orders them [lock_step]
// CHECK-DAG: lock_step.cu:54:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of 'kept', within a warp: thread ({{[0-9]+}}, 0, 0) of block (0, 0, 0) reads here, and thread ({{[0-9]+}}, 0, 0) of block (0, 0, 0) writes at {{[^ ]*}}lock_step.cu:58:{{[0-9]+}}; nothing but running in step orders the two, which GPUs since Volta do not promise: __syncwarp() orders them [lock_step]
// CHECK-DAG: lock_step.cu:73:{{[0-9]+}}: error: data race on byte {{[0-9]+}} of 'dynamic', within a warp: thread ({{[0-9]+}}, 0, 0) of block (0, 0, 0) reads here, and thread ({{[0-9]+}}, 0, 0) of block (0, 0, 0) writes at {{[^ ]*}}lock_step.cu:71:{{[0-9]+}}; nothing but running in step orders the two, which GPUs since Volta do not promise: __syncwarp() orders them [lock_step]
// CHECK-DAG: lock_step.cu:79:{{[0-9]+}}: error: data race on byte 32 of 'g', within a warp: thread (8, 0, 0) of block (0, 0, 0) writes here, and thread (0, 0, 0) of block (0, 0, 0) reads at {{[^ ]*}}lock_step.cu:80:{{[0-9]+}}; nothing but running in step orders the two, which GPUs since Volta do not promise: __syncwarp() orders them [lock_step]

template <typename T> __device__ void last_steps(volatile T* s, int t) {
  // Each line reads what the line before it wrote.
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
}

__global__ void scan(int* out) {
  __shared__ double scanned[64];
  volatile double* v = scanned;
  const int t = threadIdx.x;
  v[t] = 0;
  v[32 + t] = t;
  __syncwarp();
  for (int by = 1; by < 32; by *= 2) {
    const double sum = v[32 + t] + v[32 + t - by];
    v[32 + t] = sum;
  }
  out[t] = (int)v[32 + t];
}

__global__ void broadcast(int* out) {
  __shared__ int first;
  const int t = threadIdx.x;
  if (t == 0)
    *(volatile int*)&first = 7;
  out[t] = *(volatile int*)&first + t;
}

// The volatile access makes the warp run in step, and the plain ones rely on it.
__global__ void with_plain(int* out) {
  __shared__ int plain[32], steps[32];
  const int t = threadIdx.x;
  volatile int* v = steps;
  plain[t] = t;
  v[t] = t;
  out[t] = plain[31 - t] + v[t];
}

struct Kept {
  volatile float at[32];
};

__device__ __noinline__ float other(const Kept& kept, int t) { return kept.at[t ^ 1]; }
__global__ void in_functions(int* out) {
  __shared__ Kept kept;
  const int t = threadIdx.x;
  kept.at[t] = t;
  out[t] = (int)other(kept, t);
}

__global__ void sum(int* out) {
  __shared__ int sums[64];
  const int t = threadIdx.x;
  sums[t] = sums[t + 32] = t;
  __syncwarp();
  last_steps(sums, t);
  out[t] = sums[t];
  extern __shared__ long long dynamic[];
  volatile long long* d = dynamic;
  d[t] = t;
  const int lane = 31 - t;
  out[t] += (int)d[lane];
}

// Nobody waits here, so that even the sum is wrong.
__global__ void in_global_memory(volatile int* g) {
  const int t = threadIdx.x;
  g[t] += g[t + 16];
  g[t] += g[t + 8];
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 128);
  cudaMemset(out, 0, 128);
  sum<<<1, 32, 256>>>(out);
  scan<<<1, 32>>>(out);
  broadcast<<<1, 32>>>(out);
  with_plain<<<1, 32>>>(out);
  in_functions<<<1, 32>>>(out);
  in_global_memory<<<1, 16>>>(out);
  return cudaDeviceSynchronize();
}
