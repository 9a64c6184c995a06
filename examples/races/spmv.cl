// y = A x for a matrix in compressed sparse rows: row r has value[i] in column[i] for
// first[r] <= i < first[r + 1]. `y` has an element more than there are rows; y[0] begins as 0.
kernel void spmv(const uint rows, global const uint* first, global const uint* column,
                 global const float* value, global const float* x, global float* y) {
  const uint row = get_global_id(0);
  if (row >= rows)
    return;
#ifdef FIXED
  y[row] = 0;
#else
  y[row + 1] = 0; // the wrong row: its own work-item may have filled it already
#endif
  for (uint i = first[row]; i < first[row + 1]; ++i)
    y[row] += value[i] * x[column[i]];
}
