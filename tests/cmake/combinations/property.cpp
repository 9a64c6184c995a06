#include "offset.h"
#include <gputest/property.h>
#include <stdexcept>
#include <string>

void scale_property(gputest::Change<int> x, gputest::Change<int> y TILE(gputest::Change<int>),
                    int n, const gputest::Launch& launch) {
  for (int i = 0; i < n; ++i)
    if (y.after[i] !=
        FACTOR * x.before[i] + OFFSET + i % static_cast<int>(launch.local_size[0]) % 2)
      throw std::runtime_error("y[" + std::to_string(i) + "] is wrong");
}
