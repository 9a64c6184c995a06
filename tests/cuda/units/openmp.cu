// Four threads, each with a device, a stream and memory of its own, do work of random kinds.
#include <omp.h>

#include <vector>

__device__ int total;

__global__ void count(int n) {
  atomicAdd(&total, n);
}

__global__ void step(unsigned* values, int n, unsigned number) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = values[i] * 31 + number + i;
}

namespace {

constexpr int kThreads = 4, kSteps = 12, kValues = 300;

// Returns how many values are wrong.
int work(int thread, unsigned random) {
  int devices = 0, device = -1;
  cudaGetDeviceCount(&devices);
  cudaSetDevice(thread % devices);
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  std::vector<unsigned> values(kValues, thread), wanted = values;
  const size_t size = kValues * sizeof(unsigned);
  unsigned *memory = nullptr, *other = nullptr;
  cudaMalloc(&memory, size);
  cudaMemcpyAsync(memory, values.data(), size, cudaMemcpyHostToDevice, stream);
  for (unsigned number = 0; number < kSteps; ++number) {
    random = random * 1664525u + 1013904223u;
    switch (random >> 30) {
    case 0:
      cudaStreamSynchronize(stream);
      break;
    case 1:
      cudaMallocAsync(&other, size, stream);
      cudaMemsetAsync(other, 1, size, stream);
      cudaFreeAsync(other, stream);
      break;
    case 2:
      cudaEventRecord(event, stream);
      cudaEventSynchronize(event);
      break;
    default:
      cudaMemcpyAsync(values.data(), memory, size, cudaMemcpyDeviceToHost, stream);
    }
    step<<<(kValues + 127) / 128, 128, 0, stream>>>(memory, kValues, number);
    for (unsigned i = 0; i < kValues; ++i)
      wanted[i] = wanted[i] * 31 + number + i;
  }
  cudaMemcpyAsync(values.data(), memory, size, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaGetDevice(&device);
  int wrong = device != thread % devices;
  for (int i = 0; i < kValues; ++i)
    wrong += values[i] != wanted[i];
  cudaFree(memory);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
  cudaSetDevice(0);
  count<<<1, 3>>>(thread + 1);
  return wrong + (cudaDeviceSynchronize() != cudaSuccess);
}

} // namespace

// One argument: threads are wanted; none: a thread may do the work of all.
int main(int arguments, char**) {
  const double begin = omp_get_wtime();
  int threads = 0, wrong = 0, counted = 0, sum = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(kThreads) reduction(+ : wrong)
  {
#pragma omp single
    threads = omp_get_num_threads();
    wrong += work(omp_get_thread_num(), 77u * omp_get_thread_num());
    omp_set_lock(&lock);
    ++counted;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
#pragma omp parallel for schedule(dynamic, 7) reduction(+ : sum)
  for (int i = 0; i < 100; ++i)
    sum += i;
  int added = 0;
  cudaMemcpyFromSymbol(&added, total, sizeof total);
  const bool is_right = wrong == 0 && counted == threads && sum == 4950 &&
                        added == 3 * threads * (threads + 1) / 2 && omp_get_wtime() >= begin;
  return is_right && threads == (arguments > 1 ? kThreads : 1) ? 0 : 1;
}
