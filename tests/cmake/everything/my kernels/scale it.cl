#include "local.h"
#include "shared.h"

__kernel void scale(__global float* data, float factor) {
  size_t i = get_global_id(0);
  if (factor != 0.0f)
    data[i] = ADD(data[i] * factor * LOCAL, OFFSET * SHARED);
}

__kernel void unused(__global float* data) { data[0] = 0; }
