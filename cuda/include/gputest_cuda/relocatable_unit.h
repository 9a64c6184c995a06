// A name for a source whose device code others use: static libraries are searched for it.
#ifndef GPUTEST_CUDA_RELOCATABLE_UNIT_H
#define GPUTEST_CUDA_RELOCATABLE_UNIT_H

extern "C" {
__attribute__((weak, used)) char GPUTEST_CUDA_UNIT = 0;
}
// Without a kernel or a variable the compiler would not register the device code.
static __device__ __attribute__((used)) char gputest_cuda_registers = 0;

#endif
