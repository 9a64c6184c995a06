#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#error "spmv.cl needs a device with double precision (cl_khr_fp64)"
#endif

// y = A x, or y += A x where `accumulate` is not 0, for a matrix in compressed sparse rows: row r has
// value[i] in column[i] for first[r] <= i < first[r + 1]. One work-item for each row.
kernel void spmv(const uint rows, global const uint* restrict first,
                 global const uint* restrict column, global const double* restrict value,
                 global const double* restrict x, global double* restrict y,
                 const uint accumulate) {
  const size_t row = get_global_id(0);
  if (row >= rows)
    return;

  double sum = accumulate ? y[row] : 0.0;
  uint i = first[row];
  const uint end = first[row + 1];
  for (; i + 1 < end; i += 2)
    sum += value[i] * x[column[i]] + value[i + 1] * x[column[i + 1]];
  if (i < end)
    sum += value[i] * x[column[i]];
  y[row] = sum;
}
