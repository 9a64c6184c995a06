// Turns the elements of each block around.
__global__ void turn(int* data) {
  __shared__ int tile[8];
  const int t = threadIdx.x;
  tile[t] = data[blockIdx.x * 8 + t];
#ifdef SOUND
  __syncthreads();
#endif
  data[blockIdx.x * 8 + t] = tile[7 - t];
}
