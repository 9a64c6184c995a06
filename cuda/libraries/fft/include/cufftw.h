// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FFTW's interface of cuFFT: here it is FFTW's own, for memory of the host.
#ifndef GPUTEST_CUDA_CUFFTW_H
#define GPUTEST_CUDA_CUFFTW_H
#define CUFFTW_H_ // programs ask whether it was included

#include <fftw3.h>

#endif
