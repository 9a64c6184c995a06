// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/blas/least_squares.h"

using T = float;
using R = float;
#define LETTER S
#define CBLAS_LETTER s
#define SUM_LETTERS S
#define CBLAS_SUM_LETTERS s
#include "cuda/libraries/blas/types.def"
