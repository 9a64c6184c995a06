template <typename T> __global__ void fill(T* out) {
  out[threadIdx.x] = 1;
}
__global__ void a(int* out) {
  out[threadIdx.x] = 1;
}
__global__ void b(int* out) {
  out[threadIdx.x] = 2;
}
