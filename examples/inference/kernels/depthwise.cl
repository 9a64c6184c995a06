// Convolution of each channel by itself, 3x3, on bytes: a tile with its border in local memory.
#define TILE 4
#define SIDE (TILE + 2)

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void depthwise(global const uchar4* in, global const char4* weights, global const int4* bias,
                      global uchar4* out, int width, int height, float scale, int zero) {
  local uchar4 tile[SIDE * SIDE];
  const int2 corner = (int2)(get_group_id(0), get_group_id(1)) * TILE - 1;
  const int layer = get_global_id(2);
  in += layer * width * height;
  out += layer * width * height;
#ifdef ONE_EACH
  const int i = get_local_id(1) * TILE + get_local_id(0);
  {
#else
  for (int i = get_local_id(1) * TILE + get_local_id(0); i < SIDE * SIDE; i += TILE * TILE) {
#endif
    const int2 p = corner + (int2)(i % SIDE, i / SIDE);
    const bool inside = all(p >= (int2)(0)) && all(p < (int2)(width, height));
    tile[i] = inside ? in[p.y * width + p.x] : (uchar4)(zero);
  }
#ifndef NO_BARRIER
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  int4 sum = bias[layer];
  for (int ky = 0; ky < 3; ++ky)
    for (int kx = 0; kx < 3; ++kx)
      sum += (convert_int4(tile[(get_local_id(1) + ky) * SIDE + get_local_id(0) + kx]) - zero) *
             convert_int4(weights[(layer * 3 + ky) * 3 + kx]);
  out[y * width + x] = convert_uchar4_sat_rte(convert_float4(sum) * scale + zero);
}
