// Environment: GPUTEST_SIMULATOR_THREADS=3
// CHECK-DAG: uninitialized_at_once.cu:38:{{[0-9]+}}: error: thread (0, 0, 0) of block (40, 0, 0) uses a value of {{.*}} nobody has written{{.*}} it is element 2560 {{.*}}, 64 times
// NEVER-NOT: uninitialized_at_once.cu:{{([12][0-9]|3[0-6])}}:
// Blocks of these launches run in several processes at the same time. What any of them has written
// is initialized for the launches that follow.
constexpr int kBlocks = 96, kThreads = 64, kAll = kBlocks * kThreads;

__device__ unsigned work(unsigned value) { // makes the launch long enough for several processes
  for (int i = 0; i < 12000; ++i)
    value = (value ^ value >> 7) * 1664525u + 1013904223u;
  return value;
}

__global__ void write(int* one, int* two) {
  one += blockIdx.x * kThreads + threadIdx.x;
  const unsigned value = work(threadIdx.x);
  *one = static_cast<int>(value >> 8);
  two[blockIdx.x * kThreads + threadIdx.x] = static_cast<int>(value >> 16);
}

__global__ void write_most(int* out) { // all but what block 40 should write
  const unsigned value = work(threadIdx.x);
  if (blockIdx.x != 40)
    out[blockIdx.x * kThreads + threadIdx.x] = static_cast<int>(value >> 8);
}

__global__ void update(int* in_place) {
  in_place[blockIdx.x * kThreads + threadIdx.x] += static_cast<int>(work(1) >> 16);
}

__global__ void count(const int* one, const int* two, const int* most, int* counts) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  int found = 0;
  if (one[i] >= 0)
    ++found;
  if (two[kAll - 1 - i] >= 0)
    ++found;
  if (most[i] > 0)
    ++found;
  counts[i] = found;
}

int main() {
  int *one = nullptr, *two = nullptr, *most = nullptr, *counts = nullptr;
  for (int** memory : {&one, &two, &most, &counts})
    cudaMalloc(memory, kAll * sizeof(int));
  write<<<kBlocks, kThreads>>>(one, two);
  write_most<<<kBlocks, kThreads>>>(most);
  update<<<kBlocks, kThreads>>>(two);
  count<<<kBlocks, kThreads>>>(one, two, most, counts);
  return cudaDeviceSynchronize();
}
