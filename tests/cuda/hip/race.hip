// Findings about HIP have HIP's words.
// CHECK-DAG: race.hip:14:{{.*}}error: {{.*}}[race]
// CHECK-DAG: race.hip:35:{{.*}}hipStreamSynchronize(), hipEventSynchronize() or hipDeviceSynchronize()
// NEVER-NOT: cuda{{[A-Z]}}
// NEVER-NOT: CUDA
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void shifted(int* data) {
  __shared__ int tile[64];
  tile[threadIdx.x] = data[threadIdx.x];
  if (threadIdx.x > 0)
    data[threadIdx.x] = tile[threadIdx.x - 1];
}

__global__ void set(int* data) {
  data[threadIdx.x] = 7;
}

int main() {
  int* data = nullptr;
  if (hipMalloc(&data, 64 * sizeof(int)) != hipSuccess)
    return 1;
  (void)hipMemset(data, 0, 64 * sizeof(int));
  shifted<<<1, 64>>>(data);
  (void)hipDeviceSynchronize();

  hipStream_t stream;
  int* host = nullptr;
  (void)hipStreamCreate(&stream);
  (void)hipHostMalloc(&host, 64 * sizeof(int), hipHostMallocDefault);
  set<<<1, 64, 0, stream>>>(data);
  (void)hipMemcpyAsync(host, data, 64 * sizeof(int), hipMemcpyDeviceToHost, stream);
  std::printf("%d\n", host[3]); // too early
  (void)hipStreamSynchronize(stream);
  return 0;
}
