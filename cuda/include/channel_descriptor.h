// What this header of a toolkit declares is declared by driver_types.h and cuda_runtime.h.
#pragma once
#include "cuda_runtime.h"
