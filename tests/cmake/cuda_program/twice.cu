#define LANE(to) asm("mov.u32 %0, %laneid;" : "=r"(to))
__global__ void twice(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane;
  LANE(lane);
  unsigned thread;
  asm("mov.u32 %0, %tid.x;" : "=r"(thread));
  if (i < n && lane == thread)
    a[i] *= 2;
}
