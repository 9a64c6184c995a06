kernel void clamped(global int* data, int n, int most) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  if (data[i] > most)
    data[i] = most;
}
