// y = a * x + y, for numbers of any type.
template <typename Number> __global__ void saxpy(int n, Number a, const Number* x, Number* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
