// The number of the version. CUDA's driver API is not here: what calls it does not compile.
#pragma once
#include "cuda_runtime_api.h"
