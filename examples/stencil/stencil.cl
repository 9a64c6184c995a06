#define GROUP 8 // work-items of a group in each direction
#define HALO 1

// An index one or more outside of 0 … size - 1 brought back: round a torus, or to the nearest edge.
static int inside(int index, int size, int torus) {
  return index < 0 ? (torus ? size - 1 : 0) : index >= size ? (torus ? 0 : size - 1) : index;
}

// One explicit time step of the heat equation on a width x height grid, five-point stencil.
// Groups are GROUP x GROUP and share their cells, with a halo, in local memory.
kernel void diffuse(global const float* restrict now, global float* restrict next, const int width,
                    const int height, const float rate, const int torus) {
  local float tile[GROUP + 2 * HALO][GROUP + 2 * HALO];
  const int lx = get_local_id(0), ly = get_local_id(1);
  const int x = get_global_id(0), y = get_global_id(1);
  const int left = x - lx - HALO, top = y - ly - HALO;

  for (int ty = ly; ty < GROUP + 2 * HALO; ty += GROUP)
    for (int tx = lx; tx < GROUP + 2 * HALO; tx += GROUP)
      tile[ty][tx] = now[inside(top + ty, height, torus) * width + inside(left + tx, width, torus)];
  barrier(CLK_LOCAL_MEM_FENCE);

  if (x >= width || y >= height)
    return;
  local const float* const centre = &tile[ly + HALO][lx + HALO];
  const int row = GROUP + 2 * HALO;
  const float around = centre[-row] + centre[row] + centre[-1] + centre[1];
  next[y * width + x] = *centre + rate * (around - 4.0f * *centre);
}
