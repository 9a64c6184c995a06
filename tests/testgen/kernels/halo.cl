// A tile of 10 elements that a group of 8 fills together, in each direction. In a group of 11 some
// work-items have nothing to do there.
#define GROUP 8
kernel void halo(global const int* in, global int* out, const int width, const int height) {
  local int tile[GROUP + 2][GROUP + 2];
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int x = get_global_id(0), y = get_global_id(1);
  for (int ty = ly; ty < GROUP + 2; ty += GROUP)
    for (int tx = lx; tx < GROUP + 2; tx += GROUP)
      tile[ty][tx] = in[clamp(y - ly + ty, 0, height) * (width + 1) + clamp(x - lx + tx, 0, width)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < width && y < height)
    out[y * width + x] = tile[ly][lx] + tile[ly + 2][lx + 2];
}
