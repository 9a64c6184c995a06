#include <CL/cl.h>

#include <span>
#include <vector>

// Through the dense matrix.
void spmv_reference(cl_uint rows, const cl_uint* first, const cl_uint* column,
                    const cl_double* value, std::span<const cl_double> x, cl_double* y,
                    cl_uint accumulate) {
  std::vector<std::vector<double>> dense(rows, std::vector<double>(x.size()));
  for (cl_uint row = 0; row < rows; ++row)
    for (cl_uint i = first[row]; i < first[row + 1]; ++i)
      dense[row][column[i]] += value[i];

  for (cl_uint row = 0; row < rows; ++row) {
    if (!accumulate)
      y[row] = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      y[row] += dense[row][j] * x[j];
  }
}
