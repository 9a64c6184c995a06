// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cusparse.h declares what this header does in other toolkits.
#pragma once
#include "cusparse.h"
