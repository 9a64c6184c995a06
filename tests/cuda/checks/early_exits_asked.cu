// CHECK-DAG: early_exits.cu:8:{{[0-9]+}}: error: the threads of block (0, 0, 0) go on behind this barrier without 24 of 64, which have left the kernel (first (40, 0, 0)); CUDA's guide forbids it, and GPUs since Volta allow it [early_exit]
// CHECK-DAG: early_exits.cu:21:{{[0-9]+}}: error: the threads of block (0, 0, 0) go on behind this barrier without 1 of 33, which have left the kernel (first (32, 0, 0)); CUDA's guide forbids it, and GPUs since Volta allow it [early_exit], 2 times
#include "early_exits.cu"
