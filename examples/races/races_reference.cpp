#include <CL/cl.h>

#include <numeric>
#include <span>
#include <vector>

// What the kernels of this folder should do, one work-item's work after the other. Only the fixed
// ones can be compared with it: whether a faulty one is right is up to the device.

namespace {

void sums_of_parts(std::span<const cl_int> data, cl_int* sums, std::size_t part) {
  for (std::size_t i = 0; i < data.size(); i += part)
    sums[i / part] = std::accumulate(&data[i], &data[i] + part, 0);
}

} // namespace

void partial_sum_reference(std::span<const cl_int> data, cl_int* sums) {
  sums_of_parts(data, sums, 16);
}

void reduction_reference(std::span<const cl_int> data, cl_int* sums) {
  sums_of_parts(data, sums, 64);
}

void histogram_reference(const cl_uchar* data, cl_uint n, cl_uint* bins) {
  for (cl_uint i = 0; i < n; ++i)
    ++bins[data[i] % 16];
}

void stencil_reference(std::span<const cl_int> row, std::span<cl_int> result) {
  for (std::size_t i = 1; i + 1 < row.size(); ++i)
    result[i] = row[i - 1] + row[i] + row[i + 1];
}

void bfs_reference(const cl_uint* first, const cl_uint* neighbours, cl_uint vertices, cl_int* level,
                   cl_int* frontier, cl_int* next) {
  const std::vector<cl_int> before(level, level + vertices);
  for (cl_uint v = 0; v < vertices; ++v) {
    if (frontier[v] == 0)
      continue;
    frontier[v] = 0;
    for (cl_uint edge = first[v]; edge < first[v + 1]; ++edge)
      if (before[neighbours[edge]] < 0) {
        level[neighbours[edge]] = before[v] + 1;
        next[neighbours[edge]] = 1;
      }
  }
}

void scan_reference(std::span<const cl_int> data, cl_int* sums) {
  for (std::size_t i = 0; i < data.size(); ++i)
    sums[i] = data[i] + (i % 256 == 0 ? 0 : sums[i - 1]);
}

void spmv_reference(cl_uint rows, const cl_uint* first, const cl_uint* column,
                    const cl_float* value, const cl_float* x, cl_float* y) {
  for (cl_uint row = 0; row < rows; ++row) {
    y[row] = 0;
    for (cl_uint i = first[row]; i < first[row + 1]; ++i)
      y[row] += value[i] * x[column[i]];
  }
}

void prefix_chain_reference(std::span<const cl_int> data, cl_int* sums, std::span<cl_int> before,
                            std::span<cl_int> ready, cl_int* tickets) {
  std::partial_sum(data.begin(), data.end(), sums);
  for (std::size_t group = 0; group + 1 < before.size(); ++group) {
    before[group + 1] = sums[16 * group + 15];
    ready[group + 1] = 1;
  }
  *tickets = static_cast<cl_int>(before.size()) - 1;
}

void float_sum_reference(std::span<const cl_float> data, cl_float* sum) {
  *sum = static_cast<cl_float>(std::accumulate(data.begin(), data.end(), 0.0));
}
