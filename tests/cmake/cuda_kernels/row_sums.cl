// The same, as one would write it down.
kernel void simple(global const int* in, global int* out, ulong width) {
  int sum = 0;
  for (ulong i = 0; i < width; ++i)
    sum += in[get_global_id(0) * width + i];
  out[get_global_id(0)] = sum;
}
kernel void faulty(global int* in, global int* out, ulong width) { out[width * 1000] = in[0]; }
