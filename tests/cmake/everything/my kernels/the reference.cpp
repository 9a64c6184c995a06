#include "shared.h"

#include <gputest/launch.h>

#include <span>

inline void scale_reference(std::span<float> data, float factor, const gputest::Launch& launch) {
  for (std::size_t i = 0; i < launch.global_size[0]; ++i)
    data[i] = factor != 0 ? data[i] * factor + OFFSET * SHARED : data[i];
}
