#include <CL/cl.h>

#include <algorithm>

void peaks_reference(const cl_float* signal, cl_int* kind, cl_int n, cl_float least) {
  for (cl_int i = 0; i < n; ++i) {
    kind[i] = 0;
    if (i == 0 || i + 1 == n)
      continue;
    const auto [low, high] = std::minmax(signal[i - 1], signal[i + 1]);
    if (signal[i] - high >= least)
      kind[i] = 1;
    else if (low - signal[i] >= least)
      kind[i] = -1;
  }
}
