// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/blas/least_squares.h"

using T = double;
using R = double;
#define LETTER D
#define CBLAS_LETTER d
#define SUM_LETTERS D
#define CBLAS_SUM_LETTERS d
#include "cuda/libraries/blas/types.def"
