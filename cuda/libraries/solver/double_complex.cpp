// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/solver/jacobi.h"

using T = cuDoubleComplex;
using R = double;
#define LETTER Z
#define LAPACK_LETTER z
#define ORGQR ungqr
#define ORMQR unmqr
#define SYEVD heevd
#define SYGVD hegvd
#define SYEVJ heevj
#include "cuda/libraries/solver/types.def"
