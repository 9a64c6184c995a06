kernel void clip(global int* data, const int top) {
  const size_t i = get_global_id(0);
  if (data[i] > top)
    data[i] = top;
}
