// Its rows begin at the launch's offset, 4.
kernel void plane(global int* ids, int n) {
  const int x = get_global_id(0), y = get_global_id(1) - 4;
  if (x < 8 && y < n)
    ids[y * 8 + x] = get_global_id(1);
}
