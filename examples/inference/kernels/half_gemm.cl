// C = A B + bias in half, with sums in float and tiles in local memory; rectified if asked.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define TILE 8

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void half_gemm(global const half* a, global const half* b, global const half* bias,
                      global half* c, int m, int n, int k, int rectified) {
  local half tile_a[TILE][TILE + 1], tile_b[TILE][TILE + 1];
  const int x = get_local_id(0), y = get_local_id(1);
  const int column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int from = 0; from < k; from += TILE) {
#ifdef WHOLE_TILES
    const bool in_a = row < m;
#else
    const bool in_a = row < m && from + x < k;
#endif
    const bool in_b = from + y < k && column < n;
    tile_a[y][x] = in_a ? a[row * k + from + x] : 0.0h;
    tile_b[y][x] = in_b ? b[(from + y) * n + column] : 0.0h;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < TILE; ++i)
      sum = fma((float)tile_a[y][i], (float)tile_b[i][x], sum);
#ifndef ONE_BARRIER
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }
  if (row < m && column < n) {
    half result = convert_half_rte(sum + (float)bias[column]);
    if (rectified)
      result = fmax(result, 0.0h);
    c[row * n + column] = result;
  }
}
