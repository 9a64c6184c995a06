#include <CL/cl.h>

#include <algorithm>

void clamped_reference(cl_int* data, cl_int n, cl_int most) {
  for (cl_int i = 1; i < n; ++i)
    data[i] = std::min(data[i], most);
}
