#define PART 16

// One step of a row of cells, each of which becomes the sum of itself and its neighbours. The row has
// a cell that stays as it is at either end.
kernel void stencil(global int* row, global int* result) {
  local int cells[PART + 2];
  const uint lid = get_local_id(0), i = get_global_id(0) + 1;
  cells[lid + 1] = row[i];
  if (lid == 0)
    cells[0] = row[i - 1];
  if (lid == PART - 1)
    cells[PART + 1] = row[i + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int sum = cells[lid] + cells[lid + 1] + cells[lid + 2];
#ifdef FIXED
  result[i] = sum;
#else
  row[i] = sum; // the groups to the left and right may still have to read it
#endif
}
