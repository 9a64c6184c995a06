// What this header of a toolkit declares is declared by cuda_runtime.h.
#pragma once
#include "cuda_runtime.h"
