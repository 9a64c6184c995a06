// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#error                                                                                             \
    "cufftw.h is missing: a program of FFTW's interface can use FFTW itself (fftw3.h, libfftw3-dev)"
