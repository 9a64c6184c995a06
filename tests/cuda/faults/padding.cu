// Accesses past the end of an allocation, of several sizes: inside the padding that GPUs give it, a launch goes on.
// CHECK-DAG: padding.cu:13:{{[0-9]+}}: error: a thread of block (0, 0, 0) writes byte 1024 of 'data', which has 1024; the launch goes on, because GPUs pad allocations to 512 bytes; the check 'bounds' stops such an access [out_of_bounds]
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

__global__ void read(const char* data, size_t at, int* seen) {
  *seen = data[at] + 1; // what is there, is not known
}
__global__ void write(char* data, size_t at, int* seen) {
  if (threadIdx.x == 0) {
    data[0] = 1;
    data[at] = 2;
    *seen = 1;
  }
}

// Returns 0 if the launches went on and did the rest, and else the error.
int run(size_t size, size_t at, bool writes, int kind) {
  char* data = nullptr;
  int* seen = nullptr;
  if (kind == 0)
    cudaMalloc(&data, size);
  else if (kind == 1)
    cudaMallocManaged(&data, size);
  else
    cudaHostAlloc(&data, size, cudaHostAllocDefault);
  cudaMalloc(&seen, sizeof(int));
  cudaMemset(seen, 0, sizeof(int));
  for (int i = 0; i < 3; ++i) { // it is told once
    if (writes)
      write<<<1, 32>>>(data, at, seen);
    else
      read<<<1, 1>>>(data, at, seen);
    if (const cudaError_t wrong = cudaDeviceSynchronize())
      return wrong == cudaErrorIllegalAddress ? 1 : 2;
  }
  int rest = 0;
  char begin = 0;
  cudaMemcpy(&rest, seen, sizeof rest, cudaMemcpyDeviceToHost);
  cudaMemcpy(&begin, data, 1, cudaMemcpyDefault);
  return rest == 0 || (writes && begin != 1) ? 3 : 0;
}

int main() {
  constexpr size_t kPart = 512;
  for (const size_t size : {256, 1000, 1024, 70000})
    for (const size_t past : {size_t{0}, kPart - 1, kPart, size_t{3000}})
      for (const bool writes : {false, true}) {
        const size_t at = size + past, end = (size / kPart + 1) * kPart;
        const int kind = (int)(size + past + writes) % 3;
        std::fflush(stdout);
        if (fork() == 0)
          _exit(run(size, at, writes, kind));
        int status = 0;
        wait(&status);
        if (const int expected = at < end ? 0 : 1; WEXITSTATUS(status) != expected)
          return std::printf("%zu bytes, %s at %zu: %d instead of %d\n", size, writes ? "write" : "read", at,
                             WEXITSTATUS(status), expected), 1;
      }
  return 0;
}
