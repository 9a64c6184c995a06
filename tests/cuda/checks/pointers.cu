// CHECK-DAG: pointers.cu:4:{{[0-9]+}}: error: thread (8, 0, 0) of block (0, 0, 0) writes 4 bytes at byte 32 of 'allocation {{[0-9]+}}', which has 32 bytes
struct Buffers { int* rows[2]; };
__global__ void k(Buffers b) {
  b.rows[threadIdx.x & 1 ? 0 : 1][threadIdx.x] = 1;
}
int main() {
  Buffers b{};
  cudaMalloc(&b.rows[0], 64);
  cudaMalloc(&b.rows[1], 32);
  k<<<1, 10>>>(b);
  return cudaDeviceSynchronize();
}
