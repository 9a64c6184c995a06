kernel void clamp(global int* data) {
  int i = get_global_id(0);
  if (data[i] > 2)
    data[i] = 2;
}
