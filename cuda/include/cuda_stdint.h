// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer types of fixed sizes.
#pragma once
#include <stdint.h>
