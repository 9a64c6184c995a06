kernel void sum(global const int* a, global const int* b, global const int* c, global const int* d,
                global int* out) {
  const int i = get_global_id(0);
  out[i] = a[i] + b[i] + c[i] + d[i];
}
