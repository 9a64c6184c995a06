// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's header of this name. Here, cooperative_groups.h has all of it.
#pragma once
#include "cooperative_groups.h"
