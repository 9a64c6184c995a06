// One more element is written where a product has a value that fuzzing does not find.
kernel void rare(global int* out, int n) {
  if (get_global_id(0) == 0) {
    for (int i = 0; i < 7; ++i)
      out[i] = n + i;
    if (n > 0 && n < 40000 && n * n == 1522756)
      out[7] = 1;
  }
}
