// Tiles of 12 columns; the last of them may be short.
kernel void ragged(global int* out, int width, int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  const int tile = x / 12;
  const int last = min(12, width - 12 * tile);
  out[y * width + x] = last == 12 ? x : last == 11 ? -x : last == 1 ? 7 : y;
}
