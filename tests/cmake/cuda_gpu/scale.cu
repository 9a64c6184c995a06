// Overloads of one name.
__global__ void scale(double* x, int n) {
  x[threadIdx.x] *= n;
}
__global__ void scale(float* x, int n) {
  float value = x[threadIdx.x];
  for (int i = 1; i < n; ++i)
    value += x[threadIdx.x];
  x[threadIdx.x] = value;
}
