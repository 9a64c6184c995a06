// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/blas/least_squares.h"

using T = cuDoubleComplex;
using R = double;
#define IS_COMPLEX
#define LETTER Z
#define CBLAS_LETTER z
#define SUM_LETTERS Dz
#define CBLAS_SUM_LETTERS dz
#define REAL_LETTERS Zd
#define CBLAS_REAL_LETTERS zd
#include "cuda/libraries/blas/types.def"
