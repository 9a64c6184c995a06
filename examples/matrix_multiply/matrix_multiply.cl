#ifndef TILE
#define TILE 16
#endif

// Element (row, column) of a row-major matrix, or 0 outside of it.
static float element(global const float* matrix, uint row, uint column, uint rows, uint columns) {
  return row < rows && column < columns ? matrix[row * columns + column] : 0.0f;
}

// c = alpha * a * b + beta * c, where a is rows x depth, b is depth x columns, all row-major.
// As in BLAS, c is not read when beta is 0. Groups are TILE x TILE; x runs along the columns.
kernel void multiply(const uint rows, const uint columns, const uint depth, const float alpha,
                     global const float* restrict a, global const float* restrict b,
                     const float beta, global float* restrict c) {
  local float tile_a[TILE][TILE];
  local float tile_b[TILE][TILE];
  const uint x = get_local_id(0), y = get_local_id(1);
  const uint column = get_global_id(0), row = get_global_id(1);

  float sum = 0.0f;
  for (uint start = 0; start < depth; start += TILE) {
    tile_a[y][x] = element(a, row, start + x, rows, depth);
    tile_b[y][x] = element(b, start + y, column, depth, columns);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint i = 0; i < TILE; ++i)
      sum += tile_a[y][i] * tile_b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  if (row >= rows || column >= columns)
    return;
  global float* const target = c + row * columns + column;
  *target = beta == 0.0f ? alpha * sum : alpha * sum + beta * *target;
}
