#include <CL/cl.h>

#include <cmath>

void lookup_reference(const cl_float* table, cl_int n, const cl_float* x, cl_float* y,
                      cl_int count) {
  for (cl_int i = 0; i < count; ++i) {
    const double place = static_cast<double>(x[i]) * (n - 1);
    const auto left = static_cast<cl_int>(std::floor(place)),
               right = static_cast<cl_int>(std::ceil(place));
    y[i] = static_cast<cl_float>(table[left] + (place - left) * (table[right] - table[left]));
  }
}
