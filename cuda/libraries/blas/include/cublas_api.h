// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cublas_v2.h declares what this header does in other toolkits.
#pragma once
#include "cublas_v2.h"
