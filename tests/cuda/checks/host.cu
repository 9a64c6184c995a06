// What the host's code does wrong, with the check HOST alone: memory that is not freed, copies that do not fit, and
// what nothing orders.
// CHECK-DAG: host.cu:29:{{[0-9]+}}: error: a copy is of 404 bytes from byte 0 on of 400 bytes of device memory, which were allocated at {{[^ ]*}}host.cu:24: only 400 bytes are left there, and nothing is done [transfer_size]
// CHECK-DAG: host.cu:30:{{[0-9]+}}: error: a memset is of 400 bytes from byte 4 on of 400 bytes of device memory, which were allocated at {{[^ ]*}}host.cu:24: only 396 bytes are left
// CHECK-DAG: host.cu:31:{{[0-9]+}}: error: a copy is of 8 bytes from byte 4 on of a variable of 8 bytes, and nothing is done [transfer_size]
// CHECK-DAG: host.cu:36:{{[0-9]+}}: error: the host reads byte 0 of 4096 bytes of pinned memory, which a copy in stream 1 may still write ({{[^)]*}}host.cu:35)
// CHECK-DAG: host.cu:17:{{[0-9]+}}: error: kernel 'fill' in stream 2 writes byte 0 of 400 bytes of device memory, which kernel 'fill' in stream 1 writes
// CHECK-DAG: host.cu:24:{{[0-9]+}}: error: 400 bytes of device memory that the program has allocated here and not freed when it ends; cudaFree() frees them [leak]
// CHECK-DAG: host.cu:45:{{[0-9]+}}: error: 3 allocations, 192 bytes in all, that the program has allocated here and not freed when it ends
// NEVER-NOT: [race
#include "../check.h"

__device__ int pair[2];

__global__ void fill(int* a) {
  a[threadIdx.x] = threadIdx.x;
  a[0] = 1; // a race, which is not asked for
}

int numbers[128];

int main() {
  int *a, *b, *pinned, *part;
  cudaMalloc(&a, 400);
  cudaMalloc(&b, 4096);
  cudaMallocHost(&pinned, 4096);
  cudaStream_t first, second;

  cudaMemcpy(a, numbers, 404, cudaMemcpyHostToDevice);
  cudaMemset(a + 1, 0, 400);
  cudaMemcpyToSymbol(pair, numbers, 8, 4);
  cudaGetLastError();
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaMemcpyAsync(pinned, b, 4096, cudaMemcpyDeviceToHost, first);
  numbers[0] = static_cast<volatile int*>(pinned)[0];
  cudaDeviceSynchronize();

  fill<<<1, 64, 0, first>>>(a);
  fill<<<1, 64, 0, second>>>(a);
  cudaDeviceSynchronize();
  cudaFree(b);
  cudaFreeHost(pinned);
  for (int i = 0; i < 4; ++i) {
    cudaMalloc(&part, 64);
    if (i == 2)
      cudaFree(part);
  }
}
// Two leaks and no more:
// NEVER: [leak]
// NEVER-NOT: [race
// NEVER: [leak]
// NEVER-NOT: {{[[](leak|race)}}
