// Whatever ends a launch is a finding at its own line, also if the program ignores errors.
#include <cassert>
#include <cooperative_groups.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*Step)(int);

// CHECK-DAG: ends.cu:12:{{[0-9]+}}: error: the kernel has ended itself with a trap [trap]
__device__ void give_up(int n) {
  if (n > 2)
    __trap();
}
__global__ void traps(int* out, Step) {
  out[threadIdx.x] = 1;
  give_up(threadIdx.x);
}

// CHECK-DAG: ends.cu:22:{{[0-9]+}}: error: ends.cu:22: void asserts{{.*}}Assertion `out[0] > 1` failed. [assertion]
__global__ void asserts(int* out, Step) {
  out[0] = 1;
  assert(out[0] > 1);
}

// CHECK-DAG: ends.cu:29:{{[0-9]+}}: error: the kernel calls a function by a pointer that points to none of its type [trap]
__device__ int twice(int x) { return 2 * x; }
__global__ void calls_null(int* out, Step step) {
  out[threadIdx.x] = twice(1);
  out[threadIdx.x] += step(threadIdx.x);
}

// CHECK-DAG: ends.cu:35:{{[0-9]+}}: error: the kernel waits for all blocks of its grid, and was not launched with
__global__ void waits_for_grid(int* out, Step) {
  out[threadIdx.x] = 1;
  cooperative_groups::this_grid().sync();
}

// CHECK-DAG: ends.cu:41:{{[0-9]+}}: error: the kernel frees memory that no kernel has allocated [trap]
__global__ void frees(int* out, Step) {
  out[threadIdx.x] = 1;
  free(out);
}

// CHECK-DAG: ends.cu:47:{{[0-9]+}}: error: the kernel has ended itself with a trap [trap]
__global__ void traps_in_ptx(int* out, Step) {
  out[threadIdx.x] = 1;
  asm volatile("trap;");
}

int main() {
  for (const auto kernel : {traps, asserts, calls_null, waits_for_grid, frees, traps_in_ptx}) {
    const pid_t child = fork(); // after such an end, CUDA refuses all calls of the process
    if (child == 0) {
      int* out = nullptr;
      cudaMalloc(&out, 32 * sizeof(int));
      kernel<<<1, 32>>>(out, nullptr);
      cudaDeviceSynchronize();
      return 0;
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0)
      return 1;
  }
}
