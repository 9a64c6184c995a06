// hidden.cl in CUDA.
__global__ void hidden(unsigned* out, unsigned a) {
  unsigned sum = a + 3;
  sum /= 1000003;
  if ((a * a & 15) < 7)
    sum += 2;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
