// Sums of rows, a warp for each row. FAULT leaves out the last step of the sum.
__global__ void row_sums(const int* in, int* sums, int columns) {
  const int row = threadIdx.x / 32, lane = threadIdx.x % 32;
  int sum = 0;
  for (int i = lane; i < columns; i += 32)
    sum += in[row * columns + i];
  for (int step = 16; step > FAULT; step /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, step);
  if (lane == 0)
    sums[row] = sum;
}
