#include <CL/cl.h>

#include <cstddef>
#include <vector>

// Row by row as a sum of scaled rows of b, in double precision.
void multiply_reference(cl_uint rows, cl_uint columns, cl_uint depth, cl_float alpha,
                        const cl_float* a, const cl_float* b, cl_float beta, cl_float* c) {
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double> result(columns);
    for (std::size_t column = 0; column < columns; ++column)
      if (beta != 0)
        result[column] = static_cast<double>(beta) * static_cast<double>(c[row * columns + column]);
    for (std::size_t i = 0; i < depth; ++i) {
      const double scale = static_cast<double>(alpha) * static_cast<double>(a[row * depth + i]);
      for (std::size_t column = 0; column < columns; ++column)
        result[column] += scale * static_cast<double>(b[i * columns + column]);
    }
    for (std::size_t column = 0; column < columns; ++column)
      c[row * columns + column] = static_cast<cl_float>(result[column]);
  }
}
