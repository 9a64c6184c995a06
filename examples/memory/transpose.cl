// The transpose of a square matrix, an element for each work-item.
kernel void transpose(global const float* idata, global float* odata, const uint width) {
  const uint x = get_global_id(0), y = get_global_id(1);
  odata[x * width + y] = idata[y * width + x];
}

#define TILE 32

// Through tiles in local memory: rows are read, and rows are written. Groups are TILE x TILE.
kernel void transpose_tiled(global const float* idata, global float* odata, const uint width) {
  local float tile[TILE][TILE];
  const uint x = get_local_id(0), y = get_local_id(1);
  const uint left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
  tile[y][x] = idata[(top + y) * width + left + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  odata[(left + y) * width + top + x] = tile[x][y];
}
