// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/libraries/solver/jacobi.h"

using T = float;
using R = float;
#define LETTER S
#define LAPACK_LETTER s
#define ORGQR orgqr
#define ORMQR ormqr
#define SYEVD syevd
#define SYGVD sygvd
#define SYEVJ syevj
#include "cuda/libraries/solver/types.def"
