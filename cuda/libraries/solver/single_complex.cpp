// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/solver/jacobi.h"

using T = cuComplex;
using R = float;
#define LETTER C
#define LAPACK_LETTER c
#define ORGQR ungqr
#define ORMQR unmqr
#define SYEVD heevd
#define SYGVD hegvd
#define SYEVJ heevj
#include "cuda/libraries/solver/types.def"
