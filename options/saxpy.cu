template <typename T> __global__ void saxpy(T a, const T* x, T* y) { y[threadIdx.x] += a * x[threadIdx.x]; }
