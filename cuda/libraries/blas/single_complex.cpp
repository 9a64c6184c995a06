// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/blas/least_squares.h"

using T = cuComplex;
using R = float;
#define IS_COMPLEX
#define LETTER C
#define CBLAS_LETTER c
#define SUM_LETTERS Sc
#define CBLAS_SUM_LETTERS sc
#define REAL_LETTERS Cs
#define CBLAS_REAL_LETTERS cs
#include "cuda/libraries/blas/types.def"
