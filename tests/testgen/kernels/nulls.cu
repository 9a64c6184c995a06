// As nulls.cl; and what reads a pointer that it has compared with null, whatever it was.
__global__ void nulls(float* out, const int* mask, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = mask != nullptr && mask[i] > 2 ? mask[i] : i;
}

__global__ void careless(int* out, const int* mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int factor = mask ? 2 : 1;
  out[i] = factor * mask[i];
}
