kernel void past_end(global int* out, int n) {
  global int* parts[2];
  int array[2];
  parts[0] = parts[1] = out;
  for (int i = 0; i < n; ++i)
    array[i] = 0;
  parts[n % 2][get_global_id(0)] = array[0];
}
