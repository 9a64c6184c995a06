// Shifts the values of a warp by one lane, which reads what its neighbour wrote.
__global__ void step(int* data) {
  __shared__ volatile int tile[33];
  const int t = threadIdx.x;
  tile[t + 1] = data[t];
#ifdef SOUND
  __syncwarp();
#endif
  if (t > 0)
    data[t] = tile[t];
}
