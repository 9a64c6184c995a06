// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A symbol for a source whose device code others use. By it, the linker finds the source's object
// in a static library.
#ifndef GPUTEST_CUDA_RELOCATABLE_UNIT_H
#define GPUTEST_CUDA_RELOCATABLE_UNIT_H

extern "C" {
__attribute__((weak, used)) char GPUTEST_CUDA_UNIT = 0;
}
// A variable, because the compiler does not register device code without kernels and variables.
static __device__ __attribute__((used)) char gputest_cuda_registers = 0;

#endif
